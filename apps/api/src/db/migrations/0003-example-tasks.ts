import type { Kysely } from 'kysely';

/** Adds the example tasks of an agent: a JSON array as text, null where it has none. */
export async function addExampleTasks(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('agents').addColumn('example_tasks', 'text').execute();
}
