import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router-dom';
import { readLocationState, type LocationState } from './location-state.ts';

const STORAGE_KEY = 'agent-registry.scroll-positions';

/** How far a page was scrolled and how tall it was, in CSS pixels. */
type ScrollPosition = { top: number; pageHeight: number };

/**
 * Gives the first history entry of a visit a key of its own and no state; call it before the router is created.
 * React Router calls every entry that it did not create "default", so that two visits would share a scroll position.
 */
export function initHistoryEntry(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const { key, usr } = (window.history.state ?? {}) as { key?: string; usr?: LocationState | null };
  const isRevisit = key !== undefined && navigation?.type !== 'navigate';
  if (isRevisit && !usr?.start) return;
  // The server has rendered the page of the list that is in the URL: it comes into view.
  const state: LocationState | undefined = isRevisit ? { toResults: true } : undefined;
  window.history.replaceState({ key: Math.random().toString(36).slice(2), usr: state }, '');
}

/**
 * Scroll restoration and focus management. Back, forward and reload restore the scroll position; other navigation scrolls
 * to the section in the hash, smoothly within a page, else to the top. A new page gets the focus, or the link that led
 * away from it. React Router's own component neither scrolls smoothly nor waits for cards that are still loading.
 */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const location = useLocation();
  const isBackOrForward = useNavigationType() === NavigationType.Pop;
  const [positions] = useState(readPositions);
  const current = useRef<Location>(undefined);
  const stopScrolling = useRef(() => {});

  useLayoutEffect(() => {
    const previous = current.current;
    if (previous === location) return;
    current.current = location;
    stopScrolling.current();
    const position = isBackOrForward ? positions.get(location.key) : undefined;
    const section = location.hash ? document.getElementById(location.hash.slice(1)) : null;
    const isNewPage = location.pathname !== previous?.pathname;
    const isLoading = () => main.current?.querySelector('[aria-busy=true]') != null;

    if (position) {
      // After a reload the browser has restored the position as far as it could, and the visitor may have scrolled since.
      if (previous || isNearRestored(position)) stopScrolling.current = repeatOnResize(() => restore(position));
      if (previous && isNewPage) {
        const link = main.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(previous.pathname)}"]`);
        (link ?? main.current)?.focus({ preventScroll: true });
      }
    } else if (readLocationState(location).keepScroll) {
      // The page stays where it is.
    } else if (readLocationState(location).toResults) {
      if (previous && isNewPage) {
        window.scrollTo({ top: 0, behavior: 'instant' });
        main.current?.focus({ preventScroll: true });
      }
      showResults();
    } else if (section) {
      const behavior = isNewPage || prefersReducedMotion() ? 'instant' : 'smooth';
      // The browser has scrolled to the hash of the first URL, but not past a list that is still loading.
      if (previous || isLoading()) {
        stopScrolling.current = repeatOnResize(() => {
          section.scrollIntoView({ behavior });
          return !isLoading();
        });
      }
      if (previous || document.activeElement === document.body) section.focus({ preventScroll: true });
    } else if (previous) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      if (isNewPage) main.current?.focus({ preventScroll: true });
    }
    if (!position) positions.set(location.key, readPosition());
  }, [main, positions, location, isBackOrForward]);

  useEffect(() => {
    const { signal, abort } = createListenerScope();
    const savePosition = () => current.current && positions.set(current.current.key, readPosition());
    const handleVisibility = () => {
      // While the scripts of a reloaded page are not there, the browser restores the position.
      window.history.scrollRestoration = document.hidden ? 'auto' : 'manual';
      if (document.hidden) writePositions(positions);
    };
    handleVisibility();
    // A click can navigate before the scroll event of its frame.
    for (const type of ['scroll', 'click']) {
      window.addEventListener(type, savePosition, { signal, capture: true, passive: true });
    }
    document.addEventListener('visibilitychange', handleVisibility, { signal });
    return abort;
  }, [positions]);
}

/** Scrolls to the results, unless their beginning is in the upper part of the screen. */
function showResults(): void {
  const results = document.getElementById('results');
  if (!results) return;
  const { top } = results.getBoundingClientRect();
  if (top < 0) results.scrollIntoView({ behavior: 'instant' });
  else if (top > window.innerHeight * 0.7) document.getElementById('browse')?.scrollIntoView({ behavior: 'instant' });
}

function prefersReducedMotion(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
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
function isNearRestored({ top }: ScrollPosition): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return [top, scrollHeight - clientHeight, 0].some((y) => Math.abs(window.scrollY - y) < clientHeight / 2);
}

/**
 * Scrolls now and whenever the height of the page changes, until that is done or the visitor acts.
 * @param scroll returns whether it is done
 * @returns stops it
 */
function repeatOnResize(scroll: () => boolean): () => void {
  const { signal, abort } = createListenerScope();
  if (scroll()) return abort;
  const observer = new ResizeObserver(() => scroll() && abort());
  observer.observe(document.body);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    window.addEventListener(type, abort, { signal, passive: true });
  }
  return abort;
}

function createListenerScope(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

function readPositions(): Map<string, ScrollPosition> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '[]') as [string, ScrollPosition][]);
  } catch {
    // No storage, or no browser.
    return new Map();
  }
}

function writePositions(positions: ReadonlyMap<string, ScrollPosition>): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify([...positions]));
  } catch {
    // Without storage, a reloaded page starts at the top.
  }
}
