import { apiAccessOptions, pricingModels, toAgentPath, type ListedAgent } from '@agent-registry/contracts';
import { useRef, type MouseEvent } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { BackLink, LocationState } from '../navigation/location-state.ts';
import { travel } from '../navigation/travel.ts';
import { describeAge, isNew } from './age.ts';
import { AgentMark } from './AgentMark.tsx';
import { CapabilityBadge } from './CapabilityBadge.tsx';
import { CategoryLine } from './CategoryLine.tsx';
import { ClampedText } from './ClampedText.tsx';
import { HighlightedText } from './HighlightedText.tsx';
import { ProvedTick } from './ProvedTick.tsx';
import { Rating } from './Rating.tsx';
import { useToday } from './use-today.ts';
import classes from './AgentCard.module.css';

/** Capabilities on a card; the rest are behind "+N". */
const MAX_CARD_CAPABILITIES = 3;
/** Lines of the description on a card. */
const CARD_DESCRIPTION_LINES = 3;

type AgentCardProps = {
  agent: ListedAgent;
  /** The list that the card is in: the agent's page links back to it. */
  backTo?: BackLink;
};

/** An agent in a list. A click anywhere opens its page; the text can be selected. */
export function AgentCard({ agent, backTo }: AgentCardProps) {
  const today = useToday();
  const link = useRef<HTMLAnchorElement>(null);
  const path = toAgentPath(agent.id);
  const state: LocationState = { backTo };
  const titleId = `agent-${agent.id}`;
  const navigate = useNavigate();
  const travelToAgent = (event: MouseEvent<HTMLAnchorElement>) => {
    // With one of these keys the browser opens the link elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    travel(event.currentTarget.closest('article'), () => void navigate(path, { state }));
  };
  const openAgent = (event: MouseEvent<HTMLElement>) => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button') !== null;
    if (isOnControl || getSelection()?.isCollapsed === false) return;
    const { ctrlKey, metaKey, shiftKey } = event;
    link.current?.dispatchEvent(
      new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keyboard has the link of the name
    <article className={classes.card} aria-labelledby={titleId} onClick={openAgent}>
      <div className={classes.head}>
        <AgentMark agent={agent} />
        <div className={classes.heading}>
          <div className={classes.title}>
            <h3 id={titleId} dir="auto" className={classes.name}>
              <Link ref={link} to={path} state={state} onClick={travelToAgent}>
                <HighlightedText>{agent.name}</HighlightedText>
              </Link>
            </h3>
            {isNew(agent.createdAt, today) && <span className={classes.new}>New</span>}
          </div>
          <div className={classes.field}>
            <CategoryLine category={agent.category} />
            <ProvedTick agent={agent} />
          </div>
        </div>
      </div>
      <ClampedText lines={CARD_DESCRIPTION_LINES}>
        <HighlightedText>{agent.description}</HighlightedText>
      </ClampedText>
      <Capabilities capabilities={agent.capabilities} />
      <div className={classes.foot}>
        <div className={classes.facts}>
          <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
          <div>{describeTerms(agent, today)}</div>
        </div>
        {/* The name leads to the same page, so that the Tab key stops at a card once. */}
        <Link
          to={path}
          state={state}
          onClick={travelToAgent}
          className={classes.link}
          aria-describedby={titleId}
          tabIndex={-1}
        >
          View Details →
        </Link>
      </div>
    </article>
  );
}

function Capabilities({ capabilities }: Pick<ListedAgent, 'capabilities'>) {
  const shown = capabilities.slice(0, MAX_CARD_CAPABILITIES);
  const rest = capabilities.slice(MAX_CARD_CAPABILITIES);
  // Without a list the row stays, because the rows of neighbouring cards are aligned.
  if (shown.length === 0) return <div />;
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

/** Price, API and age, such as "Free · API · 2 months ago". */
function describeTerms({ pricingModel, apiAccess, createdAt }: ListedAgent, today: string): string {
  const price = pricingModels.find(({ value }) => value === pricingModel)?.label;
  const api = apiAccess === 'yes' ? 'API' : apiAccessOptions.find(({ value }) => value === apiAccess)?.label;
  return [price, api, describeAge(createdAt, today)].join(' · ');
}
