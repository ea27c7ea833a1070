import type { ListedAgent } from '@agent-registry/contracts';
import type { AgentStore } from '../stores.ts';

/** The result of a search in tests. */
export type Found = {
  /** The agents with all words. */
  agents: ListedAgent[];
  /** The agents with some words. */
  partial: ListedAgent[];
  correction: string | undefined;
};

/** Searches from the first result on. */
export async function search(store: AgentStore, text: string, limit?: number): Promise<Found> {
  const found = await store.search({ text, ...(limit !== undefined && { limit }) });
  if (!found) throw new Error('A search without a cursor always has a result.');
  return { ...found, agents: found.agents.slice(0, found.full), partial: found.agents.slice(found.full) };
}
