import { formatCount, isNarrowed, toBrowsePath, type BrowseParams, type ListedAgent } from '@agent-registry/contracts';
import { Skeleton, Text } from '@mantine/core';
import { Fragment, Suspense } from 'react';
import type { AgentList } from '../../api/use-agent-list.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { AgentCard, type CardAction } from '../../components/AgentCard.tsx';
import { AsyncState } from '../../components/AsyncState.tsx';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import type { BackLink } from '../../navigation/location-state.ts';
import type { Divider } from './AgentRows.tsx';
import { describeWayBack } from './describe-way-back.ts';
import { lazyAgentRows, lazyEmptyState, lazyJumpLinks, lazyPageLinks } from './lazy-components.ts';
import { LoadMore } from './LoadMore.tsx';
import { isPart, LONG_LIST } from './long-list.ts';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';
import { useCachedMatches, useIsOffline } from './use-offline.ts';
import { useShownCards } from './use-shown-cards.ts';

/** Skeleton cards while a list loads. */
const SKELETON_CARDS = 6;

type ResultsProps = {
  list: AgentList;
  params: BrowseParams;
  CardAction?: CardAction | undefined;
};

/** The agents of a list as cards or rows, and the button that shows more of them. */
export function Results({ list, params, CardAction }: ResultsProps) {
  const { agents, error, retry } = list;
  const { categories } = useSiteConfig();
  const path = toBrowsePath(params);
  const cards = useShownCards(list, params);
  const { grid, shown, areAllShown } = cards;
  const isOffline = useIsOffline();
  const cachedMatches = useCachedMatches(params, isOffline && agents === undefined);
  const visible = agents ? shown : cachedMatches;
  const divider = findDivider(list, params);
  const isRows = params.view === 'rows';
  const backTo = { path, label: describeWayBack(params, categories) };

  return (
    <div role="group" aria-label="Agents" tabIndex={-1}>
      {isOffline && visible.length > 0 && (
        <p className={classes.notice}>You are offline. These agents were loaded before; there may be others.</p>
      )}
      {(isPart(params) || (params.sort === 'name' && list.total > LONG_LIST)) && (
        <LazyBoundary load={lazyPageLinks.load} fallback={null} failure={null}>
          <lazyPageLinks.Component list={list} params={params} shown={shown} />
        </LazyBoundary>
      )}
      {visible.length > 0 && (
        <div ref={grid}>
          {/* A boundary: where a proxy has changed a text, React renders these agents anew and nothing else. */}
          <Suspense>
            <Agents agents={visible} backTo={backTo} divider={divider} isRows={isRows} CardAction={CardAction} />
          </Suspense>
        </div>
      )}
      {/* Takes the place of the agents at once, so that nothing moves when they arrive. */}
      {cards.awaited > 0 && <Skeletons count={cards.awaited} isRows={isRows} />}
      {!agents && cachedMatches.length === 0 && (
        <AsyncState key={path} error={error} errorMessage="The agents could not be loaded." retry={retry}>
          <Skeletons count={SKELETON_CARDS} isRows={isRows} />
        </AsyncState>
      )}
      {/* The same element for every list: a live region announces changes of its text only. */}
      <Text role="status" className={agents ? classes.line : classes.hidden} data-alone={agents?.length === 0}>
        {describe(list, shown.length, areAllShown, params)}
      </Text>
      {agents && list.total === 0 && (
        <LazyBoundary load={lazyEmptyState.load} fallback={null} failure={null}>
          <lazyEmptyState.Component params={params} />
        </LazyBoundary>
      )}
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
      {list.position + shown.length - 1 > LONG_LIST && (
        <LazyBoundary load={lazyJumpLinks.load} fallback={null} failure={null}>
          <lazyJumpLinks.Component list={list} params={params} shown={shown} />
        </LazyBoundary>
      )}
    </div>
  );
}

type AgentsProps = {
  agents: readonly ListedAgent[];
  backTo: BackLink;
  divider: Divider | undefined;
  isRows: boolean;
  CardAction: CardAction | undefined;
};

function Agents({ agents, backTo, divider, isRows, CardAction }: AgentsProps) {
  if (isRows) {
    return (
      <LazyBoundary
        load={lazyAgentRows.load}
        fallback={<Skeletons count={agents.length} isRows />}
        failure="The rows could not be loaded."
      >
        <lazyAgentRows.Component agents={agents} backTo={backTo} divider={divider} CardAction={CardAction} />
      </LazyBoundary>
    );
  }
  return (
    <ul className={classes.grid}>
      {agents.map((agent, index) => (
        <Fragment key={agent.id}>
          {index === divider?.index && (
            <li className={classes.divider}>
              <h3>{divider.text}</h3>
            </li>
          )}
          <li>
            <AgentCard agent={agent} backTo={backTo} CardAction={CardAction} />
          </li>
        </Fragment>
      ))}
    </ul>
  );
}

function Skeletons({ count, isRows }: { count: number; isRows: boolean }) {
  return (
    <div className={isRows ? classes.rows : classes.grid} aria-busy>
      {Array.from({ length: count }, (_, index) =>
        isRows ? <Skeleton key={index} data-testid="skeleton-card" height="3.5rem" /> : <SkeletonCard key={index} />,
      )}
    </div>
  );
}

/** The text before the first agent that has only some words of the search, and its index; a sorted list mixes them with the others. */
function findDivider({ agents, full, total, position }: AgentList, { sort }: BrowseParams): Divider | undefined {
  if (!agents || full === undefined || full >= total || sort) return undefined;
  const text =
    full === 0
      ? 'No agent has all of these words. These have some.'
      : 'The following agents have only some of these words.';
  return { index: Math.max(0, full - position + 1), text };
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
