import { sql, type Kysely } from 'kysely';
import { orderedText, rowNumberKey } from './column-types.ts';

/** Adds the connections of agents, the ways to connect by which lists are filtered, and the names of MCP servers. */
export async function addConnections(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  await db.schema.alterTable('agents').addColumn('connections', 'text').execute();
  await db.schema
    .alterTable('agents')
    .addColumn('connects', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // Counts of facets read no row of these.
  const facets = sql`category, pricing_model, api_access, connects, website_checked_at`;
  await sql`CREATE INDEX agents_connected ON agents (${facets}) WHERE connects > 0`.execute(db);
  await sql`CREATE INDEX agents_newest_connected ON agents (created_at DESC, id) WHERE connects > 0`.execute(db);
  await sql`CREATE INDEX agents_served ON agents (listed_at, seq) WHERE connects % 2 = 1`.execute(db);

  await db.schema
    .createTable('server_names')
    .addColumn('number', rowNumberKey(engine))
    .addColumn('hash', text, (column) => column.notNull())
    .addColumn('name', text, (column) => column.unique())
    .addColumn('agent_id', text, (column) => column.unique())
    .execute();
  await db.schema.createIndex('server_names_by_hash').on('server_names').column('hash').execute();

  await db.schema
    .createTable('server_name_key')
    .addColumn('value', text, (column) => column.primaryKey().notNull())
    .execute();
}
