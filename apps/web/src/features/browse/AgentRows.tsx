import { describeApi, labelOfValue, listTerms, type ListedAgent } from '@agent-registry/contracts';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import type { CardAction } from '../../components/AgentCard.tsx';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryLine.tsx';
import { ClampedText } from '../../components/ClampedText.tsx';
import { HighlightedText } from '../../components/HighlightedText.tsx';
import { ProvedTick } from '../../components/ProvedTick.tsx';
import { Rating } from '../../components/Rating.tsx';
import { RelativeDay } from '../../components/RelativeDay.tsx';
import { useAgentLink } from '../../components/use-agent-link.ts';
import type { BackLink } from '../../navigation/location-state.ts';
import classes from './AgentRows.module.css';

/** A text before the agent at an index of a list. */
export type Divider = { index: number; text: string };

type AgentRowsProps = {
  agents: readonly ListedAgent[];
  /** The list that the rows are in: the agents' pages link back to it. */
  backTo: BackLink;
  divider?: Divider | undefined;
  CardAction?: CardAction | undefined;
};

/** Agents as the lines of a table; on phones each has its terms below its name. */
export function AgentRows({ agents, backTo, divider, CardAction }: AgentRowsProps) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col">Description</th>
          <th scope="col">Category</th>
          <th scope="col">Pricing</th>
          <th scope="col">API</th>
          <th scope="col">Rating</th>
          <th scope="col">Added</th>
          {CardAction && (
            <th scope="col" className={classes.action}>
              <span className="visually-hidden">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {agents.map((agent, index) => (
          <Fragment key={agent.id}>
            {index === divider?.index && (
              <tr>
                <td colSpan={CardAction ? 8 : 7}>
                  <h3>{divider.text}</h3>
                </td>
              </tr>
            )}
            <AgentRow agent={agent} backTo={backTo} CardAction={CardAction} />
          </Fragment>
        ))}
      </tbody>
    </table>
  );
}

type AgentRowProps = Pick<AgentRowsProps, 'backTo' | 'CardAction'> & { agent: ListedAgent };

function AgentRow({ agent, backTo, CardAction }: AgentRowProps) {
  const toAgent = useAgentLink(agent, backTo);
  return (
    <tr className={classes.row}>
      <th scope="row">
        <div className={classes.head}>
          <AgentMark agent={agent} size={32} />
          <div>
            <div>
              <Link {...toAgent} dir="auto" className={classes.name} data-tooltip-if-cut>
                <HighlightedText>{agent.name}</HighlightedText>
              </Link>
              <ProvedTick agent={agent} />
            </div>
            {/* In place of the columns on phones. */}
            <div data-terms>
              <CategoryLine category={agent.category} />
              {listTerms(agent).map((term) => (
                <span key={term}>{term}</span>
              ))}
            </div>
          </div>
        </div>
      </th>
      <td>
        <Description>{agent.description}</Description>
      </td>
      <td>
        <CategoryLine category={agent.category} />
      </td>
      <td>{labelOfValue('pricingModel', agent.pricingModel)}</td>
      <td>{describeApi(agent.apiAccess) ?? '–'}</td>
      <td>
        <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
      </td>
      <td>
        <RelativeDay instant={agent.createdAt} />
      </td>
      {CardAction && (
        <td className={classes.action}>
          <CardAction agent={agent} isCompact />
        </td>
      )}
    </tr>
  );
}

function Description({ children }: { children: string }) {
  return (
    <ClampedText lines={1}>
      <HighlightedText>{children}</HighlightedText>
    </ClampedText>
  );
}
