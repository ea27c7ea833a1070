import { sql, type Kysely } from 'kysely';

/** Indexes the removals in the change log, so that the latest one is found at once. */
export async function indexRemovals(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE INDEX agent_changes_removals ON agent_changes (number) WHERE kind = 'removed'`.execute(db);
}
