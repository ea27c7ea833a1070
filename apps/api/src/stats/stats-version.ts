import type { AgentStore } from '../stores.ts';
import type { ViewCounter } from './view-counter.ts';

const HOUR = 3_600_000;

/** Reads the version of the statistics, which changes with every change of an agent and with every view. */
export function createStatsVersion(agents: Pick<AgentStore, 'version'>, views: ViewCounter): () => Promise<string> {
  return async () => `${await agents.version()}.${await views.monthlyViews()}`;
}

/** Reads the version of the facts of entries, which changes with every change of an agent and every hour. */
export function createFactsVersion(readVersion: () => string | Promise<string>): () => Promise<string> {
  return async () => `${await readVersion()}.${Math.floor(Date.now() / HOUR)}`;
}
