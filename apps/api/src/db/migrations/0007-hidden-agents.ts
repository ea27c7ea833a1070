import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** The agents that an operator has hidden. They are no rows of `agents`, so that nothing that reads has to leave them out. */
export async function createHiddenAgents(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('hidden_agents')
    .addColumn('seq', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('id', engine.columnTypes.text, (column) => column.notNull().unique())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('hidden_at', engine.columnTypes.text, (column) => column.notNull())
    .execute();
}
