import { CARDS_PER_PAGE, formatCount, SKELETON_CARDS } from '@agent-registry/contracts';
import { Anchor, Button, Loader, Text } from '@mantine/core';
import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type FormEvent } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { AgentList } from '../../agent-list.ts';
import { toBrowsePath, type Browsing } from '../../browsing.ts';
import { focusAround } from '../../components/focus-around.ts';
import { Reading } from '../../components/Reading.tsx';
import { usePlaceMemory } from '../../layout/place-memory.ts';
import { stayingInPlace } from '../../layout/use-page-scroll.ts';
import { describeNoAnswer } from '../../no-answer.ts';
import { LATE, useIsLate } from '../../use-is-late.ts';
import { AgentCard } from './AgentCard.tsx';
import classes from './Results.module.css';
import { SkeletonCard } from './SkeletonCard.tsx';

type ResultsProps = {
  list: AgentList;
  browsing: Browsing;
};

/** How many more cards are drawn at a time: so many that no frame takes long on a slow phone. */
const CARDS_PER_FRAME = 2;

/** How much of a list is shown. */
type View = {
  /** The address of the list. */
  place: string;
  /** How many cards may be shown. */
  limit: number;
  /** How many of these are drawn so far. */
  drawn: number;
  /** How many could be when the list was opened: more than the first where it was left so. */
  limitAtFirst: number;
  /** Whether more of the list is being read. */
  isBusy: boolean;
  /** How often that has failed since it last went well. */
  failures: number;
};

/** The agents that match, twelve at first and twelve more at each press of the button. */
export function Results({ list, browsing }: ResultsProps) {
  const { agents, hasMore, error, tryAgain, readMore } = list;
  const { category, text, after } = browsing;
  const memory = usePlaceMemory();
  const location = useLocation();
  const place = toBrowsePath(browsing);
  const begin = () => {
    const limit = memory.readPlace(location).cardsShown ?? CARDS_PER_PAGE;
    return { place, limit, drawn: limit, limitAtFirst: limit, isBusy: false, failures: 0 };
  };
  const [view, setView] = useState<View>(begin);
  // Not another component for another list: a live region that has come with its text is not read out.
  if (view.place !== place) setView(begin());
  const { limit, drawn, limitAtFirst, isBusy, failures } = view;
  const change = (changes: Partial<View>) => setView((now) => (now.place === place ? { ...now, ...changes } : now));
  const isLate = useIsLate(isBusy);
  const grid = useRef<HTMLUListElement>(null);
  const more = useRef<HTMLDivElement>(null);
  const request = useRef<{ place: string; firstNew: number; from: Element | null }>(undefined);
  const shown = agents?.slice(0, limit) ?? [];
  const areAllShown = shown.length === agents?.length && !hasMore;

  useEffect(() => {
    memory.keepPlace(location, { cardsShown: limit });
  }, [memory, location, limit]);

  // A page that is loaded again has no more than its first cards.
  const readSoFar = agents?.length;
  const hasFailed = failures > 0;
  const readOn = useEffectEvent(() => readMore().then((couldRead) => change({ failures: couldRead ? 0 : 1 })));
  useEffect(() => {
    if (readSoFar !== undefined && readSoFar < limitAtFirst && hasMore && !hasFailed) void readOn();
  }, [readSoFar, limitAtFirst, hasMore, hasFailed]);

  // At once with the cards: nobody sees them without.
  useLayoutEffect(() => {
    const firstNew = grid.current?.children[request.current?.firstNew ?? -1];
    if (!request.current || !firstNew) return;
    // Whoever asked for more goes on reading at the first card that came, unless busy elsewhere by now.
    const hasStayed = [request.current.from, document.body].includes(document.activeElement);
    if (hasStayed && request.current.place === place) firstNew.querySelector('a')?.focus({ preventScroll: true });
    request.current = undefined;
  });

  const showMore = async () => {
    if (areAllShown || isBusy) return;
    request.current = { place, firstNew: shown.length, from: document.activeElement };
    if (shown.length === agents?.length) {
      change({ isBusy: true });
      const couldRead = await readMore();
      change({ isBusy: false, failures: couldRead ? 0 : failures + 1 });
      if (!couldRead) return;
    }
    change({ limit: Math.max(limit, shown.length + CARDS_PER_PAGE) });
  };

  const drawMore = useEffectEvent(() =>
    startTransition(() => change({ drawn: Math.min(drawn + CARDS_PER_FRAME, limit) })),
  );
  useEffect(() => {
    if (drawn >= limit) return;
    const next = requestAnimationFrame(() => drawMore());
    return () => cancelAnimationFrame(next);
  }, [drawn, limit]);

  // What failed is tried again as soon as the browser is online, where the visitor still waits for it.
  useEffect(() => {
    if (failures === 0) return;
    const goOn = () => {
      if (more.current?.contains(document.activeElement)) void showMore();
    };
    window.addEventListener('online', goOn);
    return () => window.removeEventListener('online', goOn);
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void showMore();
  };

  return (
    <div role="group" aria-label="Agents" tabIndex={-1} aria-busy={!agents && error === null}>
      {after && agents && agents.length > 0 && (
        <Text size="sm" mb="md">
          <Anchor
            component={Link}
            to={toBrowsePath({ category, text })}
            onClick={focusAround}
            {...stayingInPlace}
            size="sm"
          >
            Back to the first agents
          </Anchor>
        </Text>
      )}
      {shown.length > 0 && (
        <ul className={classes.grid} ref={grid}>
          {shown.slice(0, drawn).map((agent) => (
            <li key={agent.id}>
              <AgentCard agent={agent} />
            </li>
          ))}
        </ul>
      )}
      {!agents && (
        <Reading key={place} error={error} refusal="The agents could not be loaded." tryAgain={tryAgain}>
          <div className={classes.grid}>
            {Array.from({ length: SKELETON_CARDS }, (_, index) => (
              <SkeletonCard key={index} />
            ))}
          </div>
        </Reading>
      )}
      <Text role="status" className={agents ? classes.line : classes.unseen} data-alone={agents?.length === 0}>
        {describe(list, shown.length, areAllShown, category !== undefined || text !== '')}
      </Text>
      {shown.length > 0 && (
        <div ref={more} className={classes.more}>
          {(failures > 0 || isLate) && (
            <div role="alert" className={classes.failure}>
              {/* Another one at each failure, or it would be read out once. */}
              <Text key={failures} size="sm">
                {isLate ? LATE : navigator.onLine ? 'More agents could not be loaded.' : describeNoAnswer()}
              </Text>
              {!isLate && (
                <Button variant="default" size="xs" onClick={() => void showMore()}>
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
