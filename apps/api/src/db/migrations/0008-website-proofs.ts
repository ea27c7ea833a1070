import { sql, type Kysely } from 'kysely';

/**
 * Adds what owners proved to control, and the indexes of the agents whose owners did.
 * @param db the database, as the transaction of the migration
 */
export async function addWebsiteProofs(db: Kysely<unknown>, engine: 'sqlite' | 'postgres'): Promise<void> {
  await db.schema.alterTable('agents').addColumn('website_proof', 'text').execute();
  for (const [name, columns] of [
    ['agents_proved', sql`category, pricing_model, api_access`],
    ['agents_newest_proved', sql`created_at DESC, id`],
  ] as const) {
    await sql`CREATE INDEX ${sql.id(name)} ON agents (${columns}) WHERE website_checked_at IS NOT NULL`.execute(db);
  }
  await (engine === 'sqlite' ? addSqliteTokens : addPostgresTokens)(db);
}

const proved = sql`SELECT seq FROM agents WHERE website_checked_at IS NOT NULL AND website IS NOT NULL`;

// The table has no texts: an agent's tokens are read from the index, removed, and added with one more.
async function addSqliteTokens(db: Kysely<unknown>): Promise<void> {
  await sql`CREATE VIRTUAL TABLE temp.agent_token_rows USING fts5vocab(main, agent_tokens, instance)`.execute(db);
  await sql`
    CREATE TEMP TABLE proved_tokens AS
    SELECT doc AS seq, group_concat(term, ' ') || ' $proved_yes' AS tokens FROM temp.agent_token_rows
    WHERE doc IN (${proved}) GROUP BY doc
  `.execute(db);
  await sql`DROP TABLE temp.agent_token_rows`.execute(db);
  await sql`DELETE FROM agent_tokens WHERE rowid IN (SELECT seq FROM temp.proved_tokens)`.execute(db);
  await sql`INSERT INTO agent_tokens (rowid, tokens) SELECT seq, tokens FROM temp.proved_tokens`.execute(db);
  await sql`DROP TABLE temp.proved_tokens`.execute(db);
}

async function addPostgresTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    UPDATE agent_tokens SET tokens = tokens || array_to_tsvector(ARRAY['$proved_yes']) WHERE seq IN (${proved})
  `.execute(db);
}
