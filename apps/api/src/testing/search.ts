import type { Agent } from '@agent-registry/contracts';
import type { AgentStore } from '../agents/agent-store.ts';

/** The result of a search in tests. */
export type Found = {
  /** The agents with all words. */
  agents: Agent[];
  /** The agents with some words. */
  partial: Agent[];
  correction: string | undefined;
};

/** Searches from the first result on. */
export async function search(store: AgentStore, text: string, limit?: number): Promise<Found> {
  const found = await store.search({ text, ...(limit !== undefined && { limit }) });
  if (!found) throw new Error('A search without a cursor always has a result.');
  return { ...found, agents: found.agents.slice(0, found.full), partial: found.agents.slice(found.full) };
}
