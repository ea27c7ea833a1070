import { countOf, publicHistoryFields, type FieldChange, type ListedAgent } from '@agent-registry/contracts';
import { writeStored } from '../../lib/storage.ts';
import { CHOICE_KEY, isKept, MAX_KEPT, toKept, type KeptAgent } from '../../components/kept-agents.ts';

/** Largest file that is imported, in bytes: more than the storage of a browser takes. */
const MAX_FILE_SIZE = 5_000_000;

/** Adds agents to those that are kept, as many as there is room for, and says so in a sentence. */
export function addAgents(
  kept: readonly KeptAgent[],
  more: readonly KeptAgent[],
): { agents: KeptAgent[]; message: string } {
  const all = new Map([...kept, ...more, ...kept].map((agent) => [agent.id, agent]));
  const agents = [...all.values()].slice(0, MAX_KEPT);
  const added = `${countOf(agents.length - kept.length, 'agent')} added.`;
  return { agents, message: all.size > MAX_KEPT ? `${added} Your list is full with ${MAX_KEPT}.` : added };
}

/** Chooses the kept agents that are compared; with none, the first four are. */
export function chooseCompared(agents: readonly KeptAgent[]): void {
  writeStored(
    CHOICE_KEY,
    agents.map(({ id }) => id),
  );
}

/** Lists what has changed of an agent since it was kept. */
export function findChanges(kept: KeptAgent, agent: ListedAgent): FieldChange[] {
  const now = toKept(agent);
  return publicHistoryFields.flatMap((field) => {
    const [from, to] = [kept[field], now[field]];
    return from === undefined || from === to ? [] : [{ field, from, to }];
  });
}

/** Saves kept agents as a file. */
export function exportAgents(agents: readonly KeptAgent[]): void {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify({ agents }, null, 2)}\n`], { type: 'application/json' }));
  Object.assign(document.createElement('a'), { href: url, download: 'agent-list.json' }).click();
  URL.revokeObjectURL(url);
}

/** Reads kept agents from a file of `exportAgents`; a sentence if it is another one. */
export async function importAgents(file: File): Promise<KeptAgent[] | string> {
  if (file.size > MAX_FILE_SIZE) return 'This file is larger than a list can be.';
  const refusal = 'This file is no list that was exported here.';
  try {
    const { agents } = JSON.parse(await file.text()) as { agents?: unknown };
    return Array.isArray(agents) && agents.every(isExported) ? agents : refusal;
  } catch {
    return refusal;
  }
}

function isExported(entry: unknown): entry is KeptAgent {
  return (
    isKept(entry as KeptAgent) &&
    Object.values(entry as KeptAgent).every((value) => value === null || typeof value === 'string') &&
    Number.isFinite(Date.parse((entry as KeptAgent).day ?? '2026-01-01'))
  );
}
