import { useMemo, useSyncExternalStore } from 'react';

/** A challenge, and the key that the agent gets once it is found on the website. */
export type Claim = { key: string; challenge: string; expiresAt: string };

const PREFIX = 'agent-registry.claim.';

/** Keeps a claim in this browser while its owner changes the website. */
export function keepClaim(agentId: string, claim: Claim): void {
  try {
    window.localStorage.setItem(PREFIX + agentId, JSON.stringify(claim));
  } catch {
    // Without storage the page has to stay open.
  }
}

/** Reads the claim of an agent that this browser keeps; undefined on the server, and while the page is hydrated. */
export function useKeptClaim(agentId: string): Claim | undefined {
  const json = useSyncExternalStore(
    subscribe,
    () => readJson(agentId),
    () => null,
  );
  return useMemo(() => parse(json), [json]);
}

// Only this page changes it, and it knows what it has changed.
const subscribe = () => () => {};

function readJson(agentId: string): string | null {
  try {
    return window.localStorage.getItem(PREFIX + agentId);
  } catch {
    return null;
  }
}

/** Undefined if it has expired. */
function parse(json: string | null): Claim | undefined {
  try {
    const claim = JSON.parse(json ?? 'null') as Claim | null;
    return claim && Date.parse(claim.expiresAt) > Date.now() ? claim : undefined;
  } catch {
    return undefined;
  }
}

/** Removes a claim. */
export function removeClaim(agentId: string): void {
  try {
    window.localStorage.removeItem(PREFIX + agentId);
  } catch {
    // Without storage there is none.
  }
}
