import { isAgentId, MAX_COMPARED, type ListedAgent } from '@agent-registry/contracts';
import { useStored, writeStored } from '../../lib/storage.ts';

/** An agent that this browser keeps to compare it with others. */
export type KeptAgent = Pick<ListedAgent, 'id' | 'name' | 'category'>;

const STORAGE_KEY = 'agent-registry.compared';
const NONE: readonly KeptAgent[] = [];

/** The agents that this browser keeps to compare, in the order in which they were chosen; none on the server. */
export function useKeptAgents(): readonly KeptAgent[] {
  return useStored(STORAGE_KEY, parseKept) ?? NONE;
}

/** Keeps these agents to compare, and no others. @returns false if the browser does not allow that */
export function keepAgents(agents: readonly KeptAgent[]): boolean {
  return writeStored(STORAGE_KEY, agents);
}

function parseKept(json: unknown): KeptAgent[] | undefined {
  return Array.isArray(json) ? json.filter(isKept).slice(0, MAX_COMPARED) : undefined;
}

function isKept(entry: Partial<KeptAgent> | null): entry is KeptAgent {
  return isAgentId(entry?.id ?? '') && typeof entry?.name === 'string' && typeof entry.category === 'string';
}
