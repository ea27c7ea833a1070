import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
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
  const tables = db.withTables<Tables>();
  await tables
    .updateTable('agent_changes')
    .set({ has_texts: 1 })
    .where((where) =>
      where.or(
        ['description', 'capabilities', 'exampleTasks'].map((field) => where('fields', 'like', `%"${field}":[%`)),
      ),
    )
    .execute();
  await tables
    .updateTable('sources')
    .set({ mark: null })
    .where(({ fn }) => fn<number>('length', ['mark']), '>', 500)
    .execute();
}
