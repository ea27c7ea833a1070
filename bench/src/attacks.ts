// A step of `pnpm soak`: attacks the built server with its defaults, and measures what ordinary visitors get meanwhile.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent as HttpAgent, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { Agent } from '@agent-registry/contracts';
import { builtServer, startServerProcess } from '../../apps/api/src/testing/processes.ts';
import { startTcpProxy } from '../../apps/api/src/testing/tcp-proxy.ts';
import type { AttackData, AttackName, AttackResult } from './attack-clients.ts';
import { withCorpus } from './corpus.ts';
import { count, createReport, median, megabytes, ms, p99, type Report } from './report.ts';
import { readMemory } from './server.ts';

/** Memory that the process must not exceed, in bytes. */
const MAX_MEMORY = 512 * 2 ** 20;
/** File descriptors of the process, a common default. */
const DESCRIPTORS = 1_024;
const AGENTS = 10_000;
/** The aim for the 99th percentile of one agent, in milliseconds. */
const MAX_P99 = 100;
/** Time between two visits, in milliseconds. Half of them come over connections that were open before. */
const VISIT_INTERVAL = 25;
/** Ordinary visitors, each with an address. */
const VISITORS = 20;
/** How long a visitor waits, in milliseconds. */
const PATIENCE = 10_000;
/** How long a database connection is lost, in seconds. */
const OUTAGE = 5;
const OPERATIONS = join(import.meta.dirname, '../../docs/operations.md');

/** What visitors got. */
type Visits = {
  /** Times of successful reads of one agent, in milliseconds. */
  agent: number[];
  /** Times of successful reads of pages and searches, in milliseconds. */
  page: number[];
  /** Visits over connections that were open before, and those of them that failed. */
  open: { total: number; failed: number };
  /** Visits over new connections, and those of them that failed. */
  new: { total: number; failed: number };
  statuses: Map<string, number>;
};
type Row = { name: string; result: string; visits: Visits; memory: number };
type Target = { url: string; pid: number };

/** Without one client's limit of reads, its turns alone hold it back. */
const unlimited = { READ_LIMIT: '0' };
const attacks: { name: AttackName; label?: string; env?: Record<string, string> }[] = [
  { name: 'open idle or slow connections' },
  { name: 'request and not read' },
  { name: 'read what is not cached: searches, rare pages' },
  { name: 'read what is not cached: searches, rare pages', label: 'the same reads, READ_LIMIT=0', env: unlimited },
  { name: 'search in tRPC batches' },
  { name: 'search in tRPC batches', label: 'the same batches, READ_LIMIT=0', env: unlimited },
  { name: 'request Open Graph images' },
  { name: 'invent forms that no limit counts' },
  { name: 'register agents with thousands of new words' },
];
/** Most forms that a limit may let pass: two minutes' worth, because a run may touch two. */
const MAX_PASSED = 2 * (600 + 60);

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: { seconds: { type: 'string', default: '10' }, docs: { type: 'boolean', default: false } },
});
const seconds = Number(values.seconds);
if (!(seconds > 0)) {
  console.error('Usage: node bench/src/attacks.ts [--seconds 10] [--docs]');
  process.exit(2);
}

const report = createReport('attacks');
const failures: string[] = [];
const rows: Row[] = [];
await withCorpus('sqlite', AGENTS, async ({ url, agents }) => {
  rows.push(await measure('no attack', url, agents, {}, () => wait(seconds * 1_000, {})));
  for (const { name, label = name, env = {} } of attacks) {
    const run = ({ url: address }: Target) =>
      attack({ name, url: address, seconds, ids: agents.slice(0, AGENTS / 2).map(({ id }) => id) });
    rows.push(await measure(label, url, agents, env, run));
  }
});
await withCorpus('postgres', 1_000, async ({ url, agents }) => {
  const proxied = new URL(url);
  const proxy = await startTcpProxy(Number(proxied.port));
  proxied.port = String(proxy.port);
  const run = ({ url: address }: Target) => loseConnections(address, proxy, agents);
  rows.push(await measure('a lost PostgreSQL connection', proxied.href, agents, {}, run));
  proxy.close();
});
describeResults(report);
report.save();
if (values.docs) updateDocs();
if (failures.length > 0) process.exitCode = 1;

