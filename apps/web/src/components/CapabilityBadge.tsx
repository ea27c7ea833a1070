import classes from './CapabilityBadge.module.css';
import { HighlightedText } from './HighlightedText.tsx';

/** A capability of an agent; long text wraps. */
export function CapabilityBadge({ capability, size = 'md' }: { capability: string; size?: 'md' | 'lg' }) {
  return (
    <span className={classes.badge} data-size={size} dir="auto">
      <HighlightedText>{capability}</HighlightedText>
    </span>
  );
}
