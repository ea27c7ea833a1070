import { isAgentId, isManagementKey } from '@agent-registry/contracts';
import { readStored, useStored, writeStored } from '../lib/storage.ts';

export type OwnAgent = {
  id: string;
  name: string;
  key: string;
  category?: string;
  isWithdrawn?: boolean;
  /** Whether it waited for its release by the operator when this browser last saw it: it has no page yet. */
  isHeld?: boolean;
};

const STORAGE_KEY = 'agent-registry.own-agents';
const NONE: readonly OwnAgent[] = [];

export function keepKey(own: OwnAgent): void {
  writeStored(STORAGE_KEY, [...readOthers(own.id), own]);
}

export function forgetKey(id: string): void {
  writeStored(STORAGE_KEY, readOthers(id));
}

/** The agents whose keys this browser keeps, in the order in which it got them; none on the server. */
export function useOwnAgents(): readonly OwnAgent[] {
  return useStored(STORAGE_KEY, parseOwnAgents) ?? NONE;
}

export function useOwnAgent(id: string): OwnAgent | undefined {
  return useOwnAgents().find((own) => own.id === id);
}

function readOthers(id: string): OwnAgent[] {
  return (readStored(STORAGE_KEY, parseOwnAgents) ?? []).filter((own) => own.id !== id);
}

function parseOwnAgents(json: unknown): OwnAgent[] | undefined {
  return Array.isArray(json) ? json.filter(isOwnAgent) : undefined;
}

function isOwnAgent(entry: Partial<OwnAgent> | null): entry is OwnAgent {
  return (
    isAgentId(entry?.id ?? '') &&
    typeof entry?.name === 'string' &&
    isManagementKey(entry.key ?? '') &&
    ['string', 'undefined'].includes(typeof entry.category)
  );
}
