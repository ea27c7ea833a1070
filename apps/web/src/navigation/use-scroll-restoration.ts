import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router-dom';
import { usePlaceMemory, type View } from './history-entries.ts';

/** What a link or a call of `navigate` takes along to leave the page where it is scrolled to. */
export const keepScroll = { state: { staysInPlace: true } };

/**
 * Scrolls and moves the focus as the visitor goes from place to place: to the top and to the content of a new page, to the
 * section that the address names, and back to where a place was left and to the link by which it was.
 */
export function useScrollRestoration(main: RefObject<HTMLElement | null>): void {
  const memory = usePlaceMemory();
  const location = useLocation();
  const isWayBack = useNavigationType() === NavigationType.Pop;
  const shown = useRef<Location>(undefined);
  const stop = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    const { pathname, hash } = location;
    const before = shown.current;
    if (before === location) return;
    shown.current = location;
    stop.current?.();
    const { view } = memory.readPlace(location);
    const section = hash ? document.getElementById(hash.slice(1)) : null;
    const isNewPage = pathname !== before?.pathname;
    const isBusy = () => main.current?.querySelector('[aria-busy=true]') != null;
    const goTo = (view: View) => () => {
      window.scrollTo({ top: view.top, behavior: 'instant' });
      return Math.abs(window.scrollY - view.top) < 1 && document.documentElement.scrollHeight >= view.height;
    };
    const goToSection = (behavior: ScrollBehavior) => () => {
      section?.scrollIntoView({ behavior });
      return !isBusy();
    };

    if (!before) {
      // The browser has gone there as far as it could, unless the visitor has gone elsewhere since.
      if (view) {
        if (isWhereTheBrowserLeftIt(view)) stop.current = untilDone(goTo(view));
      } else if (section) {
        if (isBusy()) stop.current = untilDone(goToSection('instant'));
        if (document.activeElement === document.body) section.focus({ preventScroll: true });
      }
    } else if (isWayBack && view) {
      stop.current = untilDone(goTo(view));
      if (isNewPage) {
        const link = main.current?.querySelector<HTMLElement>(`a[href="${CSS.escape(before.pathname)}"]`);
        (link ?? main.current)?.focus({ preventScroll: true });
      }
    } else if (section) {
      stop.current = untilDone(goToSection(isNewPage || isMotionUnwanted() ? 'instant' : 'smooth'));
      section.focus({ preventScroll: true });
    } else if (!isStaying(location)) {
      window.scrollTo({ top: 0, behavior: 'instant' });
      if (isNewPage) main.current?.focus({ preventScroll: true });
    }
    if (!view) memory.keepPlace(location, { view: readView() });
  }, [main, memory, location, isWayBack]);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const keep = () => shown.current && memory.keepPlace(shown.current, { view: readView() });
    // A page that is loaded again is brought back by the browser, which does it before the scripts run.
    const leave = () => {
      memory.savePlaces();
      window.history.scrollRestoration = 'auto';
    };
    const stay = () => {
      window.history.scrollRestoration = 'manual';
    };
    stay();
    window.addEventListener('scroll', keep, { signal, passive: true });
    window.addEventListener('pagehide', leave, { signal });
    window.addEventListener('pageshow', stay, { signal });
    document.addEventListener('visibilitychange', () => (document.hidden ? leave() : stay()), { signal });
    return () => listening.abort();
  }, [memory]);
}

function isStaying({ state }: Location): boolean {
  return (state as Partial<(typeof keepScroll)['state']> | null)?.staysInPlace === true;
}

function isMotionUnwanted(): boolean {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}

function readView(): View {
  return { top: window.scrollY, height: document.documentElement.scrollHeight };
}

/** Whether the page is about where it was left, at its end, or at its beginning: lines may break elsewhere than before. */
function isWhereTheBrowserLeftIt(view: View): boolean {
  const { scrollHeight, clientHeight } = document.documentElement;
  return [view.top, scrollHeight - clientHeight, 0].some((top) => Math.abs(window.scrollY - top) < clientHeight / 2);
}

/**
 * Goes somewhere, and again whenever the page has changed its height, until it has been done or the visitor takes over.
 * @param go says whether it is done
 * @returns stops it
 */
function untilDone(go: () => boolean): () => void {
  const going = new AbortController();
  const stop = () => going.abort();
  if (go()) return stop;
  const observer = new ResizeObserver(() => go() && stop());
  observer.observe(document.body);
  going.signal.addEventListener('abort', () => observer.disconnect());
  for (const act of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    window.addEventListener(act, stop, { signal: going.signal, passive: true });
  }
  return stop;
}
