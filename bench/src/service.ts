import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { toPath, withCorpus, type BenchOptions, type Corpus } from './corpus.ts';
import { sendLoad, timeReads, type Load, type LoadResult } from './load.ts';
import { count, createReport, median, megabytes, ms, p99 } from './report.ts';
import { readMemory, startServer, type Server } from './server.ts';

/** The longest time, in milliseconds, and the most memory, in bytes, that are accepted. */
const limits = { p99: 5, memory: 180e6 };

/** Agents in the registry. */
const SIZE = 10_000;
/** Agents in the registry whose full list is read. */
const LIST_SIZE = 1_000;
const REGISTRATIONS_PER_SECOND = 50;
const INDEX_PAGE = join(import.meta.dirname, '../../apps/web/dist/index.html');

/** A row of the table: the results of each round. */
type Row = { name: string; results: LoadResult[] };
type Bench = BenchOptions & { corpus: Corpus; server: Server; rows: Row[] };

/** Measures reads and registrations. */
export async function benchService(options: BenchOptions): Promise<void> {
  const report = createReport('service');
  const rows: Row[] = [];
  await withCorpus('sqlite', LIST_SIZE, async (corpus) => {
    await withServer(corpus, options, rows, async (bench) => {
      await measureCachedReads(bench);
      const memory = readMemory(bench.server.pid).now;
      report.add(
        `Memory after the cached reads: ${megabytes(memory)} MB (${verdict(memory < limits.memory)}: under ${megabytes(limits.memory)} MB).`,
      );
    });
  });
  await withCorpus('sqlite', SIZE, async (corpus) => {
    await withServer(corpus, options, rows, async (bench) => {
      await measureUncachedReads(bench);
      const times = await measureReadsBesideRegistrations(bench);
      report.add(
        `One agent beside ${REGISTRATIONS_PER_SECOND} registrations a second, ${count(times.length)} reads: ` +
          `p50 ${ms(median(times))} ms, p99 ${ms(p99(times))} ms (${verdict(p99(times) < limits.p99)}: p99 under ${limits.p99} ms).`,
      );
      await measureRegistering(bench);
    });
  });
  report.addTable(
    `Medians of ${options.rounds} rounds of ${options.seconds} s, 10 connections; processor time of the server in µs.`,
    ['', 'per second', 'processor time each'],
    rows.map(toCells),
  );
  report.save();
}

async function withServer(
  corpus: Corpus,
  options: BenchOptions,
  rows: Row[],
  use: (bench: Bench) => Promise<void>,
): Promise<void> {
  const server = await startServer(corpus.url);
  try {
    await use({ ...options, corpus, server, rows });
  } finally {
    await server.stop();
  }
}

async function measureCachedReads(bench: Bench): Promise<void> {
  const [agent] = bench.corpus.agents;
  if (!agent) return;
  const asset = /\/assets\/[^"']+\.js/.exec(await readFile(INDEX_PAGE, 'utf8'))?.[0] ?? '/';
  await measureCached(bench, 'one agent', toPath(agent));
  await measureCached(bench, 'statistics', '/api/stats');
  await measureCached(bench, 'a search', `/api/search?limit=20&q=${encodeURIComponent(agent.name)}`);
  await measureNotModified(bench, 'the list, not modified', '/api/agents');
  await measureCached(bench, 'the list', '/api/agents');
  await measureCached(bench, 'the list, brotli', '/api/agents', 'br');
  await measureCached(bench, 'a category', `/api/agents/category/${agent.category}`);
  await measureCached(bench, 'the home page, brotli', '/', 'br');
  await measureCached(bench, 'an asset, brotli', asset, 'br');
}

async function measureCached(bench: Bench, name: string, path: string, encoding = 'identity'): Promise<void> {
  const headers = { 'accept-encoding': encoding };
  const response = await fetch(bench.server.url + path, { headers });
  const encoded = response.headers.get('content-encoding') ?? 'identity';
  if (response.status !== 200 || encoded !== encoding) {
    throw new Error(`${name}: the response has status ${response.status} and encoding ${encoded}.`);
  }
  await response.bytes();
  await measureRounds(bench, name, { requests: [{ path }], headers, seconds: bench.seconds });
}

/** Measures responses to requests whose `If-None-Match` matches. */
async function measureNotModified(bench: Bench, name: string, path: string): Promise<void> {
  const headers = { 'accept-encoding': 'identity' };
  const response = await fetch(bench.server.url + path, { headers });
  await response.bytes();
  const matching = { ...headers, 'if-none-match': response.headers.get('etag') ?? '' };
  const { status } = await fetch(bench.server.url + path, { headers: matching });
  if (status !== 304) throw new Error(`${name}: the response has status ${status}.`);
  await measureRounds(bench, name, { requests: [{ path }], headers: matching, seconds: bench.seconds });
}

/** Measures cache misses: each agent is read once, after a registration has invalidated the cache. */
async function measureUncachedReads(bench: Bench): Promise<void> {
  const requests = bench.corpus.agents.map((agent) => ({ path: toPath(agent) }));
  const load = { requests, headers: { 'accept-encoding': 'identity' }, amount: requests.length };
  await measureRounds(bench, 'one agent, not cached', load, () => register(bench));
}

async function measureRegistering(bench: Bench): Promise<void> {
  const requests = toRegistrations(5_000 * (bench.rounds + 1), 10);
  await measureRounds(bench, 'registering', { requests, seconds: bench.seconds });
}

async function measureRounds(bench: Bench, name: string, load: Load, before = async () => {}): Promise<void> {
  const row: Row = { name, results: [] };
  // The first round warms up the just-in-time compiler.
  for (let round = 0; round <= bench.rounds; round += 1) {
    await before();
    const result = await sendLoad(bench.server, load);
    if (round > 0) row.results.push(result);
  }
  bench.rows.push(row);
  console.error(toCells(row).join('  '));
}

/** Measures reads of one agent after the other during registrations. */
async function measureReadsBesideRegistrations({ server, corpus, rounds, seconds }: Bench): Promise<number[]> {
  const until = sendLoad(server, {
    requests: toRegistrations(1_000, 2),
    seconds: rounds * seconds,
    rate: REGISTRATIONS_PER_SECOND,
  });
  const times = await timeReads(server, corpus.agents.map(toPath), { until });
  // The first reads open the connection.
  return times.slice(10);
}

function toRegistrations(size: number, seed: number) {
  return Array.from(makeCorpus(size, seed), (agent) => ({
    path: '/api/agents',
    body: JSON.stringify(toNewAgent(agent)),
  }));
}

async function register({ server }: Bench): Promise<void> {
  const [request] = toRegistrations(1, 4);
  await sendLoad(server, { requests: request ? [request] : [], amount: 1, connections: 1 });
  // Indexing in the background ends before the measured requests begin.
  await wait(200);
}

function toCells({ name, results }: Row): string[] {
  const toMedian = (read: (result: LoadResult) => number) => count(median(results.map(read)));
  return [name, toMedian(({ perSecond }) => perSecond), toMedian(({ processorTime }) => processorTime * 1e6)];
}

const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
