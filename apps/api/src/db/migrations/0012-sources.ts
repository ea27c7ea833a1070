import type { Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Creates the tables of the sources of `registry sync`, of the entries that they brought, and of pinned fields. */
export async function createSources(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('sources')
    .addColumn('name', text, (column) => column.primaryKey().notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('mark', 'text')
    .addColumn('synced_at', 'text', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('agent_sources')
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('entry_key', text, (column) => column.notNull())
    .addColumn('agent_id', text)
    .addColumn('is_origin', 'integer', (column) => column.notNull())
    .addColumn('attribution', 'text', (column) => column.notNull())
    .addColumn('licence', 'text', (column) => column.notNull())
    .addColumn('imported_at', 'text', (column) => column.notNull())
    .addColumn('gone_at', 'text')
    .addPrimaryKeyConstraint('agent_sources_key', ['source', 'entry_key'])
    .execute();
  await db.schema.createIndex('agent_sources_by_agent').on('agent_sources').column('agent_id').execute();

  await db.schema
    .createTable('pinned_fields')
    .addColumn('agent_id', text, (column) => column.primaryKey().notNull())
    .addColumn('fields', 'text', (column) => column.notNull())
    .execute();
}
