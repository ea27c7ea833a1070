/** Longest time that the browser waits for the next page before the transition starts, in milliseconds. */
const MAX_WAIT = 300;

/**
 * Navigates with a view transition, in which the mark and the name of a card become those of the page; without one where
 * the browser has none or the visitor wants no motion.
 * @param navigate renders the page later, as React Router does
 */
export function travel(card: Element | null, navigate: () => void): void {
  const main = card?.closest('main');
  if (
    !card ||
    !main ||
    !('startViewTransition' in document) ||
    window.matchMedia('(prefers-reduced-motion: reduce)').matches
  ) {
    navigate();
    return;
  }
  card.setAttribute('data-travels', '');
  const transition = document.startViewTransition(() => {
    const isRendered = waitForChange(main);
    navigate();
    return isRendered;
  });
  // The page of an agent can be left before its transition has ended.
  transition.finished.finally(() => card.removeAttribute('data-travels')).catch(() => {});
  transition.ready.catch(() => {});
}

/** Resolves when another page is in an element. */
function waitForChange(element: Element): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const observer = new MutationObserver(() => resolve());
  observer.observe(element, { childList: true });
  const timer = window.setTimeout(resolve, MAX_WAIT);
  return promise.finally(() => {
    observer.disconnect();
    window.clearTimeout(timer);
  });
}
