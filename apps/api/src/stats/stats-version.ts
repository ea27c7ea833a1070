import type { AgentStore } from '../agents/agent-store.ts';
import type { ViewCounter } from './view-counter.ts';

/** Reads the version of the statistics, which changes with every change of an agent and with every view. */
export function createStatsVersion(agents: Pick<AgentStore, 'version'>, views: ViewCounter): () => Promise<string> {
  return async () => `${await agents.version()}.${await views.monthlyViews()}`;
}
