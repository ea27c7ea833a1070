// A step of `pnpm soak`: attacks the built server with its defaults, and measures what ordinary visitors get meanwhile.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Agent } from '@agent-registry/contracts';
import { builtServer, startServerProcess } from '../../apps/api/src/testing/processes.ts';
import { startTcpProxy, type TcpProxy } from '../../apps/api/src/testing/tcp-proxy.ts';
import { engineNames, withCorpus } from './corpus.ts';
import {
  inventForms,
  pick,
  readUncached,
  registerNewWords,
  searchInBatches,
  searchMisspelled,
  sendLongAccept,
  type Attack,
} from './attack-requests.ts';
import { measureAnswers } from './answer-attacks.ts';
import { measureFiles } from './file-attacks.ts';
import { flood, holdConnections, type Counts } from './flood.ts';
import { measureLongTexts } from './long-texts.ts';
import { count, createReport, median, megabytes, ms, p99, type Report } from './report.ts';
import { measureReadCosts, type ReadCost } from './read-costs.ts';
import { readMemory, startServer } from './server.ts';
import { startVisits, VISIT_INTERVAL, visit, type Visits } from './visitors.ts';

/** Memory that the process must not exceed, in bytes. */
const MAX_MEMORY = 512 * 2 ** 20;
/** File descriptors of the process, a common default. */
const DESCRIPTORS = 1_024;
const AGENTS = 10_000;
/** The aim for the 99th percentile of one agent, in milliseconds. */
const MAX_P99 = 100;
/** How long a database connection is lost, and how long reads may stay away afterwards, in milliseconds. */
const OUTAGE = { lasts: 5_000, recovery: 10_000 };
/** Most forms that a limit may let pass: two minutes' worth, because a run may touch two. */
const MAX_PASSED = 2 * (600 + 60);

/** The time until reads succeed again after an outage, in milliseconds. */
const READS_BACK = 'reads back after ms';

