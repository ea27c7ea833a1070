import { findRepository, toManagePath } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { walk } from '../db/records.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import type { CheckWebsite } from './check-website.ts';
import { awaitTurn } from './count-check.ts';
import { isChallenge } from './website-challenge.ts';

/** How often proofs that are due are looked for, in milliseconds. */
export const LOOK_INTERVAL = 3_600_000;
const DAY = 86_400_000;

export type RepositoryLooksOptions = {
  engine: Pick<Engine, 'db'>;
  agents: { endProof(agent: { id: string; website: string; website_checked_at: string | null }): Promise<void> };
  checkWebsite: CheckWebsite;
  rateLimitStore: RateLimitStore;
  /** Where visitors reach the registry. */
  origin: string;
};

/** Creates the task that looks for the file of each repository once a day, and ends its proof if the file is gone. */
export function createRepositoryLooks(options: RepositoryLooksOptions): (signal: AbortSignal) => Promise<void> {
  const { engine, agents, checkWebsite, rateLimitStore, origin } = options;
  return async (signal) => {
    const repositories = engine.db
      .selectFrom('agents')
      .select(['seq', 'id', 'website', 'website_checked_at'])
      .where('website_proof', '=', 'repository');
    for await (const { id, website, website_checked_at } of walk(repositories, ['seq'])) {
      const repository = website === null ? undefined : findRepository(website);
      if (website === null || !repository) continue;
      const { used } = await rateLimitStore.increment(`repository-look ${id}`, 1, DAY);
      if (used > 1) continue;
      await awaitTurn(rateLimitStore, repository.service);
      if (signal.aborted) return;
      // The text stays in the file after it has expired.
      const explainedAt = origin + toManagePath(id, 'key');
      const result = await checkWebsite({ website, explainedAt, accepts: isChallenge });
      if (result === 'missing' || result === 'redirected') await agents.endProof({ id, website, website_checked_at });
    }
  };
}
