import { formatCount } from '@agent-registry/contracts';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { AgentList } from '../../api/use-agent-list.ts';
import { AsyncState } from '../../components/AsyncState.tsx';
import { focusContainer } from '../../components/focus-container.ts';
import { toBrowsePath, type BrowseParams } from '../../navigation/browse-params.ts';
import { keepScroll } from '../../navigation/location-state.ts';
import { AgentCard } from '../../components/AgentCard.tsx';
import { LoadMore } from './LoadMore.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';
import { useShownCards } from './use-shown-cards.ts';

/** Skeleton cards while a list loads. */
const SKELETON_CARDS = 6;

type ResultsProps = {
  list: AgentList;
  params: BrowseParams;
};

/** The agents of a list as cards, and the button that shows more of them. */
export function Results({ list, params }: ResultsProps) {
  const { agents, error, retry } = list;
  const { category, text, after } = params;
  const path = toBrowsePath(params);
  const cards = useShownCards(list, path);
  const { grid, shown, areAllShown } = cards;

  return (
    <div role="group" aria-label="Agents" tabIndex={-1}>
      {after && (
        <Text size="sm" mb="md">
          <Anchor
            component={Link}
            to={toBrowsePath({ category, text })}
            onClick={focusContainer}
            {...keepScroll}
            size="sm"
          >
            Back to the first agents
          </Anchor>
        </Text>
      )}
      {shown.length > 0 && (
        <ul className={classes.grid} ref={grid}>
          {shown.map((agent) => (
            <li key={agent.id}>
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {!agents && (
        <AsyncState key={path} error={error} errorMessage="The agents could not be loaded." retry={retry}>
          <div className={classes.grid} aria-busy>
            {Array.from({ length: SKELETON_CARDS }, (_, index) => (
              <SkeletonCard key={index} />
            ))}
          </div>
        </AsyncState>
      )}
      {/* The same element for every list: a live region announces changes of its text only. */}
      <Text role="status" className={agents ? classes.line : classes.hidden} data-alone={agents?.length === 0}>
        {describe(list, shown.length, areAllShown, category !== undefined || text !== '')}
      </Text>
      {shown.length > 0 && (
        <LoadMore
          key={path}
          params={params}
          cursor={areAllShown ? after : shown.at(-1)?.id}
          isLoading={cards.isLoading}
          error={cards.hasFailed ? error : null}
          onLoadMore={cards.showMore}
        />
      )}
    </div>
  );
}

/** The text of the live region: how many agents are shown. */
function describe({ agents, total, error }: AgentList, shown: number, areAllShown: boolean, isFiltered: boolean) {
  if (!agents) return error === null ? 'Loading agents…' : '';
  if (agents.length === 0) return isFiltered ? 'No agents found matching your criteria.' : 'No agents available.';
  if (!areAllShown) return `Showing ${formatCount(shown)} of ${formatCount(total)} agents`;
  // A list with a cursor does not start with the first agent.
  if (shown < total) return `The last ${formatCount(shown)} of ${formatCount(total)} agents are shown.`;
  return shown === 1 ? 'The only agent is shown.' : `All ${formatCount(shown)} agents are shown.`;
}