/** The attacks by name; docs/limits.md says what stops them. */
const attacks = {
  'open idle or slow connections': (attack: Attack) =>
    holdConnections(attack, 2_000, () => 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  'request and not read': (attack: Attack) =>
    holdConnections(attack, 150, (index) => `GET /api/agents?x=${index} HTTP/1.1\r\nHost: x\r\n\r\n`),
  'read what is not cached: searches, rare pages': (attack: Attack) => flood(attack, 32, readUncached(attack)),
  'search for ten misspelled words': (attack: Attack) => flood(attack, 32, searchMisspelled),
  'search in tRPC batches': (attack: Attack) => flood(attack, 8, searchInBatches),
  'request Open Graph images': (attack: Attack) =>
    flood(attack, 100, (index) => ({ path: `/agent/${pick(attack.ids, index)}/picture.png` })),
  'invent forms that no limit counts': (attack: Attack) => flood(attack, 32, inventForms(attack)),
  'be refused with 12 kB of Accept': (attack: Attack) => flood(attack, 32, sendLongAccept),
  'register agents with thousands of new words': (attack: Attack) => flood(attack, 10, registerNewWords),
};
type AttackName = keyof typeof attacks;
type AttackData = { name: AttackName; url: string; ids: readonly string[]; seconds: number };

/** With READ_LIMIT=0, a client's turns alone hold it back. */
const withoutReadLimit: Partial<Record<AttackName, string>> = {
  'read what is not cached: searches, rare pages': 'the same reads, READ_LIMIT=0',
  'search for ten misspelled words': 'the same words, READ_LIMIT=0',
  'search in tRPC batches': 'the same batches, READ_LIMIT=0',
};

/** The attacks that make the database work. */
const onPostgres: readonly AttackName[] = [
  'read what is not cached: searches, rare pages',
  'search for ten misspelled words',
  'search in tRPC batches',
  'invent forms that no limit counts',
  'register agents with thousands of new words',
];

/** What an attack did, what visitors got, the peak of the memory in bytes, and what must not happen but did. */
type Row = { name: string; counts: Counts; visits: Visits; memory: number; failures: string[] };

if (isMainThread) {
  await runAttacks();
} else {
  const { name, url, ids, seconds } = workerData as AttackData;
  const end = performance.now() + seconds * 1_000;
  const counts = await attacks[name]({ url, ids, isOver: () => performance.now() > end });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  parentPort?.postMessage(counts);
}

async function runAttacks(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((argument) => argument !== '--'),
    options: { seconds: { type: 'string', default: '10' } },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) {
    console.error('Usage: node bench/src/attacks.ts [--seconds 10]');
    process.exit(2);
  }
  const report = createReport('attacks');
  const rows: Row[] = [];
  const costs: ReadCost[] = [];
  for (const engine of engineNames) {
    await withCorpus(engine, AGENTS, async (corpus) => {
      const { url: databaseUrl, agents } = corpus;
      const toLabel = (label: string) => (engine === 'sqlite' ? label : `${label}, PostgreSQL`);
      rows.push(await measure(toLabel('no attack'), { databaseUrl, agents, run: () => wait(seconds * 1_000, {}) }));
      for (const cost of await measureReadCosts(corpus)) costs.push({ ...cost, name: toLabel(cost.name) });
      const ids = agents.slice(0, AGENTS / 2).map(({ id }) => id);
      for (const name of engine === 'sqlite' ? (Object.keys(attacks) as AttackName[]) : onPostgres) {
        const run = (url: string) => runInThread({ name, url, ids, seconds });
        rows.push(await measure(toLabel(name), { databaseUrl, agents, run }));
        const label = withoutReadLimit[name];
        if (label) rows.push(await measure(toLabel(label), { databaseUrl, agents, env: { READ_LIMIT: '0' }, run }));
      }
    });
  }
  await withCorpus('postgres', 1_000, async ({ url, agents }) => {
    const proxied = new URL(url);
    const proxy = await startTcpProxy(Number(proxied.port));
    proxied.port = String(proxy.port);
    const run = (address: string) => loseConnections(address, proxy, agents);
    rows.push(await measure('a lost PostgreSQL connection', { databaseUrl: proxied.href, agents, run }));
    proxy.close();
  });
  const expensive = costs.filter(({ isTooMuch }) => isTooMuch);
  const failures = [
    ...rows.flatMap((row) => row.failures),
    ...expensive.map(({ name, cores }) => `${name}: one address takes ${cores.toFixed(2)} cores`),
    ...(await measureFiles(report)).concat(await measureAnswers(report)),
  ];
  describeRows(report, rows, seconds);
  report.addTable(
    'What a read of each kind that is not cached costs in processor of the server, how many reads of `READ_LIMIT` it counts as, and how many cores one address takes with all of its reads.',
    ['read', 'processor in ms', 'counts as', 'cores'],
    costs.map(({ name, processor, reads, cores }) => [name, ms(processor), reads.toFixed(1), cores.toFixed(2)]),
  );
  await withCorpus('sqlite', 1_000, async ({ url: databaseUrl, agents }) => {
    const server = await startServer(databaseUrl);
    failures.push(...(await measureLongTexts(report, { ...server, id: agents[0]?.id ?? '' })));
    await server.stop();
  });
  report.add(
    failures.length === 0
      ? `Passed: memory stays below ${MAX_MEMORY / 2 ** 20} MiB, one address takes at most a quarter of a core, limits hold, reads come back, and long texts are cheap.`
      : `Failed: ${failures.join('; ')}.`,
  );
  report.save();
  if (failures.length > 0) process.exitCode = 1;
}

type Measurement = {
  databaseUrl: string;
  agents: readonly Agent[];
  env?: Record<string, string>;
  run: (url: string) => Promise<Counts>;
};

/** Starts a server with the defaults, and visits it during an attack. */
async function measure(name: string, { databaseUrl, agents, env, run }: Measurement): Promise<Row> {
  console.error(name);
  const defaults = {
    READ_LIMIT: '',
    REGISTER_LIMIT: '',
    REGISTER_LIMIT_GLOBAL: '',
  };
  const wrapper = spawnSync('prlimit', ['--version']).status === 0 ? ['prlimit', `--nofile=${DESCRIPTORS}`] : [];
  const heap = { NODE_OPTIONS: `--max-old-space-size=${MAX_MEMORY / 2 ** 21}` };
  const settings = { ...defaults, ...heap, DATABASE_URL: databaseUrl, PORT: '0', SHUTDOWN_DELAY: '0', ...env };
  const server = await startServerProcess(tmpdir(), settings, { wrapper, server: builtServer });
  const ending = new AbortController();
  // Attackers read the other half of the agents.
  const visiting = await startVisits(server.url, agents.slice(agents.length / 2), ending.signal);
  const counts = await run(server.url);
  ending.abort();
  const visits = await visiting.done;
  const memory = readMemory(server.pid).peak;
  const failures = findFailures({ name, counts, visits, memory }, await server.stop('SIGTERM'));
  return { name, counts, visits, memory, failures: failures.map((failure) => `${name}: ${failure}`) };
}

