import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Creates the table of events that the webhook refused, and counts how often it has refused the next one. */
export async function createRefusedEvents(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('refused_events')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('refused_at', text, (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .alterTable('webhook')
    .addColumn('refusals', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
