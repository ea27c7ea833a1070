import { sql, type Kysely } from 'kysely';
import { orderedText } from './column-types.ts';

/** Creates the table of the descriptions of servers that sources gave, and adds what of a source was read. */
export async function addServerDocuments(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('server_documents')
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('version', text, (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_message', 'text')
    .addColumn('document', 'text')
    .addColumn('basis', 'text', (column) => column.notNull())
    .addColumn('is_latest', 'integer', (column) => column.notNull())
    .addColumn('kept_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('server_documents_key', ['agent_id', 'version'])
    .execute();
  await sql`CREATE INDEX server_documents_by_version ON server_documents (version) WHERE is_latest = 1`.execute(db);
  await db.schema
    .alterTable('sources')
    .addColumn('reading', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
