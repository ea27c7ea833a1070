import { sql, type Kysely } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** The agents and the counted views. */
export async function createAgents(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('seq', engine.columnTypes.rowNumber)
    .addColumn('id', engine.columnTypes.text, (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('capabilities', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('contact_email', 'text', (column) => column.notNull())
    .addColumn('website', 'text')
    .addColumn('pricing_model', 'text', (column) => column.notNull().defaultTo('free'))
    .addColumn('api_access', 'text', (column) => column.notNull().defaultTo('no'))
    .addColumn('rating', sql`numeric(2, 1)`, (column) => column.notNull().defaultTo(0))
    .addColumn('review_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', engine.columnTypes.text, (column) => column.notNull())
    .execute();
  // The two orders in which lists are read: newest first, over all and within a category.
  await db.schema.createIndex('agents_newest').on('agents').columns(['created_at desc', 'id']).execute();
  await db.schema
    .createIndex('agents_newest_of_category')
    .on('agents')
    .columns(['category', 'created_at desc', 'id'])
    .execute();

  await db.schema
    .createTable('daily_views')
    .addColumn('day', engine.columnTypes.text, (column) => column.primaryKey().notNull())
    .addColumn('views', 'integer', (column) => column.notNull())
    .execute();
}
