import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { createAgentStore } from '../../apps/api/src/stores.ts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { startServerProcess } from '../../apps/api/src/testing/processes.ts';
import { makeFile, makePostgres, toFile, type BenchOptions, type EngineName } from './corpus.ts';
import { sendLoad, timeReads, type Load } from './load.ts';
import { count, createReport, median, ms, p99, RESULTS } from './report.ts';
import { readProcessorTime, startServer, type Server } from './server.ts';

/** Limits that count and are not reached. */
const limits = { READ_LIMIT: '1000000', REGISTER_LIMIT: '1000000', REGISTER_LIMIT_GLOBAL: '1000000' };
/** Agents in each server before it is measured. */
const SIZE = 1_000;
const REGISTRATIONS_PER_SECOND = 50;
/** The floor of reads beside registrations, in milliseconds. */
const MAX_P99 = 5;
/** The part of a core that other programs may take. */
const MAX_OTHERS = 0.1;
/** The measured commits of each size. */
const [COMMITS, GROUP] = [50, 10];

const reads: Record<string, (agents: { id: string; name: string; category: string }[]) => string> = {
  'one agent': ([agent]) => `/api/agents/${agent?.id}`,
  'a search': ([agent]) => `/api/search?limit=20&q=${encodeURIComponent(agent?.name ?? '')}`,
  'a category': ([agent]) => `/api/agents/category/${agent?.category}`,
  'the list': () => '/api/agents',
  'the list, not modified': () => '/api/agents',
};

/** Requests a second, and processor time of each in µs. */
type Measured = { perSecond: number; time: number };
/** A server with its results by kind, a round after the other. */
type Subject = { name: string; server: Server; results: Map<string, Measured[]> };

/** Measures this version beside a named commit, Express with Drizzle, and bare Node, in turns: reads, then registrations. */
export async function benchService(options: BenchOptions): Promise<void> {
  const report = createReport('service');
  const against = options.against ?? findMeasuredCommit();
  const commits = against === undefined ? [] : [{ name: against, folder: buildCommit(against) }];
  for (const engine of options.engines) {
    const places = await Promise.all([0, 1, 2].map(() => (engine === 'sqlite' ? makeFile() : makePostgres())));
    const urls = places.map(({ url }) => url);
    const subjects = await startSubjects(engine, urls, commits);
    const others: number[] = [];
    const kinds = [...Object.keys(reads), 'registering'];
    for (const name of kinds) {
      // The first round, which does not count, warms up the just-in-time compiler.
      for (let round = 0; round <= options.rounds; round += 1) {
        for (const subject of subjects) {
          if (name === 'registering' && subject.name === 'bare Node') continue;
          const load = await toLoad(subject, name, round);
          const measured = await measure(subject, { ...load, seconds: options.seconds }, others);
          if (round > 0) subject.results.set(name, [...(subject.results.get(name) ?? []), measured]);
        }
      }
    }
    report.addTable(
      `${engine}: ${count(SIZE)} agents, 10 connections, medians of ${options.rounds} rounds of ${options.seconds} s in turns; ratios with their least and greatest; time is that of the processor, in µs.`,
      ['', 'per second', 'time', ...subjects.slice(1).map(({ name }) => `÷ ${name}`), 'time ÷ bare Node'],
      kinds.map((name) => toCells(subjects, name)),
    );
    report.add(await measureReadsBesideRegistrations(subjects[0]?.server as Server, options));
    const most = Math.max(...others);
    if (most > MAX_OTHERS)
      report.add(`The machine was too busy: other programs took up to ${most.toFixed(2)} of a core.`);
    await Promise.all(subjects.map(({ server }) => server.stop()));
    await Promise.all(places.map((place) => place.remove()));
  }
  for (const { folder } of commits) execFileSync('git', ['worktree', 'remove', '--force', folder], repository);
  report.addTable(
    `What a registration writes to the log of SQLite after ${count(SIZE)} others, means of ${COMMITS} commits.`,
    ['registrations of a commit', 'kB each'],
    await measureLog(),
  );
  report.save();
}

/** The commit of the page of results. */
function findMeasuredCommit(): string | undefined {
  const page = join(RESULTS, 'service.md');
  return existsSync(page) ? /commit ([\da-f]+)/.exec(readFileSync(page, 'utf8'))?.[1] : undefined;
}

const repository = { cwd: import.meta.dirname, stdio: 'inherit' } as const;

/** Builds a commit in a folder of its own, which is returned. */
function buildCommit(commit: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-registry-commit-'));
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: folder, stdio: 'inherit' });
  execFileSync('git', ['worktree', 'add', '--detach', folder, commit], repository);
  run('npx', '-y', 'pnpm@12', 'install', '--recursive', '--prefer-offline');
  run('npx', '-y', 'pnpm@12', 'run', 'build');
  return folder;
}

