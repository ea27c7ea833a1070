import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router-dom';
import { readStored, writeStored } from '../lib/storage.ts';
import { readLocationState } from './location-state.ts';

type ScrollPosition = { top: number; pageHeight: number };

type ScrollTarget =
  | { to: 'stay' }
  | { to: 'top' }
  /** The results, unless they are in view; on a new page as seen from its top. */
  | { to: 'results'; fromTop: boolean }
  /** The element in the hash. On the first page the browser has scrolled there, unless the page is still loading. */
  | { to: 'hash'; isSmooth: boolean; onlyIfLoading: boolean }
  /** On the first page the browser has restored the position, and the visitor may have scrolled since. */
  | { to: 'position'; position: ScrollPosition; onlyIfNear: boolean };

/** What a navigation focuses: nothing, the page, its heading, the element in the hash, or the link to a path, else the page. */
type FocusTarget = 'stay' | 'page' | 'heading' | 'hash' | { linkTo: string };

export type Place = Pick<Location, 'pathname' | 'search' | 'hash' | 'state'>;

const STORAGE_KEY = 'agent-registry.scroll-positions';

/** Scroll restoration and focus. React Router does not wait for cards that load, and does not scroll smoothly. */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const location = useLocation();
  const isBackOrForward = useNavigationType() === NavigationType.Pop;
  const [positions] = useState(
    () => readStored(STORAGE_KEY, parsePositions, 'sessionStorage') ?? new Map<string, ScrollPosition>(),
  );
  const current = useRef<Location>(undefined);
  const stopScrolling = useRef(() => {});

  useLayoutEffect(() => {
    const previous = current.current;
    if (previous === location) return;
    current.current = location;
    stopScrolling.current();
    const position = isBackOrForward ? positions.get(location.key) : undefined;
    const arrive = () => {
      const target = document.getElementById(location.hash.slice(1));
      const { scroll, focus } = decideScroll(target ? location : { ...location, hash: '' }, previous, position);
      stopScrolling.current = startScrolling(scroll, target, main.current);
      // On the first page, the visitor may have focused a field before the scripts ran.
      if (previous || document.activeElement === document.body) {
        findFocused(focus, target, main.current)?.focus({ preventScroll: true });
      }
    };
    arrive();
    if (!position) positions.set(location.key, readPosition());
    if (location.hash === '' || document.getElementById(location.hash.slice(1)) || !main.current) return;
    // The code of the page may still be loading.
    const page = new MutationObserver(() => {
      if (!document.getElementById(location.hash.slice(1))) return;
      page.disconnect();
      if (current.current === location) arrive();
    });
    page.observe(main.current, { childList: true, subtree: true });
  }, [main, positions, location, isBackOrForward]);

  useEffect(() => {
    const listeners = new AbortController();
    const { signal } = listeners;
    const savePosition = () => current.current && positions.set(current.current.key, readPosition());
    const handleVisibility = () => {
      // While the scripts of a reloaded page are not there, the browser restores the position.
      window.history.scrollRestoration = document.hidden ? 'auto' : 'manual';
      if (document.hidden) writeStored(STORAGE_KEY, [...positions], 'sessionStorage');
    };
    handleVisibility();
    // A click can navigate before the scroll event of its frame.
    for (const type of ['scroll', 'click']) {
      window.addEventListener(type, savePosition, { signal, capture: true, passive: true });
    }
    document.addEventListener('visibilitychange', handleVisibility, { signal });
    return () => listeners.abort();
  }, [positions]);
}

function findFocused(focus: FocusTarget, hashTarget: HTMLElement | null, main: HTMLElement | null): HTMLElement | null {
  if (focus === 'stay') return null;
  if (focus === 'page') return main;
  if (focus === 'hash') return hashTarget;
  if (focus === 'heading') {
    const heading = main?.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    return heading ?? main;
  }
  return main?.querySelector<HTMLElement>(`a[href="${CSS.escape(focus.linkTo)}"]`) ?? main;
}

