import type { RestContext } from '@agent-registry/client';
import { createManagementKey, isManagementKey, type Agent } from '@agent-registry/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/trpc.ts';
import { useFormFailure } from '../../components/FormFailure.tsx';
import { keepKey, useOwnAgent, type OwnAgent } from '../../components/owner-keys.ts';
import { removeStored, useStored, writeStored } from '../../lib/storage.ts';

/** A challenge, and the key that the agent gets once it is found on the website. */
type Claim = { key: string; challenge: string; expiresAt: string };

/**
 * The claim of an agent: begun with a challenge, which this browser keeps, and ended by a check that finds it on the
 * website and gives the agent the new key.
 */
export function useClaim(agent: Agent) {
  const { id, name, category } = agent;
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const storageKey = `agent-registry.claim.${id}`;
  const kept = useStored(storageKey, parseClaim);
  const owned = useOwnAgent(id);
  const [begun, setBegun] = useState<Claim>();
  const claim = begun ?? kept;
  const [own, setOwn] = useState<OwnAgent & { isNewKey: boolean }>();

  const begin = useMutation({
    mutationFn: async () => {
      // An owner keeps the key.
      const key = owned?.key ?? createManagementKey();
      const context: RestContext = { newKey: key };
      return { key, ...(await client.agents.challenge.mutate({ id }, { context })) };
    },
    onSuccess: (newClaim) => {
      // Its owner may leave the page to change the website.
      writeStored(storageKey, newClaim);
      setBegun(newClaim);
    },
  });
  const check = useMutation({
    mutationFn: ({ key }: Claim) =>
      client.agents.claim.mutate({ id }, { context: { newKey: key, key: owned?.key } satisfies RestContext }),
    onSuccess: (claimed, { key }) => {
      const claimedOwn = { id, name, category, key };
      removeStored(storageKey);
      keepKey(claimedOwn);
      setOwn({ ...claimedOwn, isNewKey: key !== owned?.key });
      queryClient.setQueryData(queries.agents.get.queryOptions({ id }).queryKey, claimed);
    },
  });
  const failure = useFormFailure(claim ? check : begin);

  return {
    /** The claim that waits for its challenge to be put on the website; undefined before one is begun. */
    claim,
    /** The agent with its key, once the challenge was found. */
    own,
    /** Whether this browser had the key of the agent, which stays valid. */
    isOwner: owned !== undefined,
    begin,
    check,
    /** Why the last step failed, as a sentence. */
    failure,
  };
}

/** Undefined if it has expired. */
function parseClaim(json: unknown): Claim | undefined {
  const { key, challenge, expiresAt } = json as Partial<Record<keyof Claim, unknown>>;
  if (typeof key !== 'string' || typeof challenge !== 'string' || typeof expiresAt !== 'string') return undefined;
  return isManagementKey(key) && Date.parse(expiresAt) > Date.now() ? { key, challenge, expiresAt } : undefined;
}
