import { toAgentPath, type Agent } from '@agent-registry/contracts';
import { Link } from 'react-router-dom';
import { AgentMark } from './AgentMark.tsx';
import { CapabilityBadge } from './CapabilityBadge.tsx';
import { CategoryBadge } from './CategoryBadge.tsx';
import { ClampedText } from './ClampedText.tsx';
import { HighlightedText } from './HighlightedText.tsx';
import { Rating } from './Rating.tsx';
import classes from './AgentCard.module.css';

/** Capabilities on a card; the rest are behind "+N". */
const MAX_CARD_CAPABILITIES = 3;
/** Lines of the description on a card. */
const CARD_DESCRIPTION_LINES = 3;

/** An agent in the results. */
export function AgentCard({ agent }: { agent: Agent }) {
  const shown = agent.capabilities.slice(0, MAX_CARD_CAPABILITIES);
  const rest = agent.capabilities.slice(MAX_CARD_CAPABILITIES);
  const titleId = `agent-${agent.id}`;
  return (
    <article className={classes.card} aria-labelledby={titleId}>
      <div className={classes.head}>
        <AgentMark agent={agent} />
        <div className={classes.heading}>
          <h3 id={titleId} dir="auto" className={classes.name}>
            <HighlightedText>{agent.name}</HighlightedText>
          </h3>
          <CategoryBadge category={agent.category} />
        </div>
      </div>
      <ClampedText lines={CARD_DESCRIPTION_LINES}>
        <HighlightedText>{agent.description}</HighlightedText>
      </ClampedText>
      {shown.length > 0 && (
        <ul className={classes.capabilities}>
          {shown.map((capability, index) => (
            <li key={index}>
              <CapabilityBadge capability={capability} />
            </li>
          ))}
          {rest.length > 0 && (
            <li>
              <button
                type="button"
                className={classes.more}
                aria-label={`+${rest.length} more: ${rest.join(', ')}`}
                data-tooltip={rest.join(', ')}
                data-tooltip-on-press
              >
                +{rest.length}
              </button>
            </li>
          )}
        </ul>
      )}
      <div className={classes.foot}>
        <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
        <Link to={toAgentPath(agent.id)} className={classes.link} aria-describedby={titleId}>
          View Details →
        </Link>
      </div>
    </article>
  );
}
