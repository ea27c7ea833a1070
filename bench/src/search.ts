import SQLite from 'better-sqlite3';
import { MAX_SEARCH_LENGTH, type Agent } from '@agent-registry/contracts';
import { Client } from 'pg';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { toFile, toPath, withCorpus, type BenchOptions, type Corpus } from './corpus.ts';
import { sendLoad, timeRead, timeReads, waitForWords } from './load.ts';
import { count, createReport, median, ms, p99 } from './report.ts';
import { kinds, makeQueries, toColumns, type Kind, type Query } from './search-queries.ts';
import { startServer, type Server } from './server.ts';

/** Searches in the engine's own index: the best 20 agents with their rows. */
type RawSearch = { search(query: Query): Promise<unknown[]>; close(): Promise<void> };

const PAGE_SIZE = 20;
const WARM_UPS = 50;
const SEARCHES = 200;
/** One agent is read beside so many connections that search without pause. */
const CONNECTIONS = 4;

/**
 * Measures first pages of searches over HTTP, without cached responses, beside an ordinary full-text index in the
 * engine.
 */
export async function benchSearch({ engines, sizes, seconds }: BenchOptions): Promise<void> {
  const report = createReport('search');
  const rows: string[][] = [];
  const readRows: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      await withCorpus(engine, size, async (corpus) => {
        console.error(`${engine}, ${count(size)}`);
        const server = await startServer(corpus.url, { CACHE_SIZE: '0' });
        const raw = await (engine === 'sqlite' ? openSqliteIndex(corpus) : openPostgresIndex(corpus));
        try {
          await waitForWords(server);
          for (const kind of kinds) {
            const { http, filtered, sorted, index } = await measure(kind, corpus.agents, server, raw);
            rows.push([
              `${engine}, ${count(size)}: ${kind}`,
              ...[median(http), p99(http), median(index), p99(index)].map(ms),
              ...[median(http) / median(index), median(filtered) / median(http), median(sorted) / median(http)].map(
                (ratio) => ratio.toFixed(1),
              ),
            ]);
          }
          const reads = await measureReads(corpus.agents, server, seconds);
          readRows.push([`${engine}, ${count(size)}`, ...[median(reads), p99(reads)].map(ms)]);
        } finally {
          await Promise.all([server.stop(), raw.close()]);
        }
      });
    }
  }
  report.addTable(
    `The first ${PAGE_SIZE} results of ${SEARCHES} searches of each kind, in ms: over HTTP, and in an index of the engine that is told the words; and what a filter and the order by name cost, ÷ HTTP.`,
    ['', 'HTTP p50', 'p99', 'index p50', 'p99', 'HTTP ÷ index', 'filter', 'order'],
    rows,
  );
  report.addTable(
    `One agent beside ${CONNECTIONS} connections that search without pause, in ms.`,
    ['', 'p50', 'p99'],
    readRows,
  );
  report.save();
}

/** Reads one agent after the other beside searches of all kinds. */
async function measureReads(agents: readonly Agent[], server: Server, seconds: number): Promise<number[]> {
  const searches = kinds.flatMap((kind) => makeQueries(kind, agents, WARM_UPS)).map(toRequest);
  const until = sendLoad(server, { requests: shuffle(searches), connections: CONNECTIONS, seconds });
  return timeReads(server, agents.slice(0, SEARCHES).map(toPath), { until });
}

function shuffle<Item>(items: readonly Item[]): Item[] {
  const random = makeRandom(0);
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function toRequest({ text }: Query): { path: string } {
  return { path: `/api/search?limit=${PAGE_SIZE}&q=${encodeURIComponent(text.slice(0, MAX_SEARCH_LENGTH))}` };
}

async function measure(kind: Kind, agents: readonly Agent[], server: Server, raw: RawSearch) {
  const [http, filtered, sorted, index]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (const [place, query] of makeQueries(kind, agents, WARM_UPS + SEARCHES).entries()) {
    const { path } = toRequest(query);
    const [overHttp, withFilter, inOrder] = [
      await timeRead(server, path),
      await timeRead(server, `${path}&pricing=free,freemium`),
      await timeRead(server, `${path}&sort=name`),
    ];
    const begin = performance.now();
    await raw.search(query);
    const inIndex = performance.now() - begin;
    if (place < WARM_UPS) continue;
    http.push(overHttp);
    filtered.push(withFilter);
    sorted.push(inOrder);
    index.push(inIndex);
  }
  return { http, filtered, sorted, index };
}

async function openSqliteIndex({ url, agents }: Corpus): Promise<RawSearch> {
  const database = new SQLite(toFile(url), { readonly: true });
  database.pragma('temp_store = FILE');
  database.exec(`CREATE VIRTUAL TABLE temp.texts USING fts5(name, capabilities, category, description, content = '')`);
  const insert = database.prepare(
    'INSERT INTO temp.texts (rowid, name, capabilities, category, description) VALUES (?, ?, ?, ?, ?)',
  );
  database.transaction(() => {
    for (const [index, agent] of agents.toReversed().entries()) insert.run(index + 1, ...toColumns(agent));
  })();
  const search = database.prepare(`
    SELECT agents.* FROM (SELECT rowid FROM temp.texts WHERE texts MATCH ? ORDER BY rank LIMIT ${PAGE_SIZE}) AS found
    JOIN agents ON agents.seq = found.rowid
  `);
  return {
    search: async (query) =>
      search.all(join(query, (word, isPrefix) => `"${word}"${isPrefix ? ' *' : ''}`, ['OR', 'AND'])),
    close: async () => void database.close(),
  };
}

async function openPostgresIndex({ url, agents }: Corpus): Promise<RawSearch> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE SCHEMA bench');
  await client.query('CREATE TABLE bench.texts (seq bigint PRIMARY KEY, words tsvector NOT NULL)');
  const columns = agents.toReversed().map(toColumns);
  for (let begin = 0; begin < columns.length; begin += 1_000) {
    const batch = columns.slice(begin, begin + 1_000).map((texts, index) => [begin + index + 1, ...texts]);
    await client.query(
      `INSERT INTO bench.texts SELECT (row->>0)::bigint,
        setweight(to_tsvector('simple', row->>1), 'A') || setweight(to_tsvector('simple', row->>2), 'B') ||
        setweight(to_tsvector('simple', row->>3), 'C') || setweight(to_tsvector('simple', row->>4), 'D')
      FROM json_array_elements($1::json) AS row`,
      [JSON.stringify(batch)],
    );
  }
  await client.query('CREATE INDEX ON bench.texts USING gin (words) WITH (fastupdate = off)');
  await client.query('VACUUM ANALYZE bench.texts');
  const text = `
    SELECT agents.* FROM (
      SELECT seq FROM bench.texts WHERE words @@ $1::tsquery ORDER BY ts_rank(words, $1::tsquery) DESC LIMIT ${PAGE_SIZE}
    ) AS found JOIN agents USING (seq)`;
  return {
    async search(query) {
      const words = join(query, (word, isPrefix) => `'${word}'${isPrefix ? ':*' : ''}`, ['|', '&']);
      const { rows } = await client.query<object>({ name: 'search', text, values: [words] });
      return rows;
    },
    close: () => client.end(),
  };
}

/** Writes a query in the syntax of an engine. */
function join(
  { words, isAny = false }: Query,
  quote: (word: string, isPrefix: boolean) => string,
  [or, and]: [string, string],
): string {
  return words
    .map(
      ({ alternatives, isPrefix = false }) => `(${alternatives.map((word) => quote(word, isPrefix)).join(` ${or} `)})`,
    )
    .join(` ${isAny ? or : and} `);
}
