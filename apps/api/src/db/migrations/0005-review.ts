import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/**
 * Creates the table of proposed versions, and the column with the state in which an agent was before it was hidden or
 * withdrawn.
 */
export async function createReview(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('proposed_versions')
    .addColumn('agent_id', text, (column) => column.primaryKey().notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('patch', 'text', (column) => column.notNull())
    .addColumn('former', 'text')
    .addColumn('reason', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema.alterTable('unlisted_agents').addColumn('former_state', 'text').execute();
}
