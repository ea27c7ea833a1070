import { listTerms, type ListedAgent } from '@agent-registry/contracts';
import classes from './CardFacts.module.css';
import { HighlightedText } from './HighlightedText.tsx';

/** Capabilities on a card; the rest are behind "+N". */
const MAX_CARD_CAPABILITIES = 3;

/** The line of a card with the capabilities and the terms of its agent. */
export function CardFacts({ agent }: { agent: ListedAgent }) {
  return (
    <div className={classes.facts}>
      <Capabilities capabilities={agent.capabilities} />
      <ul className={classes.terms} aria-label="Terms">
        {listTerms(agent).map((term) => (
          <li key={term}>{term}</li>
        ))}
      </ul>
    </div>
  );
}

function Capabilities({ capabilities }: Pick<ListedAgent, 'capabilities'>) {
  const shown = capabilities.slice(0, MAX_CARD_CAPABILITIES);
  const rest = capabilities.slice(MAX_CARD_CAPABILITIES);
  if (shown.length === 0) return null;
  return (
    <ul className={classes.capabilities}>
      {shown.map((capability, index) => (
        <li key={index}>
          <CapabilityBadge capability={capability} />
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

/** A capability of an agent. Where it is cut off, a tooltip shows it whole. */
function CapabilityBadge({ capability }: { capability: string }) {
  return (
    <span className={classes.badge} dir="auto" data-tooltip-if-cut>
      <HighlightedText>{capability}</HighlightedText>
    </span>
  );
}
