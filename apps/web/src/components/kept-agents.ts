import {
  isAgentId,
  MAX_COMPARED,
  publicHistoryFields,
  toHistoryValue,
  type ListedAgent,
} from '@agent-registry/contracts';
import { readToday } from '../lib/site.ts';
import { useStored, writeStored } from '../lib/storage.ts';

/** An agent that this browser keeps, as it was then, and the day. Earlier versions kept less of it. */
export type KeptAgent = Pick<ListedAgent, 'id' | 'name' | 'category'> &
  Partial<Record<(typeof publicHistoryFields)[number] | 'day', string | null>>;

export const MAX_KEPT = 200;
const STORAGE_KEY = 'agent-registry.compared';
const CHOICE_KEY = 'agent-registry.compare-choice';
const NONE: readonly KeptAgent[] = [];

/** The agents that this browser keeps, in the order in which they were kept; none on the server. */
export function useKeptAgents(): readonly KeptAgent[] {
  return useStored(STORAGE_KEY, parseKept) ?? NONE;
}

/** The kept agents that are compared: the first four until others are chosen. */
export function useComparedAgents(): readonly KeptAgent[] {
  const kept = useKeptAgents();
  const choice = useStored(CHOICE_KEY, parseChoice) ?? [];
  const chosen = kept.filter(({ id }) => choice.includes(id));
  return (chosen.length > 0 ? chosen : kept).slice(0, MAX_COMPARED);
}

/** Chooses the kept agents that are compared; with none, the first four are. */
export function chooseCompared(agents: readonly KeptAgent[]): void {
  writeStored(
    CHOICE_KEY,
    agents.map(({ id }) => id),
  );
}

/** Keeps these agents, and no others. @returns false if the browser does not allow that */
export function keepAgents(agents: readonly KeptAgent[]): boolean {
  return writeStored(STORAGE_KEY, agents);
}

export function toKept(agent: ListedAgent): KeptAgent {
  const { id, name, category } = agent;
  const seen = publicHistoryFields.map((field) => [field, toHistoryValue(agent[field])]);
  return { ...Object.fromEntries(seen), id, name, category, day: readToday() };
}

function parseKept(json: unknown): KeptAgent[] | undefined {
  return Array.isArray(json) ? json.filter(isKept).slice(0, MAX_KEPT) : undefined;
}

const parseChoice = (json: unknown) => (Array.isArray(json) ? json : undefined);

function isKept(entry: Partial<KeptAgent> | null): entry is KeptAgent {
  return isAgentId(entry?.id ?? '') && typeof entry?.name === 'string' && typeof entry.category === 'string';
}
