import { sql, type RawBuilder } from 'kysely';
import type { Dialect } from './dialect.ts';

/** Agents and their edits, and the counts by which pages are kept. */
export function agentTables(dialect: Dialect): RawBuilder<unknown>[] {
  return [...agents(dialect), ...unlistedAgents(dialect), ...agentCounts(dialect)];
}

/** The listed agents: first the fields that owners and the registry show, then what derives from them. */
function agents({ text, rowNumber }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE agents (
      seq ${rowNumber},
      id ${text} NOT NULL UNIQUE,
      name text NOT NULL,
      description text NOT NULL,
      category text NOT NULL,
      capabilities text NOT NULL DEFAULT '[]',
      example_tasks text,
      connections text,
      server_name text,
      contact_email text NOT NULL,
      website text,
      website_proof text,
      website_checked_at text,
      pricing_model text NOT NULL DEFAULT 'free',
      api_access text NOT NULL DEFAULT 'no',
      rating numeric(2, 1) NOT NULL DEFAULT 0,
      review_count integer NOT NULL DEFAULT 0,
      created_at ${text} NOT NULL,
      updated_at text,
      sort_name ${text} NOT NULL,
      website_key ${text},
      connects integer NOT NULL DEFAULT 0,
      tool_words text NOT NULL DEFAULT '',
      is_proved integer NOT NULL GENERATED ALWAYS AS (
        CASE WHEN website IS NOT NULL AND website_checked_at IS NOT NULL THEN 1 ELSE 0 END
      ) STORED,
      listed_at ${text} NOT NULL,
      changed_at ${text} NOT NULL,
      key_hash text,
      terms text NOT NULL
    )`,
    ...agentOrders(),
    sql`CREATE INDEX agents_latest ON agents (changed_at, seq, pricing_model, api_access)`,
    sql`CREATE INDEX agents_latest_of_category ON agents (category, changed_at, seq, pricing_model, api_access)`,
    sql`CREATE INDEX agents_newest_of_website ON agents (website_key, created_at, id DESC)
      WHERE website_key IS NOT NULL`,
    // Agents since a day; sitemaps of months read no row.
    sql`CREATE INDEX agents_by_listing ON agents (listed_at, category, pricing_model, api_access, seq, changed_at)`,
    sql`CREATE INDEX agents_newest_proved ON agents (created_at, id DESC) WHERE is_proved = 1`,
    sql`CREATE INDEX agents_newest_connected ON agents (created_at, id DESC) WHERE connects > 0`,
    // Lists of MCP servers.
    sql`CREATE INDEX agents_served ON agents (listed_at, seq) WHERE connects % 2 = 1`,
  ];
}

/**
 * The indexes of the orders of lists, of all agents and within a category. Filters are checked before rows are read. The
 * newest agents are at the end of an index, which is where a b-tree grows with the fewest writes.
 */
function agentOrders(): RawBuilder<unknown>[] {
  const orders = {
    newest: 'created_at, id DESC',
    rating: 'rating, review_count, created_at, id DESC',
    reviews: 'review_count, rating, created_at, id DESC',
    name: 'sort_name, id',
  };
  return Object.entries(orders).flatMap(([name, order]) => {
    const columns = sql.raw(`${order}, pricing_model, api_access`);
    return [
      sql`CREATE INDEX ${sql.id(`agents_${name}`)} ON agents (${columns})`,
      sql`CREATE INDEX ${sql.id(`agents_${name}_of_category`)} ON agents (category, ${columns})`,
    ];
  });
}

/** The agents that are not listed, and edits of listed ones that wait for review. */
function unlistedAgents({ text }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE unlisted_agents (
      id ${text} PRIMARY KEY NOT NULL,
      state text NOT NULL,
      since ${text} NOT NULL,
      seq bigint UNIQUE,
      agent text,
      key_hash text,
      reason text NOT NULL DEFAULT '',
      former_state text
    )`,
    sql`CREATE TABLE proposed_versions (
      agent_id ${text} PRIMARY KEY NOT NULL,
      state text NOT NULL,
      since ${text} NOT NULL,
      patch text NOT NULL,
      former text,
      reason text NOT NULL DEFAULT ''
    )`,
  ];
}

