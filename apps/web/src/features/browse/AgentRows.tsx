import { describeDay, listTerms, SOME_WORDS, type ListedAgent } from '@agent-registry/contracts';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CardDescription, Ways } from '../../components/AgentCard.tsx';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryIcon.tsx';
import { HighlightedText } from '../../components/HighlightedText.tsx';
import { KeepToggle } from '../../components/KeepToggle.tsx';
import { ProvedTick } from '../../components/ProvedTick.tsx';
import { Rating } from '../../components/Rating.tsx';
import { useAgentLink } from '../../components/use-agent-link.ts';
import type { BackLink } from '../../navigation/location-state.ts';
import classes from './AgentRows.module.css';

type AgentRowsProps = { agents: readonly ListedAgent[]; backTo: BackLink; divider?: number | undefined };

/** A column after the description, which only a list has whose agents differ in it. */
type Column = { label: string; toText: (agent: ListedAgent) => string; toCell?: (agent: ListedAgent) => ReactNode };

const columns: Column[] = [
  {
    label: 'Terms',
    toText: (agent) => listTerms(agent).join(' · '),
    toCell: (agent) => (
      <>
        {listTerms({ ...agent, connections: undefined }).join(' · ')}
        <Ways agent={agent} />
      </>
    ),
  },
  {
    label: 'Rating',
    toText: ({ rating, reviewCount }) => `${rating} ${reviewCount}`,
    toCell: ({ rating, reviewCount }) => <Rating rating={rating} reviewCount={reviewCount} />,
  },
  {
    label: 'Added',
    toText: ({ createdAt }) => describeDay(createdAt, 'medium'),
    toCell: ({ createdAt }) => <time dateTime={createdAt}>{describeDay(createdAt, 'medium')}</time>,
  },
];

export function AgentRows({ agents, backTo, divider }: AgentRowsProps) {
  const shown = columns.filter(({ toText }) => new Set(agents.map(toText)).size > 1);
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Description</th>
          {shown.map(({ label }) => (
            <th key={label} scope="col" data-column={label}>
              {label}
            </th>
          ))}
          <th scope="col" className={classes.action}>
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {agents.map((agent, index) => (
          <Fragment key={agent.id}>
            {index === divider && (
              <tr>
                <td colSpan={shown.length + 3}>
                  <h3>{SOME_WORDS}</h3>
                </td>
              </tr>
            )}
            <AgentRow agent={agent} backTo={backTo} columns={shown} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

type AgentRowProps = { agent: ListedAgent; backTo: BackLink; columns: readonly Column[] };

function AgentRow({ agent, backTo, columns: shown }: AgentRowProps) {
  const toAgent = useAgentLink(agent, backTo);
  return (
    <tr className={classes.row}>
      <th scope="row">
        <div className={classes.head}>
          <AgentMark agent={agent} size="sm" />
          <div>
            <div>
              <Link {...toAgent} dir="auto" className={classes.name} data-tooltip-if-cut>
                <HighlightedText>{agent.name}</HighlightedText>
              </Link>
              <ProvedTick agent={agent} />
            </div>
            <div data-terms>
              <CategoryLine category={agent.category} />
              {/* In place of the columns on small screens. */}
              <span>{listTerms(agent).join(' · ')}</span>
            </div>
          </div>
        </div>
      </th>
      <td>
        <CardDescription agent={agent} lines={2} />
      </td>
      {shown.map(({ label, toText, toCell = toText }) => (
        <td key={label} data-column={label}>
          {toCell(agent)}
        </td>
      ))}
      <td className={classes.action}>
        <KeepToggle agent={agent} />
      </td>
    </tr>
  );
}
