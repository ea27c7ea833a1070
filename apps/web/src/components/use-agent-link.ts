import { toAgentPath, type ListedAgent } from '@agent-registry/contracts';
import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import type { BackLink, LocationState } from '../navigation/location-state.ts';
import { travel } from '../navigation/travel.ts';

/**
 * The properties of a link in a list that leads to the page of an agent, with a view transition of the card or row around it.
 * @param backTo the list, to which the page links back
 */
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
