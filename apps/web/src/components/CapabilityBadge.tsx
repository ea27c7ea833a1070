import classes from './CapabilityBadge.module.css';
import { HighlightedText } from './HighlightedText.tsx';

/** A capability of an agent; long text wraps. */
export function CapabilityBadge({ capability }: { capability: string }) {
  return (
    <span className={classes.badge} dir="auto">
      <HighlightedText>{capability}</HighlightedText>
    </span>
  );
}