async function startSubjects(
  engine: EngineName,
  [url = '', urlOfOther = '', urlOfPlain = '']: string[],
  commits: readonly { name: string; folder: string }[],
): Promise<Subject[]> {
  const options = { writeBytesPerDay: 2_000_000_000 };
  const ours = await startServer(url, limits, options);
  const started: [string, Server][] = [['this version', ours]];
  for (const { name, folder } of commits) {
    const how = { server: join(folder, 'apps/api/dist/start.js') };
    started.push([name, await startServer(urlOfOther, limits, options, how)]);
  }
  const plain = { DATABASE_FILE: toFile(urlOfPlain) };
  if (engine === 'sqlite') started.push(['Express and Drizzle', await startEntry('plain-server.ts', plain)]);
  for (const [, server] of started) await sendLoad(server, { requests: makeRegistrations(SIZE, 1), amount: SIZE });
  started.push(['bare Node', await startEntry('bare-server.ts', { ORIGIN: ours.url })]);
  return started.map(([name, server]) => ({ name, server, results: new Map() }));
}

async function startEntry(file: string, env: Record<string, string>): Promise<Server> {
  const server = await startServerProcess(tmpdir(), env, { entry: [join(import.meta.dirname, file)] });
  return { ...server, stop: () => server.stop('SIGTERM') };
}

async function toLoad({ server: { url } }: Subject, name: string, round: number): Promise<Load> {
  if (name === 'registering') return { requests: makeRegistrations(4_000, 10 + round) };
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  const agents = (await (await fetch(`${url}/api/agents`)).json()) as Parameters<(typeof reads)[string]>[0];
  const path = reads[name]?.(agents.toSorted((one, other) => (one.name < other.name ? -1 : 1))) ?? '';
  const response = await fetch(url + path, { headers });
  await response.bytes();
  if (name.endsWith('not modified')) headers['if-none-match'] = response.headers.get('etag') ?? '';
  return { requests: [{ path }], headers };
}

/** Measures a round, and what other programs take of a core meanwhile. */
async function measure({ server }: Subject, load: Load, others: number[]): Promise<Measured> {
  const readBusy = () => cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0);
  const [begin, busy, own] = [performance.now(), readBusy(), process.cpuUsage()];
  const before = readProcessorTime(server.pid);
  const { perSecond, processorTime } = await sendLoad(server, load);
  const { user, system } = process.cpuUsage(own);
  const ofServer = (readProcessorTime(server.pid) - before) * 1_000;
  others.push((readBusy() - busy - (user + system) / 1_000 - ofServer) / (performance.now() - begin));
  return { perSecond, time: processorTime * 1e6 };
}

function toCells([ours, ...others]: readonly Subject[], name: string): string[] {
  const own = ours?.results.get(name) ?? [];
  const toRatio = ({ results }: Subject, value: 'perSecond' | 'time') => {
    const ratios = (results.get(name) ?? []).map((other, round) => (own[round]?.[value] ?? 0) / other[value]);
    if (ratios.length === 0) return '';
    const [middle, least, greatest] = [median(ratios), Math.min(...ratios), Math.max(...ratios)];
    return `${middle.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`;
  };
  const bare = others.at(-1) as Subject;
  return [
    name,
    count(median(own.map(({ perSecond }) => perSecond))),
    count(median(own.map(({ time }) => time))),
    ...others.map((other) => toRatio(other, 'perSecond')),
    toRatio(bare, 'time'),
  ];
}

async function measureReadsBesideRegistrations(server: Server, { rounds, seconds }: BenchOptions): Promise<string> {
  const requests = makeRegistrations(1_000, 2);
  const until = sendLoad(server, { requests, seconds: rounds * seconds, rate: REGISTRATIONS_PER_SECOND });
  const agents = (await (await fetch(`${server.url}/api/agents?limit=100`)).json()) as { id: string }[];
  const paths = agents.map(({ id }) => `/api/agents/${id}`);
  const times = await timeReads(server, paths, { until });
  const verdict = p99(times) < MAX_P99 ? 'met' : 'missed';
  return `One agent beside ${REGISTRATIONS_PER_SECOND} registrations a second, ${count(times.length)} reads: p50 ${ms(median(times))} ms, p99 ${ms(p99(times))} ms (${verdict}: under ${MAX_P99} ms).`;
}

function makeRegistrations(size: number, seed: number) {
  return Array.from(makeCorpus(size, seed), (agent) => ({
    path: '/api/agents',
    body: JSON.stringify(toNewAgent(agent)),
  }));
}

async function measureLog(): Promise<string[][]> {
  const { url, remove } = await makeFile();
  const { engine } = await openDatabase(url);
  const store = createAgentStore(engine);
  const file = new SQLite(toFile(url));
  const agents = [...makeCorpus(SIZE + COMMITS * (1 + GROUP), 7)].map((agent) => toNewAgent(agent));
  for (const agent of agents.splice(0, SIZE)) await store.register(agent, {});
  const rows: string[][] = [];
  for (const size of [1, GROUP]) {
    let bytes = 0;
    for (let commit = 0; commit < COMMITS; commit += 1) {
      file.pragma('wal_checkpoint(TRUNCATE)');
      await Promise.all(agents.splice(0, size).map((agent) => store.register(agent, {})));
      bytes += statSync(`${toFile(url)}-wal`).size;
    }
    rows.push([count(size), (bytes / COMMITS / size / 1_000).toFixed(0)]);
  }
  file.close();
  await engine.close();
  await remove();
  return rows;
}
