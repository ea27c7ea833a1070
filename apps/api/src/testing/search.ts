import type { Agent } from '@agent-registry/contracts';
import type { AgentStore } from '../agents/agent-store.ts';

/** What a search finds, as the tests of search see it. */
export type Found = { agents: Agent[]; correction: string | undefined };

/** Searches from the first result on; the only place in the tests of search that knows the shape of the call. */
export async function search(store: AgentStore, text: string, limit?: number): Promise<Found> {
  const found = await store.search({ text, ...(limit !== undefined && { limit }) });
  if (!found) throw new Error('A search from its beginning has results, if only none.');
  return found;
}
