import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { orderedText, rowNumberKey } from './column-types.ts';

/** The database engines that a migration knows. */
type EngineName = 'sqlite' | 'postgres';

/**
 * Creates all tables. A migration never imports application code: it must do the same in every later version.
 * @param db the database, as the transaction of the migration
 */
export async function createInitialSchema(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await createAgents(db, engine);
  await createUnlistedAgentsAndReports(db, engine);
  await createDailyViews(db, engine);
  await createRegistrationKeysAndLimits(db, engine);
  await createSecrets(db);
  await createAgentCounts(db);
  await (engine === 'sqlite' ? createSqliteTriggers : createPostgresTriggers)(db);
  await (engine === 'sqlite' ? createSqliteTokens : createPostgresTokens)(db);
  await createAgentTerms(db, engine);
}

async function createAgents(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('agents')
    .addColumn('seq', rowNumberKey(engine))
    .addColumn('id', text, (column) => column.notNull().unique())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('sort_name', text, (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('capabilities', 'text', (column) => column.notNull().defaultTo('[]'))
    .addColumn('contact_email', 'text', (column) => column.notNull())
    .addColumn('website', 'text')
    .addColumn('website_key', text)
    .addColumn('pricing_model', 'text', (column) => column.notNull().defaultTo('free'))
    .addColumn('api_access', 'text', (column) => column.notNull().defaultTo('no'))
    .addColumn('rating', sql`numeric(2, 1)`, (column) => column.notNull().defaultTo(0))
    .addColumn('review_count', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('created_at', text, (column) => column.notNull())
    .addColumn('updated_at', 'text')
    .addColumn('changed_at', text, (column) => column.notNull())
    .addColumn('website_checked_at', 'text')
    .addColumn('key_hash', 'text')
    .execute();
  // The orders of lists, of all agents and within a category. Filters are checked in the index, before rows are read.
  const orders = {
    newest: ['created_at desc', 'id'],
    rating: ['rating desc', 'review_count desc', 'created_at desc', 'id'],
    reviews: ['review_count desc', 'rating desc', 'created_at desc', 'id'],
    name: ['sort_name', 'id'],
  };
  for (const [name, order] of Object.entries(orders)) {
    const columns = [...order, 'pricing_model', 'api_access'];
    await db.schema.createIndex(`agents_${name}`).on('agents').columns(columns).execute();
    await db.schema
      .createIndex(`agents_${name}_of_category`)
      .on('agents')
      .columns(['category', ...columns])
      .execute();
  }
  await db.schema.createIndex('agents_latest').on('agents').columns(['changed_at desc', 'seq desc']).execute();
  await db.schema
    .createIndex('agents_newest_of_website')
    .on('agents')
    .columns(['website_key', 'created_at desc', 'id'])
    .execute();
}

async function createUnlistedAgentsAndReports(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('unlisted_agents')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('since', text, (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.unique())
    .addColumn('agent', 'text')
    .addColumn('key_hash', 'text')
    .addColumn('reason', 'text', (column) => column.notNull().defaultTo(''))
    .execute();

  await db.schema
    .createTable('reports')
    .addColumn('number', rowNumberKey(engine))
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('text', 'text')
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('reports_of_agent').on('reports').columns(['agent_id', 'number']).execute();
}

async function createDailyViews(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await db.schema
    .createTable('daily_views')
    .addColumn('day', orderedText(engine), (column) => column.primaryKey().notNull())
    .addColumn('views', 'integer', (column) => column.notNull())
    .execute();
}

async function createRegistrationKeysAndLimits(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  const text = orderedText(engine);
  await db.schema
    .createTable('registration_keys')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('agent_id', text, (column) => column.notNull())
    .addColumn('agent', 'text', (column) => column.notNull())
    .addColumn('created_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('registration_keys_by_agent').on('registration_keys').column('agent_id').execute();
  await db.schema.createIndex('registration_keys_by_age').on('registration_keys').column('created_at').execute();

  await db.schema
    .createTable('rate_limits')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('used', 'integer', (column) => column.notNull())
    .addColumn('resets_at', text, (column) => column.notNull())
    .execute();
  await db.schema.createIndex('rate_limits_by_end').on('rate_limits').column('resets_at').execute();
}

async function createSecrets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute();
  const secret = randomBytes(32).toString('base64url');
  await sql`INSERT INTO secrets (name, value) VALUES ('website-challenges', ${secret})`.execute(db);
}

async function createAgentCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agent_counts')
    .addColumn('category', 'text', (column) => column.notNull())
    .addColumn('pricing_model', 'text', (column) => column.notNull())
    .addColumn('api_access', 'text', (column) => column.notNull())
    .addColumn('agents', 'integer', (column) => column.notNull())
    .addColumn('changes', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_counts_key', ['category', 'pricing_model', 'api_access'])
    .execute();
  // The version starts with the time in microseconds, which no earlier database under the same URL has reached.
  await sql`
    INSERT INTO agent_counts (category, pricing_model, api_access, agents, changes, changed_at)
    VALUES ('', '', '', 0, ${Date.now() * 1_000}, ${new Date().toISOString()})
  `.execute(db);
}

// Triggers keep the counts in the transaction that changes agents, whichever program changes them.
async function createSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  const add = sql`INSERT INTO agent_counts (category, pricing_model, api_access, agents, changes, changed_at)
    VALUES (NEW.category, NEW.pricing_model, NEW.api_access, 1, 1, ${now})
    ON CONFLICT (category, pricing_model, api_access) DO UPDATE
    SET agents = agents + 1, changes = changes + 1, changed_at = excluded.changed_at;`;
  const subtract = sql`UPDATE agent_counts SET agents = agents - 1, changes = changes + 1, changed_at = ${now}
    WHERE category = OLD.category AND pricing_model = OLD.pricing_model AND api_access = OLD.api_access;`;
  await sql`CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN ${add} END`.execute(db);
  await sql`CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN ${subtract} END`.execute(db);
  await sql`CREATE TRIGGER agents_changed AFTER UPDATE ON agents BEGIN ${subtract} ${add} END`.execute(db);
}

// Once per statement, so that a statement with many agents changes each count once. The lock prevents a deadlock of two
// transactions that change the counts of the same categories in different orders.
async function createPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  const now = sql`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  await sql`
    CREATE FUNCTION count_agents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock('agent_counts'::regclass::bigint);
      IF TG_OP <> 'INSERT' THEN
        UPDATE agent_counts
        SET agents = agent_counts.agents - counted.agents, changes = changes + counted.agents, changed_at = ${now}
        FROM (
          SELECT category, pricing_model, api_access, count(*) AS agents FROM removed
          GROUP BY category, pricing_model, api_access
        ) AS counted
        WHERE counted.category = agent_counts.category AND counted.pricing_model = agent_counts.pricing_model
          AND counted.api_access = agent_counts.api_access;
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO agent_counts (category, pricing_model, api_access, agents, changes, changed_at)
        SELECT category, pricing_model, api_access, count(*), count(*), ${now} FROM added
        GROUP BY category, pricing_model, api_access
        ON CONFLICT (category, pricing_model, api_access) DO UPDATE
        SET agents = agent_counts.agents + excluded.agents, changes = agent_counts.changes + excluded.changes,
          changed_at = excluded.changed_at;
      END IF;
      RETURN NULL;
    END $$
  `.execute(db);
  for (const [name, event, tables] of [
    ['agents_added', 'INSERT', 'NEW TABLE AS added'],
    ['agents_removed', 'DELETE', 'OLD TABLE AS removed'],
    ['agents_changed', 'UPDATE', 'OLD TABLE AS removed NEW TABLE AS added'],
  ] as const) {
    await sql`
      CREATE TRIGGER ${sql.id(name)} AFTER ${sql.raw(event)} ON agents REFERENCING ${sql.raw(tables)}
      FOR EACH STATEMENT EXECUTE FUNCTION count_agents()
    `.execute(db);
  }
}

// An FTS5 table without texts, positions and columns: for each token the agents that have it.
async function createSqliteTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE VIRTUAL TABLE agent_tokens USING fts5(
      tokens, content = '', contentless_delete = 1, detail = 'none', prefix = '1 2 3', tokenize = "ascii tokenchars '+#@&%^$_'"
    )
  `.execute(db);
  const settings = {
    // FTS5's automatic merges are large and delay a registration, so each registration merges a little instead.
    automerge: 0,
    usermerge: 8,
    // Pages smaller than by default (4,050 bytes), so that more of a long list is skipped.
    pgsz: 1_024,
  };
  for (const [name, value] of Object.entries(settings)) {
    await sql`INSERT INTO agent_tokens (agent_tokens, rank) VALUES (${name}, CAST(${value} AS integer))`.execute(db);
  }
}

// A tsvector without positions under a GIN index.
async function createPostgresTokens(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE TABLE agent_tokens (
      seq bigint PRIMARY KEY REFERENCES agents (seq) ON DELETE CASCADE,
      tokens tsvector NOT NULL
    )
  `.execute(db);
  // Without the list of pending entries, which every search would read.
  await sql`CREATE INDEX agent_tokens_tokens ON agent_tokens USING gin (tokens) WITH (fastupdate = off)`.execute(db);
}

// A row is never changed, and a reader continues after the last row that it knows.
async function createAgentTerms(db: Kysely<unknown>, engine: EngineName): Promise<void> {
  await db.schema
    .createTable('agent_terms')
    .addColumn('id', rowNumberKey(engine))
    .addColumn('seq', 'bigint', (column) => column.notNull().unique().references('agents.seq').onDelete('cascade'))
    .addColumn('terms', 'text', (column) => column.notNull())
    .execute();
}