/** Starts a server with the defaults, and visits it while something is done to it. */
async function measure(
  name: string,
  databaseUrl: string,
  agents: readonly Agent[],
  env: Record<string, string>,
  run: (target: Target) => Promise<AttackResult>,
): Promise<Row> {
  const defaults = { READ_LIMIT: '', REGISTER_LIMIT: '', REGISTER_LIMIT_GLOBAL: '', EDIT_LIMIT: '' };
  const limited = { NODE_OPTIONS: `--max-old-space-size=${MAX_MEMORY / 2 ** 21}` };
  const wrapper = spawnSync('prlimit', ['--version']).status === 0 ? ['prlimit', `--nofile=${DESCRIPTORS}`] : [];
  const settings = { ...defaults, ...limited, DATABASE_URL: databaseUrl, PORT: '0', SHUTDOWN_DELAY: '0', ...env };
  const server = await startServerProcess(tmpdir(), settings, wrapper, builtServer);
  const ending = new AbortController();
  // Attackers read the other half of the agents.
  const visiting = await startVisits(server.url, agents.slice(agents.length / 2), ending.signal);
  const result = await run(server);
  ending.abort();
  const visits = await visiting.done;
  const memory = readMemory(server.pid).peak;
  const exitCode = await server.stop('SIGTERM');
  if (exitCode !== 0) failures.push(`${name}: the server exited with ${exitCode}`);
  if (memory > MAX_MEMORY) failures.push(`${name}: the process took ${megabytes(memory)} MB`);
  const errors = [...visits.statuses].filter(([status]) => status.startsWith('5') && status !== '503');
  for (const [status, times] of errors) failures.push(`${name}: visitors got ${status} ${times} times`);
  const passed = Object.entries(result).filter(([what]) => /^[1-5]\d\d$/.test(what) && !['429', '503'].includes(what));
  if (name.startsWith('invent forms') && passed.reduce((sum, [, times]) => sum + times, 0) > MAX_PASSED) {
    failures.push(`${name}: more than ${MAX_PASSED} were not refused`);
  }
  const parts = Object.entries(result).map(([what, times]) => `${what}: ${count(times)}`);
  return { name, result: parts.join(', '), visits, memory };
}

/** Runs an attack in a thread of its own. */
async function attack(data: AttackData): Promise<AttackResult> {
  const worker = new Worker(new URL('./attack-clients.ts', import.meta.url), { workerData: data });
  const [result] = (await once(worker, 'message')) as [AttackResult];
  await worker.terminate();
  return result;
}

/** Stops the bytes between server and database for some seconds, and waits until reads succeed again. */
async function loseConnections(
  url: string,
  proxy: Awaited<ReturnType<typeof startTcpProxy>>,
  agents: readonly Agent[],
): Promise<AttackResult> {
  await wait(1_000);
  proxy.mute();
  await wait(OUTAGE * 1_000);
  proxy.unmute();
  const begin = performance.now();
  for (let index = 0; performance.now() - begin < 60_000; index += 1) {
    const { id } = agents.at(-1 - index) as Agent;
    const what = await visit(`${url}/api/agents/${id}`, { localAddress: '127.0.0.3' });
    if (what === '200') break;
    await wait(100);
  }
  const delay = performance.now() - begin;
  if (delay > 10_000) failures.push(`reads came back ${ms(delay)} ms after the database`);
  await wait(2_000);
  return { 'reads back after ms': delay };
}

