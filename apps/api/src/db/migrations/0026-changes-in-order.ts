import type { Kysely } from 'kysely';

/** Adds the number to the index of changes by their time, so that changes since a time are read in their order. */
export async function indexChangesInOrder(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('agent_changes_by_age').execute();
  await db.schema.createIndex('agent_changes_by_age').on('agent_changes').columns(['at', 'number']).execute();
}
