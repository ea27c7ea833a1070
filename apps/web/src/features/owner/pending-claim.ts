import { isManagementKey } from '@agent-registry/contracts';
import { removeStored, useStored, writeStored } from '../../lib/storage.ts';

/** A challenge, and the key that the agent gets once it is found on the website. */
export type Claim = { key: string; challenge: string; expiresAt: string };

const toStorageKey = (agentId: string) => `agent-registry.claim.${agentId}`;

/** Keeps a claim in this browser while its owner changes the website; without storage the page has to stay open. */
export function keepClaim(agentId: string, { key, challenge, expiresAt }: Claim): void {
  writeStored(toStorageKey(agentId), { key, challenge, expiresAt });
}

/** Reads the claim of an agent that this browser keeps; undefined on the server, and while the page is hydrated. */
export function useKeptClaim(agentId: string): Claim | undefined {
  return useStored(toStorageKey(agentId), parseClaim);
}

/** Undefined if it has expired. */
function parseClaim(json: unknown): Claim | undefined {
  const { key, challenge, expiresAt } = json as Partial<Record<keyof Claim, unknown>>;
  if (typeof key !== 'string' || typeof challenge !== 'string' || typeof expiresAt !== 'string') return undefined;
  return isManagementKey(key) && Date.parse(expiresAt) > Date.now() ? { key, challenge, expiresAt } : undefined;
}

/** Removes a claim. */
export function removeClaim(agentId: string): void {
  removeStored(toStorageKey(agentId));
}
