import type { ListedAgent } from '@agent-registry/contracts';
import classes from './CardFacts.module.css';
import { HighlightedText } from './HighlightedText.tsx';

/** Capabilities on a card; the rest are behind "+N". */
const MAX_CARD_CAPABILITIES = 3;

/** The line of a card with the capabilities of its agent; empty without any. */
export function CardFacts({ agent: { capabilities } }: { agent: ListedAgent }) {
  const shown = capabilities.slice(0, MAX_CARD_CAPABILITIES);
  const rest = capabilities.slice(MAX_CARD_CAPABILITIES);
  if (shown.length === 0) return <div className={classes.capabilities} />;
  return (
    <ul className={classes.capabilities}>
      {shown.map((capability, index) => (
        <li key={index}>
          {/* Where it is cut off, a tooltip shows it whole. */}
          <span className={classes.badge} dir="auto" data-tooltip-if-cut>
            <HighlightedText>{capability}</HighlightedText>
          </span>
          {rest.length > 0 && index === shown.length - 1 && (
            <button
              type="button"
              className={classes.more}
              aria-label={`+${rest.length} more: ${rest.join(', ')}`}
              data-tooltip={rest.join(', ')}
              data-tooltip-on-press
            >
              +{rest.length}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
