import { sql, type Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/**
 * Creates the table of the clock that expiry compares, marks the changes that may hold long texts, and removes marks of
 * sources that are too long for a backup: these sources are read from their start.
 */
export async function addClockAndTexts(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema
    .createTable('expiry_clock')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', orderedText(engine), (column) => column.notNull())
    .addColumn('hours', 'integer', (column) => column.notNull())
    .execute();
  await db.schema
    .alterTable('agent_changes')
    .addColumn('has_texts', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`
    UPDATE agent_changes SET has_texts = 1
    WHERE fields LIKE '%"description":[%' OR fields LIKE '%"capabilities":[%' OR fields LIKE '%"exampleTasks":[%'
  `.execute(db);
  await sql`UPDATE sources SET mark = NULL WHERE length(mark) > 500`.execute(db);
}
