import type { Agent } from '@agent-registry/contracts';
import { useEffect } from 'react';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';

/** Keeps name and category of an own agent as the page has them, and that the agent is listed. */
export function useOwnName(id: string, agent: Agent | null | undefined): void {
  const own = useOwnAgent(id);
  const { name, category } = agent ?? {};
  useEffect(() => {
    const isStale = own && (own.name !== name || own.category !== category || own.isHeld || own.isWithdrawn);
    if (isStale && name !== undefined) keepKey({ id, name, category, key: own.key });
  }, [id, own, name, category]);
}
