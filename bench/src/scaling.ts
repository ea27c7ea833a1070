import { statSync } from 'node:fs';
import { Client } from 'pg';
import { toAgentPath } from '@agent-registry/contracts';
import { toFile, toPath, withCorpus, type BenchOptions, type Corpus } from './corpus.ts';
import { timeRead, waitForWords } from './load.ts';
import { count, createReport, median, megabytes, ms } from './report.ts';
import { kinds, makeQueries } from './search-queries.ts';
import { readMemory, readProcessorTime, startServer, type Server } from './server.ts';

const WARM_UPS = 10;
const READS = 50;
/** Searches are made of the words of so many agents. */
const SAMPLE = 20_000;

/** Measures how long a database takes to fill, its size, and each kind of read; nothing is cached. */
export async function benchScaling({ engines, sizes }: BenchOptions): Promise<void> {
  const report = createReport('scaling');
  const stored: string[][] = [];
  const read: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      const begin = performance.now();
      await withCorpus(engine, size, async (corpus) => {
        const seconds = (performance.now() - begin) / 1_000;
        const name = `${engine}, ${count(size)}`;
        console.error(`${name}: filled in ${seconds.toFixed(0)} s`);
        const bytes = await measureSize(corpus);
        const server = await startServer(corpus.url, { CACHE_SIZE: '0' });
        const atStart = readMemory(server.pid).now;
        try {
          const started = performance.now();
          await waitForWords(server);
          const toWords = (performance.now() - started) / 1_000;
          for (const [kind, paths] of listReads(corpus)) {
            read.push([`${name}: ${kind}`, ...(await measure(server, paths, { warmUps: WARM_UPS, reads: READS }))]);
            console.error(read.at(-1)?.join(' | '));
          }
          for (const [kind, path] of wholeReads) {
            read.push([`${name}: ${kind}`, ...(await measure(server, [path], { warmUps: 0, reads: 1 }))]);
            console.error(read.at(-1)?.join(' | '));
          }
          const { now } = readMemory(server.pid);
          stored.push([
            name,
            seconds.toFixed(0),
            count(size / seconds),
            (bytes / 1e9).toFixed(2),
            (bytes / size / 1_000).toFixed(1),
            toWords.toFixed(0),
            megabytes(atStart),
            megabytes(now),
          ]);
        } finally {
          await server.stop();
        }
      });
    }
  }
  report.addTable(
    'The time to invent and add the agents, the size of the database, the time until the first searches know all words, and the memory of the server in MB after its start and after the reads.',
    ['', 's', 'a second', 'GB', 'kB an agent', 'words, s', 'started', 'in use'],
    stored,
  );
  report.addTable(
    `${READS} reads of each kind one after the other, in ms, and the processor time of the server for each; of whole lists one read.`,
    ['', 'p50', 'max', 'processor'],
    read,
  );
  report.save();
}

/** The paths of each kind of read. */
function listReads({ agents }: Corpus): [kind: string, paths: string[]][] {
  const sample = agents.slice(0, SAMPLE);
  const far = agents[Math.floor(agents.length * 0.8)]?.id;
  const search = (text: string) => `/api/search?limit=20&q=${encodeURIComponent(text)}`;
  return [
    ['one agent', sample.map(toPath)],
    ['the page of an agent', sample.map(({ id }) => toAgentPath(id))],
    ['the home page', ['/']],
    ['the newest agents', ['/api/agents?limit=20']],
    ['a page far from the newest', [`/api/agents?limit=20&after=${far}`]],
    ['the best rated of a category', ['/api/agents/category/vision?limit=20&sort=rating']],
    ['a filter', ['/api/agents?limit=20&pricing=free&apiAccess=yes']],
    ['facets of all', ['/api/facets']],
    ['facets of a search', ['/api/facets?q=data', '/api/facets?q=invoice']],
    ...kinds.map((kind): [string, string[]] => [
      `search: ${kind}`,
      makeQueries(kind, sample, READS + WARM_UPS).map(({ text }) => search(text)),
    ]),
    ['a search by name', [`${search('data')}&sort=name`]],
    ['suggestions', sample.map(({ name }) => `/api/suggest?q=${encodeURIComponent(name.slice(0, 3))}`)],
    ['1,000 changes', ['/api/changes']],
  ];
}

/** Reads of everything, which are made once. */
const wholeReads = [
  ['the sitemap', '/sitemap.xml'],
  ['a whole search', '/api/search?q=data'],
  ['the whole list', '/api/agents'],
] as const;

async function measure(
  server: Server,
  paths: readonly string[],
  { warmUps, reads }: { warmUps: number; reads: number },
): Promise<string[]> {
  const times: number[] = [];
  let processor = 0;
  for (let read = -warmUps; read < reads; read += 1) {
    if (read === 0) processor = readProcessorTime(server.pid);
    const time = await timeRead(server, paths[(read + warmUps) % paths.length] ?? '/');
    if (read >= 0) times.push(time);
  }
  const used = ((readProcessorTime(server.pid) - processor) / reads) * 1_000;
  return [ms(median(times)), ms(Math.max(...times)), ms(used)];
}

async function measureSize({ engine, url }: Corpus): Promise<number> {
  if (engine === 'sqlite') return statSync(toFile(url)).size;
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  await client.end();
  return Number(rows[0]?.bytes);
}
