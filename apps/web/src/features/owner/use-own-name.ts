import type { Agent } from '@agent-registry/contracts';
import { useEffect } from 'react';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';

/** Keeps the name of an own agent as the page has it, and that the agent no longer waits for its release. */
export function useOwnName(id: string, agent: Agent | null | undefined): void {
  const own = useOwnAgent(id);
  const name = agent?.name;
  useEffect(() => {
    const isStale = own && (own.name !== name || own.isHeld);
    if (isStale && name !== undefined) keepKey({ id, name, key: own.key });
  }, [id, own, name]);
}
