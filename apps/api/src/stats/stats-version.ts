import type { AgentStore } from '../agents/agent-store.ts';
import type { ViewCounter } from './view-counter.ts';

/** Reads the version of the statistics, which is another after every change of agents and every view. */
export function createStatsVersion(agents: AgentStore, views: ViewCounter): () => string | Promise<string> {
  return () => {
    const [version, monthlyViews] = [agents.version(), views.monthlyViews()];
    return typeof version === 'number' && typeof monthlyViews === 'number'
      ? `${version}.${monthlyViews}`
      : Promise.all([version, monthlyViews]).then((parts) => parts.join('.'));
  };
}
