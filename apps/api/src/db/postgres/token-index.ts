import { MAX_COUNTED_RESULTS } from '@agent-registry/contracts';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import {
  WHOLE_TEXTS,
  type Scope,
  type StoredTerms,
  type StoredTexts,
  type TokenQuery,
  type TokenReader,
} from '../../search/agent-tokens.ts';
import type { MatchOptions, TokenWriter } from '../engine.ts';
import type { Tables } from '../tables.ts';

/**
 * Writes the tokens of each agent as a `tsvector` without positions. The trigger on `agents` holds a lock from the
 * first agent that a transaction writes, so terms are never written by two transactions at once: no deadlocks, ids in
 * order.
 */
export const postgresTokenWriter: TokenWriter = {
  async add(db, agents) {
    const rows = JSON.stringify(agents.map(({ seq, tokens }) => ({ seq, tokens })));
    await sql`
        INSERT INTO agent_tokens (seq, tokens)
        SELECT seq, array_to_tsvector(tokens) FROM json_to_recordset(${rows}) AS agent (seq bigint, tokens text[])
      `.execute(db);
  },

  async remove(db, seqs) {
    await sql`DELETE FROM agent_tokens WHERE seq = ANY(${seqs}::bigint[])`.execute(db);
  },

  async clear(db) {
    await sql`DELETE FROM agent_tokens`.execute(db);
  },
};

export function isMatchInPostgres(query: TokenQuery, { latest }: MatchOptions): RawBuilder<SqlBool> {
  const part = latest === undefined ? sql`` : sql` ORDER BY seq DESC LIMIT ${latest}`;
  return sql`agents.seq IN (SELECT seq FROM agent_tokens WHERE ${toMatch(query)}${part})`;
}

/** Whether a query is for names or longer beginnings of names, which few agents share. */
function isName(query: TokenQuery): boolean {
  if ('any' in query) return query.any.every(isName);
  return 'token' in query && query.token.startsWith('^') && (!query.isPrefix || query.token.length > MIN_RARE_LENGTH);
}

/** Reading a match that the index found takes as long as looking at so many of the latest agents. */
const AGENTS_PER_READ = 5;
/** The shortest beginning of a name that is rare, with the sign before it. */
const MIN_RARE_LENGTH = 4;
/** How many of the latest agents tell whether so many match. */
const PROBED_AGENTS = 200;

export function createPostgresTokenReader(
  database: Kysely<Tables>,
  scope: Scope = {},
  maxCounted = MAX_COUNTED_RESULTS,
): TokenReader {
  const isInScope = toCondition(scope);
  const toMatches = (query: TokenQuery) => sql`${toMatch(query)}${isInScope}`;
  const match = createMatch(database, isInScope);
  return {
    maxCounted,

    within: (narrower) => createPostgresTokenReader(database, narrower, maxCounted),

    async find(query, limit) {
      // Nothing reads more of what was found than is counted.
      const { rows } = await sql<{ seq: number; total: number }>`
        WITH found AS MATERIALIZED (SELECT seq FROM agent_tokens WHERE ${toMatches(query)}),
        counted AS MATERIALIZED (SELECT seq FROM found LIMIT ${maxCounted + 1})
        SELECT seq, (SELECT count(*) FROM counted) AS total FROM counted ORDER BY seq DESC LIMIT ${limit}
      `.execute(database);
      const total = rows[0]?.total ?? 0;
      return { total, seqs: total > maxCounted ? await match(query, { limit }) : rows.map(({ seq }) => seq) };
    },

    match,

    filter: async (query, seqs) =>
      (
        await read<{ seq: number }>(sql`
        SELECT seq FROM agent_tokens WHERE seq = ANY(${seqs}::bigint[]) AND ${toMatches(query)}
      `)
      ).map(({ seq }) => seq),

    async countAgents() {
      const [row] = await read<{ agents: number }>(sql`
        SELECT coalesce(sum(agents), 0)::bigint AS agents FROM agent_counts
      `);
      return row?.agents ?? 0;
    },

    readTermsOf: (seqs) => read(sql`SELECT seq, terms FROM agents WHERE seq = ANY(${seqs}::bigint[])`),

    readTexts: (seqs, { capabilities, tasks, description } = WHOLE_TEXTS) =>
      read<StoredTexts>(sql`
        SELECT seq, name, left(capabilities, ${capabilities}) AS capabilities,
          coalesce(left(example_tasks, ${tasks}), '') AS tasks, left(description, ${description}) AS description,
          website, website_checked_at AS "websiteCheckedAt"
        FROM agents WHERE seq = ANY(${seqs}::bigint[])
      `),

    readTerms: ({ after, limit }) =>
      read<StoredTerms>(sql`
        SELECT number, terms FROM agent_changes LEFT JOIN agents ON agents.id = agent_id
        WHERE is_latest = 1 AND number > ${after} ORDER BY number LIMIT ${limit}
      `),
  };

  async function read<Row>(statement: RawBuilder<unknown>): Promise<Row[]> {
    return (await statement.execute(database)).rows as Row[];
  }
}

