import {
  CARDS_PER_PAGE,
  formatCount,
  getCategory,
  isFiltered,
  isNarrowed,
  SOME_WORDS,
  toBrowseFields,
  toFirstPage,
  type BrowseParams,
  type Category,
  type ListedAgent,
} from '@agent-registry/contracts';
import { Button, Loader, Skeleton, Stack, Text } from '@mantine/core';
import {
  Fragment,
  startTransition,
  Suspense,
  useLayoutEffect,
  useOptimistic,
  useRef,
  type SyntheticEvent,
} from 'react';
import { describeNetworkError, isOffline } from '../../api/trpc.ts';
import { SLOW_REQUEST, useSlowRequest, AsyncState } from '../../components/AsyncState.tsx';
import { AgentCard } from '../../components/AgentCard.tsx';
import cardClasses from '../../components/AgentCard.module.css';
import { createLazyComponent } from '../../components/lazy-component.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import type { BackLink } from '../../navigation/location-state.ts';
import classes from './Results.module.css';
import type { List } from './use-list.ts';

export const lazyAgentRows = createLazyComponent(async () => (await import('./AgentRows.tsx')).AgentRows);
export const lazyEmptyState = createLazyComponent(async () => (await import('./EmptyState.tsx')).EmptyState);
export const lazyPageLinks = createLazyComponent(async () => (await import('./PageLinks.tsx')).PageLinks);

const SKELETON_CARDS = 6;

export function Results({ list }: { list: List }) {
  const { params, path, agents, shown, total, awaited, error, retry } = list;
  const { categories } = useSiteConfig();
  const { grid, focusNext } = useFocusOfNewCard(path);
  const isRows = params.view === 'rows';
  const backTo = { path, label: describeWayBack(params, categories) };
  const agentsProps: AgentsProps = { agents: shown, backTo, divider: findDivider(list) };
  return (
    <div role="group" aria-label="Agents" tabIndex={-1}>
      {list.isPart && total > 0 && <lazyPageLinks.Component list={list} />}
      {shown.length > 0 && (
        <div ref={grid}>
          {/* A boundary: where a proxy has changed a text, React renders these agents anew and nothing else. */}
          <Suspense>
            {isRows ? (
              <lazyAgentRows.Component
                {...agentsProps}
                fallback={<Skeletons count={shown.length} isRows />}
                failure="The rows could not be loaded."
              />
            ) : (
              <Cards {...agentsProps} />
            )}
          </Suspense>
        </div>
      )}
      {/* Takes the place of the agents at once, so that nothing moves when they arrive. */}
      {awaited > 0 && <Skeletons count={awaited} isRows={isRows} />}
      {!agents && (
        <AsyncState key={path} error={error} errorMessage="The agents could not be loaded." retry={retry}>
          <Skeletons count={SKELETON_CARDS} isRows={isRows} />
        </AsyncState>
      )}
      {/* The same element for every list: a live region announces changes of its text only. */}
      <Text role="status" className={agents ? classes.line : 'visually-hidden'} data-alone={agents?.length === 0}>
        {describe(list)}
      </Text>
      {agents && total === 0 && (
        <>
          <lazyEmptyState.Component params={params} />
          {list.newest.length > 0 && (
            <Cards agents={list.newest} backTo={backTo} divider={0} label="The newest agents" />
          )}
        </>
      )}
      {shown.length > 0 && <LoadMore key={path} list={list} onMore={() => focusNext(shown.length)} />}
    </div>
  );
}

export function describeWayBack({ category, text, ...filters }: BrowseParams, categories: readonly Category[]): string {
  if (category) return `Back to ${getCategory(categories, category).name}`;
  if (text) return `Back to results for ‘${text}’`;
  return isFiltered(filters) ? 'Back to results' : 'All agents';
}

type AgentsProps = { agents: readonly ListedAgent[]; backTo: BackLink; divider: number | undefined; label?: string };

function Cards({ agents, backTo, divider, label = SOME_WORDS }: AgentsProps) {
  return (
    <ul className="cards">
      {agents.map((agent, index) => (
        <Fragment key={agent.id}>
          {index === divider && (
            <li className={classes.divider}>
              <h3>{label}</h3>
            </li>
          )}
          <li>
            <AgentCard agent={agent} backTo={backTo} />
          </li>
        </Fragment>
      ))}
    </ul>
  );
}

function Skeletons({ count, isRows }: { count: number; isRows: boolean }) {
  return (
    <div className={isRows ? classes.rows : 'cards'} aria-busy>
      {Array.from({ length: count }, (_, index) =>
        isRows ? <Skeleton key={index} data-testid="skeleton-card" height="3.5rem" /> : <SkeletonCard key={index} />,
      )}
    </div>
  );
}

