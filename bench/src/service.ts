import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import SQLite from 'better-sqlite3';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { toFile, toPath, withCorpus, type Corpus, type BenchOptions } from './corpus.ts';
import { sendLoad, timeReads, type Load, type LoadResult } from './load.ts';
import { count, createReport, median, megabytes, ms, p99 } from './report.ts';
import { readMemory, startBareServer, startServer, type Server } from './server.ts';

/** The smallest ratios to the bare server, the longest time and the most memory that are accepted. */
const floors = { small: 0.6, list: 0.85, uncached: 0.4, register: 0.5, p99: 5, memory: 180e6 };

/** Agents in the registry. */
const SIZE = 10_000;
/** Agents in the registry whose full list is read. */
const LIST_SIZE = 1_000;
const REGISTRATIONS_PER_SECOND = 50;
/** The share of the time from which a server counts as busy. */
const BUSY = 0.9;
const INDEX_PAGE = join(import.meta.dirname, '../../apps/web/dist/index.html');

/** A row of the table: requests per second of each round, next to the rates of its upper bound. */
type Row = { name: string; ours: LoadResult[]; limit: LoadResult[]; floor?: number };
type Bench = BenchOptions & { corpus: Corpus; server: Server; bare: Server; rows: Row[] };

/**
 * Measures reads and writes beside a bare server: `node:http` that sends the same bytes, and raw inserts into SQLite.
 */
export async function benchService(options: BenchOptions): Promise<void> {
  const report = createReport('service');
  const rows: Row[] = [];
  await withCorpus('sqlite', LIST_SIZE, async (corpus) => {
    await withServers(corpus, options, rows, async (bench) => {
      await measureCachedReads(bench);
      const memory = readMemory(bench.server.pid).now;
      report.add(
        `Memory after the cached reads: ${megabytes(memory)} MB (${verdict(memory < floors.memory)}: under ${megabytes(floors.memory)} MB).`,
      );
    });
  });
  await withCorpus('sqlite', SIZE, async (corpus) => {
    await withServers(corpus, options, rows, async (bench) => {
      await measureUncachedReads(bench);
      const times = await measureReadsBesideRegistrations(bench);
      report.add(
        `One agent beside ${REGISTRATIONS_PER_SECOND} registrations a second, ${count(times.length)} reads: ` +
          `p50 ${ms(median(times))} ms, p99 ${ms(p99(times))} ms (${verdict(p99(times) < floors.p99)}: p99 under ${floors.p99} ms).`,
      );
      await measureRegistering(bench);
    });
  });
  report.addTable(
    `Medians of ${options.rounds} rounds of ${options.seconds} s, our server and the limit in turns; 10 connections.`,
    ['', 'ours/s', 'limit/s', 'ratio', 'ratio by processor time', 'floor', ''],
    rows.map(toCells),
  );
  report.save();
}

async function withServers(
  corpus: Corpus,
  options: BenchOptions,
  rows: Row[],
  use: (bench: Bench) => Promise<void>,
): Promise<void> {
  const server = await startServer(corpus.url);
  const bare = await startBareServer(toFile(corpus.url));
  try {
    await use({ ...options, corpus, server, bare, rows });
  } finally {
    await Promise.all([server.stop(), bare.stop()]);
  }
}

