import type { Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** How much of each budget that all processes share is spent. */
export async function createRateLimiter(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('budgets')
    .addColumn('id', engine.columnTypes.text, (column) => column.primaryKey().notNull())
    .addColumn('spent', 'integer', (column) => column.notNull())
    .addColumn('resets_at', engine.columnTypes.text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('budgets_by_end').on('budgets').column('resets_at').execute();
}