/** Creates the function that finds the latest agents that match. */
function createMatch(database: Kysely<Tables>, isInScope: RawBuilder<unknown>): TokenReader['match'] {
  return async (query, { limit, before = Number.MAX_SAFE_INTEGER }) => {
    const matches = sql`${toMatch(query)}${isInScope}`;
    const older = sql`seq < ${before} ORDER BY seq DESC`;
    const readSeqs = async (statement: RawBuilder<{ seq: number }>) =>
      (await statement.execute(database)).rows.map(({ seq }) => seq);
    const readLatest = (agents: number) =>
      readSeqs(sql`
        SELECT seq FROM (SELECT seq, tokens FROM agent_tokens WHERE ${older} LIMIT ${agents}) AS latest
        WHERE ${matches} ORDER BY seq DESC LIMIT ${limit}
      `);
    const probed = isName(query) ? [] : await readLatest(PROBED_AGENTS);
    if (probed.length === limit) return probed;
    // The latest match has about the number of all agents: for fewer matches than that, reading all of them is faster.
    const most = Math.ceil(Math.sqrt(AGENTS_PER_READ * limit * (probed[0] ?? 0)));
    if (probed.length * most >= limit * PROBED_AGENTS) {
      const latest = await readLatest(most);
      if (latest.length === limit) return latest;
    }
    // Materialized, since the planner takes rare tokens for frequent ones and would look at all agents, latest first.
    return readSeqs(sql`
      WITH found AS MATERIALIZED (SELECT seq FROM agent_tokens WHERE ${matches})
      SELECT seq FROM found WHERE ${older} LIMIT ${limit}
    `);
  };
}

/** The condition of what matches. The index reads queries of which any may match one after the other, which is faster. */
function toMatch(query: TokenQuery): RawBuilder<unknown> {
  const ways = 'any' in query ? query.any : [query];
  return sql`tokens @@ ANY(${ways.map(toTsquery)}::tsquery[])`;
}

function toTsquery(query: TokenQuery): string {
  if ('token' in query) {
    return `'${query.token.replaceAll(/['\\]/g, String.raw`$&$&`)}'${query.isPrefix ? ':*' : ''}`;
  }
  if ('all' in query) return `(${query.all.map(toTsquery).join(' & ')})`;
  if ('any' in query) return `(${query.any.map(toTsquery).join(' | ')})`;
  return `(${toTsquery(query.find)} & !${toTsquery(query.without)})`;
}

const scopeConditions = {
  capability: (key) => sql` AND seq IN (SELECT seq FROM text_keys WHERE kind = 'capability' AND key = ${key})`,
  since: (day) => sql` AND seq IN (SELECT seq FROM agents WHERE listed_at >= ${day})`,
} satisfies Record<keyof Scope, (value: string) => RawBuilder<unknown>>;

/** The condition of the agents of a scope, to follow others. */
function toCondition(scope: Scope): RawBuilder<unknown> {
  const given = Object.entries(scope) as [keyof Scope, string][];
  return sql.join(
    given.map(([name, value]) => scopeConditions[name](value)),
    sql``,
  );
}
