import { CARDS_PER_PAGE } from '@agent-registry/contracts';
import { startTransition, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation } from 'react-router-dom';
import type { AgentList } from '../../api/use-agent-list.ts';
import { usePlaceMemory } from '../../navigation/history-entries.ts';

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

/** How much is shown of the list at an address: twelve cards at first, and twelve more whenever more is asked for. */
export function useShownCards({ agents, hasMore, readMore }: AgentList, place: string) {
  const memory = usePlaceMemory();
  const location = useLocation();
  const begin = () => {
    const limit = memory.readPlace(location).cardsShown ?? CARDS_PER_PAGE;
    return { place, limit, drawn: limit, limitAtFirst: limit, isBusy: false, failures: 0 };
  };
  const [view, setView] = useState<View>(begin);
  // Not another component for another list: a live region that has come with its text is not read out.
  if (view.place !== place) setView(begin());
  const { limit, drawn, limitAtFirst, isBusy, failures } = view;
  const change = (changes: Partial<View>) => setView((now) => (now.place === place ? { ...now, ...changes } : now));
  const grid = useRef<HTMLUListElement>(null);
  const request = useRef<{ place: string; firstNew: number; from: Element | null }>(undefined);
  const presses = useRef(0);
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

  const canGoOn = !areAllShown && !isBusy;
  // So often as it was asked for; where the last time needs agents that are not there yet, they are read before.
  const goOn = async (times = 1) => {
    const atLast = shown.length + (times - 1) * CARDS_PER_PAGE;
    if (hasMore && atLast >= (agents?.length ?? 0)) {
      change({ isBusy: true });
      // That it reads is drawn before it begins to.
      await new Promise((resolve) => setTimeout(resolve));
      const couldRead = await readMore();
      change({ isBusy: false, failures: couldRead ? 0 : failures + 1 });
      if (!couldRead) return;
    }
    change({ limit: Math.max(limit, atLast + CARDS_PER_PAGE) });
  };

  // What failed is tried again as soon as the browser is online.
  useEffect(() => {
    if (!hasFailed || !canGoOn) return;
    const goOnOnline = () => void goOn();
    window.addEventListener('online', goOnOnline);
    return () => window.removeEventListener('online', goOnOnline);
  });

  // One card a frame, so that none takes long on a slow phone.
  const drawMore = useEffectEvent(() => startTransition(() => change({ drawn: drawn + 1 })));
  useEffect(() => {
    if (drawn >= limit) return;
    const draw = () => {
      // What is pressed stays where it is until it is let go, or the press would be lost.
      if (document.querySelector(':active')) next = requestAnimationFrame(draw);
      else drawMore();
    };
    let next = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(next);
  }, [drawn, limit]);

  return {
    /** The list of the cards, whose first new one is given the focus. */
    grid,
    /** The agents that are shown, and those of them whose cards are drawn so far. */
    shown,
    drawn: shown.slice(0, drawn),
    areAllShown,
    /** Whether more of the list is being read, and how often that has failed since it last went well. */
    isBusy,
    failures,
    /** Shows twelve more, which are read if need be; while that is under way, or where all are shown, it does nothing. */
    showMore: () => {
      if (!canGoOn) return;
      request.current = { place, firstNew: shown.length, from: document.activeElement };
      presses.current += 1;
      if (presses.current > 1) return;
      // In the next frame: on a slow phone the press itself, from the touch to the focus, takes most of its own.
      requestAnimationFrame(() =>
        setTimeout(() => {
          // At once, so that a press between this and the next frame goes on from here.
          flushSync(() => void goOn(presses.current));
          presses.current = 0;
        }),
      );
    },
  };
}