function SkeletonCard() {
  return (
    <div className={`${cardClasses.card} ${cardClasses.skeleton}`} data-testid="skeleton-card" aria-hidden>
      <div>
        <div className={cardClasses.head}>
          <Skeleton height={48} width={48} radius="xl" />
          <div className={cardClasses.heading}>
            <Skeleton height={18} width="70%" mb="xxs" />
            <Skeleton height={36} width="50%" />
          </div>
        </div>
        <Skeleton height={66} />
      </div>
      <Skeleton height={24} width="60%" />
      <Skeleton height={18} />
    </div>
  );
}

/** The index of the first agent that has only some words of the search. */
function findDivider({ agents, full, total, position, params }: List): number | undefined {
  // The count says so where all of them are such; a sorted list mixes them with the others.
  if (!agents || !full || full >= total || params.sort) return undefined;
  return Math.max(0, full - position + 1);
}

function describe({ params, agents, total, totalBound, position, end, areAllShown, error }: List): string {
  if (!agents) return error === null ? 'Loading agents…' : '';
  if (total > 0 && agents.length === 0) return 'The list ends before this page.';
  if (agents.length === 0) {
    return isNarrowed(params) ? 'No agents found matching your criteria.' : 'No agents available.';
  }
  const all = formatCount(total, totalBound);
  if (position > 1) return `Showing ${formatCount(position)}–${formatCount(end)} of ${all} agents`;
  if (!areAllShown) return `Showing ${formatCount(end)} of ${all} agents`;
  return end === 1 ? 'The only agent is shown.' : `All ${formatCount(end)} agents are shown.`;
}

function LoadMore({ list, onMore }: { list: List; onMore: () => void }) {
  const { params, next, areAllShown, isLoading, moreError: error, showMore } = list;
  const shown = list.shown.length;
  const isSlow = useSlowRequest(isLoading);
  // With the cards that are being rendered, so that each of several quick presses shows more.
  const [requested, setRequested] = useOptimistic(shown);
  const isBusy = isLoading || requested > shown;
  const loadMore = (event: SyntheticEvent) => {
    event.preventDefault();
    const count = requested + CARDS_PER_PAGE;
    startTransition(() => setRequested(count));
    if (showMore(count)) onMore();
  };
  return (
    <div className={classes.more}>
      {(error !== null || isSlow) && (
        <Stack role="alert" align="center" gap="sm">
          <Text size="sm">{describeFailure(error, isLoading, isSlow)}</Text>
          {!isSlow && (
            <Button variant="default" size="xs" onClick={loadMore}>
              Try again
            </Button>
          )}
        </Stack>
      )}
      <form action="/#results" onSubmit={loadMore}>
        {/* Without scripts, it leads to a page that starts after the last card. */}
        {toBrowseFields({ ...toFirstPage(params), after: areAllShown ? params.after : next }).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        {/* aria-disabled, because a disabled button loses the focus. */}
        <Button
          type="submit"
          variant="default"
          size="md"
          aria-busy={isBusy}
          aria-disabled={isLoading || areAllShown}
          leftSection={isBusy && <Loader size="xs" />}
        >
          Load More Agents
        </Button>
      </form>
    </div>
  );
}

function describeFailure(error: unknown, isLoading: boolean, isSlow: boolean): string {
  if (isSlow) return SLOW_REQUEST;
  if (isLoading) return 'Loading agents…';
  return isOffline(error) ? describeNetworkError() : 'More agents could not be loaded.';
}

/** Moves the focus to the card or row at an index of a list, once it is there. */
function useFocusOfNewCard(path: string) {
  const grid = useRef<HTMLDivElement>(null);
  const focusRequest = useRef<{ path: string; index: number; from: Element | null }>(undefined);
  useLayoutEffect(() => {
    const request = focusRequest.current;
    const firstNewCard = request && grid.current?.querySelectorAll('article, th[scope=row]')[request.index];
    if (!firstNewCard) return;
    focusRequest.current = undefined;
    // The focus stays with a visitor who has moved on meanwhile.
    const hasStayed = [request.from, document.body].includes(document.activeElement);
    if (hasStayed && request.path === path) firstNewCard.querySelector('a')?.focus({ preventScroll: true });
  });
  const focusNext = (index: number) => {
    focusRequest.current = { path, index, from: document.activeElement };
  };
  return { grid, focusNext };
}
