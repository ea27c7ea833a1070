import { formatCount, SKELETON_CARDS } from '@agent-registry/contracts';
import { Anchor, Button, Loader, Text } from '@mantine/core';
import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import type { AgentList } from '../../api/use-agent-list.ts';
import { toBrowsePath, type BrowseParams } from '../../navigation/browse-params.ts';
import { focusContainer } from '../../components/focus-container.ts';
import { AsyncState } from '../../components/AsyncState.tsx';
import { keepScroll } from '../../navigation/use-scroll-restoration.ts';
import { describeNetworkError, isOffline } from '../../api/request-errors.ts';
import { SLOW_REQUEST, useSlowRequest } from '../../api/use-slow-request.ts';
import { AgentCard } from './AgentCard.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';
import { useShownCards } from './use-shown-cards.ts';

type ResultsProps = {
  list: AgentList;
  browseParams: BrowseParams;
};

/** The agents that match, twelve at first and twelve more at each press of the button. */
export function Results({ list, browseParams }: ResultsProps) {
  const { agents, error, retry } = list;
  const { category, text, after } = browseParams;
  const place = toBrowsePath(browseParams);
  const { grid, shown, drawn, areAllShown, isBusy, failures, showMore } = useShownCards(list, place);
  const isLate = useSlowRequest(isBusy);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    showMore();
  };

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
          {drawn.map((agent) => (
            <li key={agent.id}>
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {!agents && (
        <AsyncState key={place} error={error} refusal="The agents could not be loaded." retry={retry}>
          <div className={classes.grid} aria-busy>
            {Array.from({ length: SKELETON_CARDS }, (_, index) => (
              <SkeletonCard key={index} />
            ))}
          </div>
        </AsyncState>
      )}
      <Text role="status" className={agents ? classes.line : classes.unseen} data-alone={agents?.length === 0}>
        {describe(list, shown.length, areAllShown, category !== undefined || text !== '')}
      </Text>
      {shown.length > 0 && (
        <div className={classes.more}>
          {(failures > 0 || isLate) && (
            <div role="alert" className={classes.failure}>
              {/* Another one at each failure, or it would be read out once. */}
              <Text key={failures} size="sm">
                {describeMore(error, isBusy, isLate)}
              </Text>
              {!isLate && (
                <Button variant="default" size="xs" onClick={showMore}>
                  Try again
                </Button>
              )}
            </div>
          )}
          {/* Without scripts it leads to a page that goes on where this one ends. */}
          <form action="/#browse" onSubmit={submit}>
            {category && <input type="hidden" name="category" value={category} />}
            {text && <input type="hidden" name="q" value={text} />}
            <input type="hidden" name="after" value={(areAllShown ? after : shown.at(-1)?.id) ?? ''} />
            {/* Not disabled while it is busy: that would take the focus away. */}
            <Button
              type="submit"
              variant="default"
              size="md"
              aria-busy={isBusy}
              aria-disabled={isBusy}
              leftSection={isBusy && <Loader size="xs" />}
            >
              Load More Agents
            </Button>
          </form>
        </div>
      )}
    </div>
  );
}

/** Says what has become of reading more, where that is late or has failed. */
function describeMore(error: unknown, isBusy: boolean, isLate: boolean): string {
  if (isBusy) return isLate ? SLOW_REQUEST : 'Loading agents…';
  return isOffline(error) ? describeNetworkError() : 'More agents could not be loaded.';
}

/** Says how many agents there are, which is read out whenever it changes. */
function describe({ agents, total, error }: AgentList, shown: number, areAllShown: boolean, isFiltered: boolean) {
  if (!agents) return error === null ? 'Loading agents…' : '';
  if (agents.length === 0) return isFiltered ? 'No agents found matching your criteria.' : 'No agents available.';
  if (areAllShown) return describeAll(agents.length, total);
  return `Showing ${formatCount(shown)} of ${formatCount(total)} agents`;
}

function describeAll(count: number, total: number): string {
  // A list that begins further down.
  if (count < total) return `The last ${formatCount(count)} of ${formatCount(total)} agents are shown.`;
  return count === 1 ? 'The only agent is shown.' : `All ${formatCount(count)} agents are shown.`;
}
