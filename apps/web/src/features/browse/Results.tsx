import { formatCount, isNarrowed, toBrowsePath, type BrowseParams } from '@agent-registry/contracts';
import { Text } from '@mantine/core';
import { Fragment } from 'react';
import type { AgentList } from '../../api/use-agent-list.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { AgentCard } from '../../components/AgentCard.tsx';
import { AsyncState } from '../../components/AsyncState.tsx';
import { describeWayBack } from './describe-way-back.ts';
import { EmptyState } from './EmptyState.tsx';
import { LoadMore } from './LoadMore.tsx';
import { JumpLinks, PageLinks } from './PageLinks.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';
import { useCachedMatches, useIsOffline } from './use-offline.ts';
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
  const { categories } = useSiteConfig();
  const path = toBrowsePath(params);
  const cards = useShownCards(list, params);
  const { grid, shown, areAllShown } = cards;
  const isOffline = useIsOffline();
  const cachedMatches = useCachedMatches(params, isOffline && agents === undefined);
  const visible = agents ? shown : cachedMatches;
  const firstPartial = agents && findFirstPartial(list, params);
  const backTo = { path, label: describeWayBack(params, categories) };

  return (
    <div role="group" aria-label="Agents" tabIndex={-1}>
      {isOffline && visible.length > 0 && (
        <p className={classes.notice}>You are offline. These agents were loaded before; there may be others.</p>
      )}
      <PageLinks list={list} params={params} shown={shown} />
      {visible.length > 0 && (
        <ul className={classes.grid} ref={grid}>
          {visible.map((agent, index) => (
            <Fragment key={agent.id}>
              {index === firstPartial && (
                <li className={classes.divider}>
                  <h3>{describePartial(list)}</h3>
                </li>
              )}
              <li>
                <AgentCard agent={agent} backTo={backTo} />
              </li>
            </Fragment>
          ))}
        </ul>
      )}
      {/* Takes the place of the cards at once, so that nothing moves when they arrive. */}
      {cards.awaited > 0 && <SkeletonCards count={cards.awaited} />}
      {!agents && cachedMatches.length === 0 && (
        <AsyncState key={path} error={error} errorMessage="The agents could not be loaded." retry={retry}>
          <SkeletonCards count={SKELETON_CARDS} />
        </AsyncState>
      )}
      {/* The same element for every list: a live region announces changes of its text only. */}
      <Text role="status" className={agents ? classes.line : classes.hidden} data-alone={agents?.length === 0}>
        {describe(list, shown.length, areAllShown, params)}
      </Text>
      {agents && list.total === 0 && <EmptyState params={params} />}
      {shown.length > 0 && (
        <LoadMore
          key={path}
          params={params}
          cursor={areAllShown ? params.after : cards.end}
          shown={shown.length}
          areAllShown={areAllShown}
          isLoading={cards.isLoading}
          error={cards.hasFailed ? error : null}
          onLoadMore={cards.showMore}
        />
      )}
      <JumpLinks list={list} params={params} shown={shown} />
    </div>
  );
}

function SkeletonCards({ count }: { count: number }) {
  return (
    <div className={classes.grid} aria-busy>
      {Array.from({ length: count }, (_, index) => (
        <SkeletonCard key={index} />
      ))}
    </div>
  );
}

/** The index of the first agent that has only some words of the search; a sorted list mixes them with the others. */
function findFirstPartial({ full, total, position }: AgentList, { sort }: BrowseParams): number | undefined {
  return full === undefined || full >= total || sort ? undefined : Math.max(0, full - position + 1);
}

/** The line before the agents that have only some words of the search. */
function describePartial({ full }: AgentList): string {
  return full === 0
    ? 'No agent has all of these words. These have some.'
    : 'The following agents have only some of these words.';
}

/** The text of the live region: how many agents are shown. */
function describe(
  { agents, total, position, error }: AgentList,
  shown: number,
  areAllShown: boolean,
  params: BrowseParams,
) {
  if (!agents) return error === null ? 'Loading agents…' : '';
  if (total > 0 && agents.length === 0) return `No name starts with ‘${params.from}’ or comes after it.`;
  if (agents.length === 0)
    return isNarrowed(params) ? 'No agents found matching your criteria.' : 'No agents available.';
  if (position > 1) {
    return `Showing ${formatCount(position)}–${formatCount(position + shown - 1)} of ${formatCount(total)} agents`;
  }
  if (!areAllShown) return `Showing ${formatCount(shown)} of ${formatCount(total)} agents`;
  return shown === 1 ? 'The only agent is shown.' : `All ${formatCount(shown)} agents are shown.`;
}