const countedBy = ['category', 'pricing_model', 'api_access', 'connects', 'is_proved'];
const columns = (of = '') => sql.raw(countedBy.map((column) => of + column).join(', '));

/** Triggers keep the counts in the transaction that changes agents, whichever program changes them. */
function agentCounts({ engine }: Dialect): RawBuilder<unknown>[] {
  return [
    sql`CREATE TABLE agent_counts (
      category text NOT NULL,
      pricing_model text NOT NULL,
      api_access text NOT NULL,
      connects integer NOT NULL,
      is_proved integer NOT NULL,
      agents integer NOT NULL,
      changes bigint NOT NULL,
      changed_at text NOT NULL,
      PRIMARY KEY (${columns()})
    )`,
    // Versions start with the time in microseconds, which no earlier database under the same URL has reached.
    sql`INSERT INTO agent_counts (${columns()}, agents, changes, changed_at)
      VALUES ('', '', '', 0, 0, 0, ${Date.now() * 1_000}, ${new Date().toISOString()})`,
    ...(engine === 'sqlite' ? sqliteTriggers() : postgresTriggers()),
  ];
}

function sqliteTriggers(): RawBuilder<unknown>[] {
  const now = sql`strftime('%Y-%m-%dT%H:%M:%fZ', 'now')`;
  const add = sql`INSERT INTO agent_counts (${columns()}, agents, changes, changed_at)
    VALUES (${columns('NEW.')}, 1, 1, ${now})
    ON CONFLICT (${columns()}) DO UPDATE
    SET agents = agents + 1, changes = changes + 1, changed_at = excluded.changed_at;`;
  const subtract = sql`UPDATE agent_counts SET agents = agents - 1, changes = changes + 1, changed_at = ${now}
    WHERE (${columns()}) = (${columns('OLD.')});`;
  return [
    sql`CREATE TRIGGER agents_added AFTER INSERT ON agents BEGIN ${add} END`,
    sql`CREATE TRIGGER agents_removed AFTER DELETE ON agents BEGIN ${subtract} END`,
    sql`CREATE TRIGGER agents_changed AFTER UPDATE ON agents BEGIN ${subtract} ${add} END`,
  ];
}

/**
 * Once per statement, so that a statement with many agents changes each count once. The lock prevents a deadlock of two
 * transactions that change the counts of the same categories in different orders.
 */
function postgresTriggers(): RawBuilder<unknown>[] {
  const now = sql`to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const run = sql`FOR EACH STATEMENT EXECUTE FUNCTION count_agents()`;
  return [
    sql`CREATE FUNCTION count_agents() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      PERFORM pg_advisory_xact_lock('agent_counts'::regclass::bigint);
      IF TG_OP <> 'INSERT' THEN
        UPDATE agent_counts
        SET agents = agent_counts.agents - counted.agents, changes = changes + counted.agents, changed_at = ${now}
        FROM (SELECT ${columns()}, count(*) AS agents FROM removed GROUP BY ${columns()}) AS counted
        WHERE (${columns('counted.')}) = (${columns('agent_counts.')});
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO agent_counts (${columns()}, agents, changes, changed_at)
        SELECT ${columns()}, count(*), count(*), ${now} FROM added GROUP BY ${columns()}
        ON CONFLICT (${columns()}) DO UPDATE
        SET agents = agent_counts.agents + excluded.agents, changes = agent_counts.changes + excluded.changes,
          changed_at = excluded.changed_at;
      END IF;
      RETURN NULL;
    END $$`,
    sql`CREATE TRIGGER agents_added AFTER INSERT ON agents REFERENCING NEW TABLE AS added ${run}`,
    sql`CREATE TRIGGER agents_removed AFTER DELETE ON agents REFERENCING OLD TABLE AS removed ${run}`,
    sql`CREATE TRIGGER agents_changed AFTER UPDATE ON agents
      REFERENCING OLD TABLE AS removed NEW TABLE AS added ${run}`,
  ];
}
