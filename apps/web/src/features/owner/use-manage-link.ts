import { readManagementKey, type Agent } from '@agent-registry/contracts';
import { useEffect } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';
import type { LocationState } from '../../navigation/location-state.ts';

/** Moves the management key of a link to an agent from the address and the history entry into this browser's storage. */
export function useManageLink(id: string, agent: Agent | null | undefined): void {
  const { pathname, search, hash, state } = useLocation();
  const navigate = useNavigate();
  const name = agent?.name;
  const own = useOwnAgent(id);
  useEffect(() => {
    const key = hash.startsWith('#manage=') ? readManagementKey(hash) : undefined;
    if (key === undefined) return;
    keepKey({ ...own, id, name: name ?? own?.name ?? 'Your agent', key });
    const kept: LocationState = { ...(state as LocationState | null), keepScroll: true };
    void navigate({ pathname, search }, { replace: true, state: kept });
  }, [id, name, own, pathname, search, hash, state, navigate]);

  useEffect(() => {
    const isStale = own && (own.name !== name || own.isHeld);
    if (isStale && name !== undefined) keepKey({ id, name, key: own.key });
  }, [id, own, name]);
}