function findFailures({ name, counts, visits, memory }: Omit<Row, 'failures'>, exitCode: number | null): string[] {
  const failures: string[] = [];
  if (exitCode !== 0) failures.push(`the server exited with ${exitCode}`);
  if (memory > MAX_MEMORY) failures.push(`the process took ${megabytes(memory)} MB`);
  const errors = [...visits.statuses].filter(([status]) => status.startsWith('5') && status !== '503');
  for (const [status, times] of errors) failures.push(`visitors got ${status} ${times} times`);
  const passed = Object.entries(counts).filter(([what]) => /^[1-5]\d\d$/.test(what) && !['429', '503'].includes(what));
  if (name.startsWith('invent forms') && passed.reduce((sum, [, times]) => sum + times, 0) > MAX_PASSED) {
    failures.push(`more than ${MAX_PASSED} were not refused`);
  }
  const { [READS_BACK]: delay = 0 } = counts;
  if (delay > OUTAGE.recovery) failures.push(`reads came back ${ms(delay)} ms after the database`);
  return failures;
}

/** Runs an attack in a thread, so that it does not delay the visitors' clock. */
async function runInThread(data: AttackData): Promise<Counts> {
  const worker = new Worker(new URL(import.meta.url), { workerData: data });
  const [counts] = (await once(worker, 'message')) as [Counts];
  await worker.terminate();
  return counts;
}

/** Stops the bytes between server and database for some seconds, and waits until reads succeed again. */
async function loseConnections(url: string, proxy: TcpProxy, agents: readonly Agent[]): Promise<Counts> {
  await wait(1_000);
  proxy.mute();
  await wait(OUTAGE.lasts);
  proxy.unmute();
  const begin = performance.now();
  for (let index = 0; performance.now() - begin < 6 * OUTAGE.recovery; index += 1) {
    const { id } = agents.at(-1 - index) as Agent;
    if ((await visit(`${url}/api/agents/${id}`, { localAddress: '127.0.0.3' })) === '200') break;
    await wait(100);
  }
  const delay = performance.now() - begin;
  await wait(2_000);
  return { [READS_BACK]: delay };
}

function describeRows(report: Report, rows: readonly Row[], seconds: number): void {
  const share = ({ total, failed }: { total: number; failed: number }) => `${((failed / total) * 100).toFixed(1)} %`;
  report.addTable(
    `Attackers at full speed for ${seconds} s each on the built server with its defaults, ${DESCRIPTORS} descriptors and ${count(AGENTS)} agents; one address each, except the words. Times of ${1_000 / VISIT_INTERVAL} visits a second in ms.`,
    ['attack', 'agent p50', 'agent p99', 'page p50', 'page p99', 'failed', 'failed, new connection', 'memory in MB'],
    rows.map(({ name, visits, memory }) => [
      name,
      ...[median(visits.agent), p99(visits.agent), median(visits.page), p99(visits.page)].map(ms),
      share(visits.open),
      share(visits.new),
      megabytes(memory),
    ]),
  );
  const list = (counts: Iterable<[string, number]>) =>
    Array.from(counts, ([what, times]) => `${what}: ${count(times)}`).join(', ');
  report.addTable(
    'What attackers and visitors got, by status.',
    ['attack', 'attackers', 'visitors'],
    rows.map(({ name, counts, visits }) => [name, list(Object.entries(counts)), list(visits.statuses)]),
  );
  const late = rows.filter(({ visits }) => p99(visits.agent) > MAX_P99).map(({ name }) => name);
  const verdict = late.length === 0 ? 'met' : `missed at ${late.join('; ')}`;
  report.add(`The aim of ${MAX_P99} ms for the p99 of one agent: ${verdict}.`);
}
