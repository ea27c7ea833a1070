import type { Kysely } from 'kysely';
import type { Tables } from './tables.ts';

/** Reads the version of the registry: the number of changes and the time of the last one, as one text. */
export const READ_VERSION = `SELECT sum(changes) || ' ' || max(changed_at) AS version FROM agent_counts`;

/** Reads the version of a category in the same way; the row without one has the times at which versions began. */
export const READ_CATEGORY_VERSION = `${READ_VERSION} WHERE category IN ('', $1)`;

/**
 * Raises the version of the registry above every earlier one, after the agents were replaced. The new version is the
 * time in microseconds, which no registry reaches by counting changes, so versions of two databases differ too.
 */
export async function beginVersions(db: Kysely<Tables>): Promise<void> {
  const begin = { changes: Date.now() * 1_000, changed_at: new Date().toISOString() };
  await db
    .insertInto('agent_counts')
    .values({ category: '', pricing_model: '', api_access: '', agents: 0, ...begin })
    .onConflict((conflict) => conflict.columns(['category', 'pricing_model', 'api_access']).doUpdateSet(begin))
    .execute();
}