/** Scrolls to a target, again as the page grows. @returns stops it */
function startScrolling(target: ScrollTarget, hashTarget: HTMLElement | null, main: HTMLElement | null): () => void {
  const isLoading = () => main?.querySelector('[aria-busy=true]') != null;
  switch (target.to) {
    case 'stay':
      break;
    case 'top':
      window.scrollTo({ top: 0, behavior: 'instant' });
      break;
    case 'results':
      if (target.fromTop) window.scrollTo({ top: 0, behavior: 'instant' });
      showResults();
      break;
    case 'hash':
      if (target.onlyIfLoading && !isLoading()) break;
      return repeatOnResize(() => {
        const isSmooth = target.isSmooth && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
        hashTarget?.scrollIntoView({ behavior: isSmooth ? 'smooth' : 'instant' });
        return !isLoading();
      });
    case 'position':
      if (target.onlyIfNear && !isNear(target.position)) break;
      return repeatOnResize(() => restore(target.position));
  }
  return () => {};
}

/** Scrolls to the results, unless their beginning is in the upper part of the screen. */
function showResults(): void {
  const results = document.getElementById('results');
  if (!results) return;
  const { top } = results.getBoundingClientRect();
  if (top < 0) results.scrollIntoView({ behavior: 'instant' });
  else if (top > window.innerHeight * 0.7) document.getElementById('browse')?.scrollIntoView({ behavior: 'instant' });
}

function readPosition(): ScrollPosition {
  return { top: window.scrollY, pageHeight: document.documentElement.scrollHeight };
}

/** @returns whether the page was tall enough */
function restore({ top, pageHeight }: ScrollPosition): boolean {
  window.scrollTo({ top, behavior: 'instant' });
  return document.documentElement.scrollHeight >= pageHeight && Math.abs(window.scrollY - top) < 1;
}

/** Whether the page is within half a screen of a position, or of the end or the top where the browser could not restore it. */
function isNear({ top }: ScrollPosition): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return [top, scrollHeight - clientHeight, 0].some((y) => Math.abs(window.scrollY - y) < clientHeight / 2);
}

/** Scrolls now and as the height of the page changes, until that is done or the visitor acts. @returns stops it */
function repeatOnResize(scroll: () => boolean): () => void {
  if (scroll()) return () => {};
  const observer = new ResizeObserver(() => scroll() && stop());
  const listeners = new AbortController();
  const stop = () => {
    observer.disconnect();
    listeners.abort();
  };
  observer.observe(document.body);
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    window.addEventListener(type, stop, { signal: listeners.signal, passive: true });
  }
  return stop;
}

function parsePositions(json: unknown): Map<string, ScrollPosition> {
  const entries = json as [string, Partial<ScrollPosition>][];
  return new Map(
    entries.filter((entry): entry is [string, ScrollPosition] =>
      [entry[1].top, entry[1].pageHeight].every((length) => typeof length === 'number'),
    ),
  );
}

/**
 * @param location its hash is empty if the page has no such element
 * @param previous undefined on the first page of a visit
 * @param position of a history entry that back, forward or reload returns to
 */
export function decideScroll(
  location: Place,
  previous: Place | undefined,
  position: ScrollPosition | undefined,
): { scroll: ScrollTarget; focus: FocusTarget } {
  const isFirstPage = previous === undefined;
  const isNewPage = previous !== undefined && toPage(previous) !== toPage(location);
  const { keepScroll, toHeading, toResults } = readLocationState(location);
  if (position) {
    return {
      scroll: { to: 'position', position, onlyIfNear: isFirstPage },
      focus: isNewPage ? { linkTo: toPage(previous) } : 'stay',
    };
  }
  if (keepScroll) return { scroll: { to: 'stay' }, focus: 'stay' };
  if (toHeading) return { scroll: { to: 'top' }, focus: 'heading' };
  const focus = isNewPage ? 'page' : 'stay';
  if (toResults) return { scroll: { to: 'results', fromTop: isNewPage }, focus };
  if (location.hash) {
    return { scroll: { to: 'hash', isSmooth: !isFirstPage && !isNewPage, onlyIfLoading: isFirstPage }, focus: 'hash' };
  }
  return { scroll: { to: isFirstPage ? 'stay' : 'top' }, focus };
}

/** The page of a place: all lists are on the home page, and each form of an agent is a page of its own. */
function toPage({ pathname, search }: Place): string {
  return pathname === '/' ? pathname : pathname + search;
}
