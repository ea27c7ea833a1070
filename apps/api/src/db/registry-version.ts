import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/**
 * Begins a new series of versions of the registry, above every version before: where the agents are not those of before
 * and a few changes more, as after a restore. The series begins with the time in microseconds, which no registry reaches
 * by changes, so that versions of two databases are not taken for each other either.
 */
export async function beginVersions(db: Kysely<Tables>): Promise<void> {
  const begin = { changes: Date.now() * 1_000, changed_at: new Date().toISOString() };
  await db
    .insertInto('agent_counts')
    .values({ category: '', agents: 0, ...begin })
    .onConflict((conflict) => conflict.column('category').doUpdateSet(begin))
    .execute();
}
