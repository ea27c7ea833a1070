import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Creates the table of what connections of agents answer. */
export async function createConnectionChecks(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('connection_checks')
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('address', text, (column) => column.notNull())
    .addColumn('due_at', text, (column) => column.notNull())
    .addColumn('leased_until', text, (column) => column.notNull().defaultTo(''))
    .addColumn('checked_at', 'text')
    .addColumn('result', 'text')
    .addColumn('tools', 'integer')
    .addColumn('reason', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('refusals', 'integer', (column) => column.notNull().defaultTo(0))
    .addPrimaryKeyConstraint('connection_checks_key', ['agent_id', 'address'])
    .execute();
  await db.schema.createIndex('connection_checks_by_due_time').on('connection_checks').column('due_at').execute();
}
