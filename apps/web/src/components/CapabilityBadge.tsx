import classes from './CapabilityBadge.module.css';
import { HighlightedText } from './HighlightedText.tsx';

/** A capability of an agent. Where it is cut off, a tooltip shows it whole. */
export function CapabilityBadge({ capability }: { capability: string }) {
  return (
    <span className={classes.badge} dir="auto" data-tooltip-if-cut>
      <HighlightedText>{capability}</HighlightedText>
    </span>
  );
}
