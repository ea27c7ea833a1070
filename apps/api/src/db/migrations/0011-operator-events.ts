import type { Kysely } from 'kysely';
import { orderedText, rowNumberKey } from './column-types.ts';

/** Creates the table of operator events, and that of their delivery to the webhook. */
export async function createOperatorEvents(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  const rowNumber = rowNumberKey(engine);
  await db.schema
    .createTable('operator_events')
    .addColumn('number', rowNumber)
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('agent_id', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('operator_events_of_agent').on('operator_events').column('agent_id').execute();
  await db.schema
    .createTable('webhook')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('cursor', 'bigint', (column) => column.notNull())
    .addColumn('leased_until', text, (column) => column.notNull())
    .addColumn('due_at', text, (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .execute();
}
