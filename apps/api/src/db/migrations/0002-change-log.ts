import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { orderedText, rowNumberKey } from './column-types.ts';

/**
 * Creates the change log, with a row for each agent that is listed.
 * @param db the database, as the transaction of the migration
 */
export async function createChangeLog(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  const text = orderedText(engine);
  const rowNumber = rowNumberKey(engine);

  await db.schema
    .createTable('agent_changes')
    .addColumn('number', rowNumber)
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('at', text, (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('fields', 'text')
    .addColumn('is_latest', 'integer', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('agent_changes_of_agent').on('agent_changes').columns(['agent_id', 'number']).execute();
  await sql`CREATE UNIQUE INDEX agent_changes_latest ON agent_changes (number) WHERE is_latest = 1`.execute(db);
  await sql`CREATE INDEX agent_changes_by_age ON agent_changes (at)`.execute(db);

  // The latest agents of a list. Filters are checked in the index, before rows are read.
  await db.schema.dropIndex('agents_latest').execute();
  const latest = ['changed_at desc', 'seq desc', 'pricing_model', 'api_access'];
  await db.schema.createIndex('agents_latest').on('agents').columns(latest).execute();
  await db.schema
    .createIndex('agents_latest_of_category')
    .on('agents')
    .columns(['category', ...latest])
    .execute();

  await db.schema
    .createTable('change_log')
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('forgotten', 'bigint', (column) => column.notNull())
    .execute();
  await sql`INSERT INTO change_log (id, forgotten) VALUES (${randomBytes(9).toString('base64url')}, 0)`.execute(db);

  await sql`
    INSERT INTO agent_changes (agent_id, at, kind, actor, is_latest)
    SELECT id, created_at, 'listed', 'anyone', 1 FROM agents ORDER BY seq
  `.execute(db);
}
