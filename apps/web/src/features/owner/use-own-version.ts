import type { AgentContext } from '@agent-registry/client';
import { HELD_STATUS, REFUSAL_HEADER, type Agent } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useApi, type Api } from '../../api/trpc.ts';
import type { OwnAgent } from '../../components/owner-keys.ts';

/** An agent as its owner reads it with the key. */
export type OwnVersion = {
  agent: Agent;
  /** Whether it waits for review, or was refused: others read another version, or none. */
  isHeld: boolean;
  refusal: string | undefined;
};

export const ownVersionKey = (id: string) => ['own-version', id] as const;

export async function readOwnVersion(
  { client }: Api,
  { id, key }: Pick<OwnAgent, 'id' | 'key'>,
  signal?: AbortSignal,
): Promise<OwnVersion> {
  let isHeld = false;
  let refusal: string | undefined;
  const context: AgentContext = {
    key,
    onStatus: (status) => void (isHeld = status === HELD_STATUS),
    onHeaders: (headers) => {
      const reason = headers.get(REFUSAL_HEADER);
      refusal = reason === null ? undefined : decodeURIComponent(reason);
    },
  };
  const agent = await client.agents.get.query({ id }, { context, ...(signal && { signal }) });
  return { agent, isHeld, refusal };
}

export function useOwnVersion(own: OwnAgent) {
  const api = useApi();
  return useQuery({
    queryKey: ownVersionKey(own.id),
    queryFn: ({ signal }) => readOwnVersion(api, own, signal),
    // It changes when the operator decides.
    staleTime: 0,
  });
}
