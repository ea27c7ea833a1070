import { countOf, publicHistoryFields, type FieldChange, type ListedAgent } from '@agent-registry/contracts';
import { writeStored } from '../../lib/storage.ts';
import { CHOICE_KEY, MAX_KEPT, toKept, type KeptAgent } from '../../components/kept-agents.ts';

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
