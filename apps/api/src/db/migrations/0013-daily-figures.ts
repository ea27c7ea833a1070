import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

export async function createDailyFigures(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  let table = db.schema
    .createTable('daily_figures')
    .addColumn('day', orderedText(engine), (column) => column.primaryKey().notNull());
  for (const figure of [
    'registrations',
    'edits',
    'reports',
    'searches_without_result',
    'rate_limited_calls',
  ] as const) {
    // A flood can send more calls in a day than fit into 32 bits.
    table = table.addColumn(figure, 'bigint', (column) => column.notNull().defaultTo(0));
  }
  await table.execute();
}