/** Measures cached responses, next to the same bytes from memory. */
async function measureCachedReads(bench: Bench): Promise<void> {
  const [agent] = bench.corpus.agents;
  if (!agent) return;
  const { small, list } = floors;
  const asset = /\/assets\/[^"']+\.js/.exec(await readFile(INDEX_PAGE, 'utf8'))?.[0] ?? '/';
  const search = `/api/search?limit=20&q=${encodeURIComponent(agent.name)}`;
  await measureCached(bench, 'one agent', toPath(agent), { floor: small });
  await measureCached(bench, 'statistics', '/api/stats', { floor: small });
  await measureCached(bench, 'a search', search, { floor: small });
  await measureCached(bench, 'the list, not modified', '/api/agents', { floor: small, isRevalidation: true });
  await measureCached(bench, 'the list', '/api/agents', { floor: list });
  await measureCached(bench, 'the list, brotli', '/api/agents', { floor: list, encoding: 'br' });
  await measureCached(bench, 'a category', `/api/agents/category/${agent.category}`, { floor: list });
  await measureCached(bench, 'the home page, brotli', '/', { encoding: 'br' });
  await measureCached(bench, 'an asset, brotli', asset, { encoding: 'br' });
}

async function measureCached(
  bench: Bench,
  name: string,
  path: string,
  how: { floor?: number; encoding?: string; isRevalidation?: boolean },
): Promise<void> {
  const { floor, encoding = 'identity', isRevalidation = false } = how;
  const headers: Record<string, string> = { 'accept-encoding': encoding };
  // The second response is a cached one.
  await copyToBare(bench, path, headers);
  let copied = await copyToBare(bench, path, headers);
  if (isRevalidation) {
    headers['if-none-match'] = copied.headers.etag ?? '';
    copied = await copyToBare(bench, path, headers);
  }
  const encoded = copied.headers['content-encoding'] ?? 'identity';
  if (copied.status !== (isRevalidation ? 304 : 200) || (!isRevalidation && encoded !== encoding)) {
    throw new Error(`${name}: the response has status ${copied.status} and encoding ${encoded}.`);
  }
  const load = { requests: [{ path }], headers, seconds: bench.seconds };
  await measureInTurns(bench, `${name}, ${count(copied.bytes)} bytes`, load, floor);
}

/** Measures cache misses: each agent is read once, after a registration has invalidated the cache. */
async function measureUncachedReads(bench: Bench): Promise<void> {
  const requests = bench.corpus.agents.map((agent) => ({ path: toPath(agent) }));
  await copyToBare(bench, undefined, {});
  const load = { requests, headers: { 'accept-encoding': 'identity' }, amount: requests.length };
  await measureInTurns(bench, 'one agent, not cached', load, floors.uncached, () => register(bench));
}

async function measureInTurns(
  bench: Bench,
  name: string,
  load: Load,
  floor?: number,
  before = async () => {},
): Promise<void> {
  const row: Row = { name, ours: [], limit: [], ...(floor !== undefined && { floor }) };
  // The first round warms up the just-in-time compiler.
  for (let round = 0; round <= bench.rounds; round += 1) {
    await before();
    const ours = await sendLoad(bench.server, load);
    const limit = await sendLoad(bench.bare, load);
    if (round === 0) continue;
    row.ours.push(ours);
    row.limit.push(limit);
  }
  bench.rows.push(row);
  console.error(toCells(row).join('  '));
}

/** Measures reads of one agent after the other during registrations. */
async function measureReadsBesideRegistrations(bench: Bench): Promise<number[]> {
  const { server, corpus, rounds, seconds } = bench;
  const until = sendLoad(server, {
    requests: toRegistrations(1_000, 2),
    seconds: rounds * seconds,
    rate: REGISTRATIONS_PER_SECOND,
  });
  const times = await timeReads(server, corpus.agents.map(toPath), { until });
  // The first reads open the connection.
  return times.slice(10);
}

/** Measures registrations over HTTP next to raw inserts, each on a copy of the database. */
async function measureRegistering(bench: Bench): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-bench-'));
  const row: Row = { name: 'registering', ours: [], limit: [], floor: floors.register };
  try {
    const [oursFile, rawFile] = [join(folder, 'ours.db'), join(folder, 'raw.db')];
    const original = new SQLite(toFile(bench.corpus.url));
    await original.backup(oursFile);
    original.close();
    await copyFile(oursFile, rawFile);
    const server = await startServer(`file:${oursFile}`);
    for (let round = 0; round <= bench.rounds; round += 1) {
      const ours = await sendLoad(server, { requests: toRegistrations(5_000, 10 + round), seconds: bench.seconds });
      const perSecond = await insertRaw(rawFile, bench.seconds, 10 + round);
      if (round === 0) continue;
      row.ours.push(ours);
      row.limit.push({ perSecond, processorTime: Number.NaN });
    }
    await server.stop();
  } finally {
    await rm(folder, { recursive: true });
  }
  bench.rows.push(row);
}

async function insertRaw(file: string, seconds: number, seed: number): Promise<number> {
  const script = join(import.meta.dirname, 'raw-inserts.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, file, `${seconds}`, `${seed}`]);
  return Number(stdout);
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

/** Copies a response of our server to the bare one; without a path, the bare server sends rows. */
async function copyToBare({ server, bare }: Bench, path: string | undefined, headers: Record<string, string>) {
  const body = JSON.stringify({ ...(path !== undefined && { url: server.url + path }), headers });
  const response = await fetch(bare.url, { method: 'PUT', body });
  return (await response.json()) as { status: number; headers: Record<string, string>; bytes: number };
}

function toCells({ name, ours, limit, floor }: Row): string[] {
  const rate = (results: LoadResult[]) => count(median(results.map(({ perSecond }) => perSecond)));
  const byRate = median(ours.map(({ perSecond }, round) => perSecond / (limit[round]?.perSecond ?? Number.NaN)));
  const byTime = median(
    ours.map(({ processorTime }, round) => (limit[round]?.processorTime ?? Number.NaN) / processorTime),
  );
  const format = (ratio: number) => (Number.isNaN(ratio) ? '' : ratio.toFixed(2));
  // If the client is the bottleneck, the rates differ less than the servers do.
  const isLimitBusy = median(limit.map(({ perSecond, processorTime }) => perSecond * processorTime)) >= BUSY;
  const isMet = floor === undefined || (byRate >= floor && (isLimitBusy || !(byTime < floor)));
  return [
    name,
    rate(ours),
    rate(limit),
    format(byRate),
    format(byTime),
    floor === undefined ? '' : `≥ ${floor.toFixed(2)}`,
    floor === undefined ? '' : verdict(isMet),
  ];
}

const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
