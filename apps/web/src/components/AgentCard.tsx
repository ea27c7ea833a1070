import {
  countOf,
  countTools,
  describeApi,
  describeDay,
  labelOfValue,
  labelsOfWays,
  type ListedAgent,
} from '@agent-registry/contracts';
import { useId, useRef, type MouseEvent, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import plugConnected from '../icons/plug-connected.svg?raw';
import type { BackLink } from '../navigation/location-state.ts';
import { toCardText } from '../lib/shorten.ts';
import { useWebsiteName, useToday } from '../lib/site.ts';
import { AgentMark } from './AgentMark.tsx';
import { Arrow } from '../lib/Arrow.tsx';
import { CategoryLine } from './CategoryIcon.tsx';
import { HighlightedText } from './HighlightedText.tsx';
import { Icon } from './Icon.tsx';
import { KeepToggle } from './KeepToggle.tsx';
import { ProvedTick } from './ProvedTick.tsx';
import { Rating } from './Rating.tsx';
import { useAgentLink } from './use-agent-link.ts';
import classes from './AgentCard.module.css';

const CARD_DESCRIPTION_LINES = 3;
const MAX_CARD_CAPABILITIES = 3;
/** How long agents count as new, in milliseconds. */
const NEW_FOR = 7 * 86_400_000;

type AgentCardProps = {
  agent: ListedAgent;
  /** The list that the card is in: the agent's page links back to it. */
  backTo?: BackLink;
  canKeep?: boolean;
  children?: ReactNode;
};

/** An agent in a list. A click anywhere opens its page; the text can be selected. */
export function AgentCard({ agent, backTo, canKeep = true, children }: AgentCardProps) {
  const link = useRef<HTMLAnchorElement>(null);
  const toAgent = useAgentLink(agent, backTo);
  const site = useWebsiteName(agent.website);
  const titleId = useId();
  const openAgent = (event: MouseEvent<HTMLElement>) => {
    const isOnControl = event.target instanceof Element && event.target.closest('a, button, label') !== null;
    if (isOnControl || getSelection()?.isCollapsed === false) return;
    const { ctrlKey, metaKey, shiftKey } = event;
    link.current?.dispatchEvent(
      new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
    );
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the keyboard has the link of the name
    <article className={classes.card} aria-labelledby={titleId} onClick={openAgent}>
      <div>
        <div className={classes.head}>
          <AgentMark agent={agent} />
          <div className={classes.heading}>
            <h3 id={titleId} dir="auto" className={classes.name} data-tooltip-if-cut>
              <Link ref={link} {...toAgent}>
                <HighlightedText>{agent.name}</HighlightedText>
              </Link>
            </h3>
            <CategoryLine category={agent.category} />
            {site && (
              <div className={classes.owner}>
                <span className="cut" data-tooltip-if-cut>
                  {site.name}
                </span>
                <ProvedTick agent={agent} />
              </div>
            )}
          </div>
          {canKeep && <KeepToggle agent={agent} />}
        </div>
        <CardDescription agent={agent} lines={CARD_DESCRIPTION_LINES} />
      </div>
      <div className={classes.capabilities}>
        <Capabilities capabilities={agent.capabilities} />
        <Ways agent={agent} />
      </div>
      <div className={classes.foot}>
        <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
        <Terms agent={agent} />
        {/* The name leads to the same page, so that the Tab key stops at a card once. */}
        <Link {...toAgent} className={classes.link} aria-describedby={titleId} tabIndex={-1}>
          View Details <Arrow />
        </Link>
      </div>
      {children}
    </article>
  );
}

export function CardDescription({ agent: { description }, lines }: { agent: ListedAgent; lines: number }) {
  return (
    <p dir="auto" className={classes.clamped} style={{ WebkitLineClamp: lines }} data-tooltip-if-cut>
      <HighlightedText>{toCardText(description)}</HighlightedText>
    </p>
  );
}

function Capabilities({ capabilities }: Pick<ListedAgent, 'capabilities'>) {
  const shown = capabilities.slice(0, MAX_CARD_CAPABILITIES);
  const rest = capabilities.slice(MAX_CARD_CAPABILITIES);
  if (shown.length === 0) return null;
  return (
    <ul>
      {shown.map((capability, index) => (
        <li key={index}>
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
              {`+${rest.length}`}
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}

export function Ways({ agent }: Pick<AgentCardProps, 'agent'>) {
  const tools = countTools(agent);
  const ways = labelsOfWays(agent).map((way) =>
    way === 'MCP' && tools !== undefined ? `${way}, ${countOf(tools, 'tool')}` : way,
  );
  if (ways.length === 0) return null;
  return (
    <span className={classes.ways}>
      <Icon svg={plugConnected} size={15} />
      <span className="cut">{ways.join(' · ')}</span>
    </span>
  );
}

/** The price, the API, and the month of the entry: its age would be wrong in HTML that was cached. */
function Terms({ agent: { pricingModel, apiAccess, createdAt } }: Pick<AgentCardProps, 'agent'>) {
  const today = useToday();
  const terms = [labelOfValue('pricingModel', pricingModel), describeApi(apiAccess)];
  return (
    <span className="cut">
      {`· ${terms.filter(Boolean).join(' · ')} · `}
      {isNew(createdAt, today) && <span className={classes.new}>New · </span>}
      <time dateTime={createdAt}>{describeDay(createdAt, 'medium').replace(/ \d+,/, '')}</time>
    </span>
  );
}

export function isNew(createdAt: string, today: string): boolean {
  return Date.parse(today) - Date.parse(createdAt.slice(0, 10)) < NEW_FOR;
}
