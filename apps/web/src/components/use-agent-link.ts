import { toAgentPath, type ListedAgent } from '@agent-registry/contracts';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { BackLink, LocationState } from '../navigation/location-state.ts';

/** Longest time that the browser waits for the next page before the transition starts, in milliseconds. */
const MAX_WAIT = 300;

/** The properties of a link in a list to the page of an agent, which links back, with a view transition. */
export function useAgentLink({ id }: Pick<ListedAgent, 'id'>, backTo: BackLink | undefined) {
  const navigate = useNavigate();
  const to = toAgentPath(id);
  const state: LocationState = { backTo };
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    // With one of these keys the browser opens the link elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    travel(event.currentTarget.closest('article, tr'), () => void navigate(to, { state }));
  };
  return { to, state, onClick };
}

function travel(card: Element | null, navigate: () => void): void {
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
