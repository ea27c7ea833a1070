import SQLite from 'better-sqlite3';
import { Client } from 'pg';
import { toPath, type CorpusDatabase } from './corpus-database.ts';
import { toColumns, type Query } from './queries.ts';

/** The queries that an engine can do by itself, in this process: the limit of what a search over it can be. */
export type RawSearch = {
  /** The 20 best agents by the engine's own rank, from an ordinary index of words over the same texts. */
  ranked(query: Query): Promise<unknown[]>;
  /** The latest 20 agents that match, from the product's own index. */
  latest(query: Query): Promise<unknown[]>;
  close(): Promise<void>;
};

/** What raw searches are to run on. */
type Searched = Pick<CorpusDatabase, 'engine' | 'url' | 'agents'>;

/** Makes an ordinary index beside the database, and prepares the queries. */
export function openRawSearch(database: Searched): Promise<RawSearch> {
  return database.engine === 'sqlite' ? openRawSqlite(database) : openRawPostgres(database);
}

async function openRawSqlite({ url, agents }: Searched): Promise<RawSearch> {
  const database = new SQLite(toPath(url), { readonly: true });
  // A temporary database of its own: in a file, as the other, and removed with the connection.
  database.pragma('temp_store = FILE');
  database.exec(`
    CREATE VIRTUAL TABLE temp.texts USING fts5(
      name, capabilities, category, description, content = '', tokenize = 'unicode61'
    )
  `);
  const insert = database.prepare(
    'INSERT INTO temp.texts (rowid, name, capabilities, category, description) VALUES (?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const [index, agent] of agents.toReversed().entries()) insert.run(index + 1, ...toColumns(agent));
  })();
  const ranked = database.prepare(`
    SELECT agents.* FROM (SELECT rowid FROM temp.texts WHERE texts MATCH ? ORDER BY rank LIMIT 20) AS found
    JOIN agents ON agents.seq = found.rowid
  `);
  const latest = database.prepare(`
    SELECT agents.* FROM (SELECT rowid FROM agent_tokens WHERE agent_tokens MATCH ? ORDER BY rowid DESC LIMIT 20) AS found
    JOIN agents ON agents.seq = found.rowid
  `);
  return {
    ranked: async (query) => ranked.all(toMatch(query)),
    latest: async (query) => latest.all(toMatch(query)),
    close: async () => void database.close(),
  };
}

async function openRawPostgres({ url, agents }: Searched): Promise<RawSearch> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE SCHEMA bench');
  await client.query('CREATE TABLE bench.texts (seq bigint PRIMARY KEY, words tsvector NOT NULL)');
  const oldestFirst = agents.toReversed().map(toColumns);
  for (let begin = 0; begin < oldestFirst.length; begin += 1_000) {
    await client.query(
      `INSERT INTO bench.texts
      SELECT (row->>0)::bigint,
        setweight(to_tsvector('simple', row->>1), 'A') || setweight(to_tsvector('simple', row->>2), 'B') ||
        setweight(to_tsvector('simple', row->>3), 'C') || setweight(to_tsvector('simple', row->>4), 'D')
      FROM json_array_elements($1::json) AS row`,
      [
        JSON.stringify(
          oldestFirst.slice(begin, begin + 1_000).map((columns, index) => [begin + index + 1, ...columns]),
        ),
      ],
    );
  }
  await client.query('CREATE INDEX ON bench.texts USING gin (words) WITH (fastupdate = off)');
  await client.query('VACUUM ANALYZE bench.texts');
  const ask = (name: string, text: string) => async (query: Query) => {
    const { rows } = await client.query<Record<string, unknown>>({ name, text, values: [toTsquery(query)] });
    return rows;
  };
  return {
    ranked: ask(
      'ranked',
      `SELECT agents.* FROM (
        SELECT seq FROM bench.texts WHERE words @@ $1::tsquery ORDER BY ts_rank(words, $1::tsquery) DESC LIMIT 20
      ) AS found JOIN agents USING (seq)`,
    ),
    latest: ask(
      'latest',
      `SELECT agents.* FROM (
        SELECT seq FROM agent_tokens WHERE tokens @@ $1::tsquery ORDER BY seq DESC LIMIT 20
      ) AS found JOIN agents USING (seq)`,
    ),
    close: () => client.end(),
  };
}

function toMatch({ raw }: Query): string {
  const toWord = ({ word, isPrefix }: Query['raw'][number][number]) => `"${word}"${isPrefix ? ' *' : ''}`;
  return raw.map((words) => `(${words.map(toWord).join(' OR ')})`).join(' AND ');
}

function toTsquery({ raw }: Query): string {
  const toWord = ({ word, isPrefix }: Query['raw'][number][number]) => `'${word}'${isPrefix ? ':*' : ''}`;
  return raw.map((words) => `(${words.map(toWord).join(' | ')})`).join(' & ');
}
