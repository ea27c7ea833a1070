import { useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/**
 * Moves focus to the section that the address names, and goes there again once the page has its height, where it had
 * not when it was opened. The first way there, and the way back to where the visitor was, are the router's.
 */
export function useSectionScroll(isSettled: boolean): void {
  const { hash, key } = useLocation();
  const isGoingBack = useNavigationType() === NavigationType.Pop && !isFirstVisit(key);
  const unsettledKey = useRef<string>(undefined);

  useEffect(() => {
    endSmoothScroll();
    const section = hash && !isGoingBack ? document.getElementById(hash.slice(1)) : null;
    if (!section) return;
    if (!isSettled) unsettledKey.current = key;
    else if (unsettledKey.current === key) section.scrollIntoView();
    section.focus({ preventScroll: true });
  }, [hash, key, isGoingBack, isSettled]);
}

/** Lets the router's next scrolling on this page be seen, where the visitor has nothing against motion. */
export function beginSmoothScroll(): void {
  document.documentElement.dataset['scroll'] = 'smooth';
}

function endSmoothScroll(): void {
  delete document.documentElement.dataset['scroll'];
}

// The router calls the first place in the history "default"; a reload has it too, but is no first visit.
function isFirstVisit(key: string): boolean {
  if (key !== 'default') return false;
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return navigation?.type === 'navigate';
}
