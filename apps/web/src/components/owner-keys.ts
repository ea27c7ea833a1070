import { isManagementKey } from '@agent-registry/contracts';
import { useMemo, useSyncExternalStore } from 'react';

/** An agent whose management key this browser keeps. */
export type OwnAgent = {
  id: string;
  name: string;
  key: string;
  /** Whether it waited for its release by the operator when this browser last saw it: it has no page yet. */
  isHeld?: boolean;
};

const STORAGE_KEY = 'agent-registry.own-agents';

/** Keeps the management key of an agent in this browser, if it allows that. */
export function keepKey(own: OwnAgent): void {
  write([...readOwnAgents().filter(({ id }) => id !== own.id), own]);
}

/** Removes the management key of an agent from this browser. */
export function forgetKey(id: string): void {
  write(readOwnAgents().filter((own) => own.id !== id));
}

/** The agents whose keys this browser keeps, in the order in which it got them; none on the server. */
export function useOwnAgents(): readonly OwnAgent[] {
  const json = useSyncExternalStore(subscribe, readJson, () => null);
  return useMemo(() => parse(json), [json]);
}

/** The agent if this browser keeps its key. */
export function useOwnAgent(id: string): OwnAgent | undefined {
  return useOwnAgents().find((own) => own.id === id);
}

function readOwnAgents(): OwnAgent[] {
  return parse(readJson());
}

function readJson(): string | null {
  try {
    return window.localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

function parse(json: string | null): OwnAgent[] {
  try {
    const entries = JSON.parse(json ?? '[]') as Partial<OwnAgent>[];
    return entries.filter(
      (entry): entry is OwnAgent =>
        typeof entry.id === 'string' && typeof entry.name === 'string' && isManagementKey(entry.key ?? ''),
    );
  } catch {
    return [];
  }
}

function write(agents: readonly OwnAgent[]): void {
  try {
    window.localStorage.setItem(STORAGE_KEY, JSON.stringify(agents));
    // Browsers tell the other tabs only.
    window.dispatchEvent(new Event('storage'));
  } catch {
    // Without storage, owners use their links.
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener('storage', onChange);
  return () => window.removeEventListener('storage', onChange);
}