/** Starts ordinary visitors: half read one agent, half read pages and searches, whether or not others wait. */
async function startVisits(url: string, agents: readonly Agent[], ending: AbortSignal) {
  const visits: Visits = {
    agent: [],
    page: [],
    open: { total: 0, failed: 0 },
    new: { total: 0, failed: 0 },
    statuses: new Map(),
  };
  const known = Array.from(
    { length: VISITORS },
    (_, index) => new HttpAgent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.1.${1 + index}` }),
  );
  for (const agent of known) await visit(`${url}/api/stats`, { agent });
  const pending = new Set<Promise<void>>();
  const done = (async () => {
    for (let index = 0; !ending.aborted; index += 1) {
      const one = visitOnce(index).finally(() => pending.delete(one));
      pending.add(one);
      await wait(VISIT_INTERVAL);
    }
    await Promise.all(pending);
    for (const agent of known) agent.destroy();
    return visits;
  })();
  return { done };

  async function visitOnce(index: number): Promise<void> {
    const { id, name } = agents[index % agents.length] as Agent;
    const word = encodeURIComponent(name.split(' ')[0] ?? '');
    const pages = ['/', `/agent/${id}`, `/api/search?q=${word}&limit=20`, `/?q=${word}`];
    const isAgent = Math.floor(index / 2) % 2 === 0;
    const path = isAgent ? `/api/agents/${id}` : (pages[Math.floor(index / 4) % pages.length] as string);
    const isNew = index % 2 === 1;
    const agent = isNew ? undefined : known[(index / 2) % known.length];
    const begin = performance.now();
    const what = await visit(url + path, agent ? { agent } : { localAddress: `127.0.2.${1 + (index % 200)}` });
    visits.statuses.set(what, (visits.statuses.get(what) ?? 0) + 1);
    const tally = isNew ? visits.new : visits.open;
    tally.total += 1;
    if (what !== '200') tally.failed += 1;
    else visits[isAgent ? 'agent' : 'page'].push(performance.now() - begin);
  }
}

/** Reads a URL to its end; returns the status or what went wrong. */
function visit(url: string, from: { agent: HttpAgent } | { localAddress: string }): Promise<string> {
  return new Promise((resolve) => {
    const options = 'agent' in from ? from : { ...from, agent: false };
    const sent = get(url, { ...options, signal: AbortSignal.timeout(PATIENCE) }, (response) => {
      response.resume();
      response.once('error', () => resolve('broken off'));
      response.once('end', () => resolve(String(response.statusCode)));
    });
    sent.once('error', (error) => resolve(error.name === 'AbortError' ? 'no response in time' : 'no connection'));
  });
}

function describeResults(results: Report): void {
  const share = ({ total, failed }: { total: number; failed: number }) => `${((failed / total) * 100).toFixed(1)} %`;
  results.addTable(
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
  const toStatuses = ({ statuses }: Visits) =>
    [...statuses].map(([what, times]) => `${what}: ${count(times)}`).join(', ');
  results.addTable(
    'What attackers and visitors got, by status.',
    ['attack', 'attackers', 'visitors'],
    rows.map(({ name, result, visits }) => [name, result, toStatuses(visits)]),
  );
  const late = rows.filter(({ visits }) => p99(visits.agent) > MAX_P99).map(({ name }) => name);
  results.add(
    `The aim of ${MAX_P99} ms for the p99 of one agent: ${late.length === 0 ? 'met' : `missed at ${late.join('; ')}`}.`,
  );
  results.add(
    failures.length === 0
      ? `Passed: memory stays below ${MAX_MEMORY / 2 ** 20} MiB, limits hold, and reads come back.`
      : `Failed: ${failures.join('; ')}.`,
  );
}

/** Writes the figures into the table of docs/operations.md, into the column before the last. */
function updateDocs(): void {
  const lines = readFileSync(OPERATIONS, 'utf8').split('\n');
  for (const { name, visits } of rows) {
    const index = lines.findIndex((line) => line.startsWith(`| ${name} `));
    const cells = lines[index]?.split(' | ');
    if (!cells) continue;
    const failed = visits.open.failed + visits.new.failed;
    const share = (failed / (visits.open.total + visits.new.total)) * 100;
    cells[cells.length - 2] = `${ms(median(visits.agent))} / ${ms(p99(visits.agent))} ms, ${share.toFixed(1)} % failed`;
    lines[index] = cells.join(' | ');
  }
  writeFileSync(OPERATIONS, lines.join('\n'));
}
