import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Raises the version of the registry above every earlier one, after the agents were replaced. The new version is the time
 * in microseconds, which no registry reaches by counting changes, so versions of two databases differ too.
 */
export async function beginVersions(db: Kysely<Tables>): Promise<void> {
  const begin = { changes: Date.now() * 1_000, changed_at: new Date().toISOString() };
  await db
    .insertInto('agent_counts')
    .values({ category: '', agents: 0, ...begin })
    .onConflict((conflict) => conflict.column('category').doUpdateSet(begin))
    .execute();
}
