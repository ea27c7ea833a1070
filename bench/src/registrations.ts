import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { createAgentStore } from '../../apps/api/src/stores.ts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { startServerProcess } from '../../apps/api/src/testing/processes.ts';
import { makeFile, toFile, type BenchOptions } from './corpus.ts';
import { sendLoad, type LoadResult } from './load.ts';
import { count, createReport, median } from './report.ts';
import { startServer, type Server } from './server.ts';

/** Limits that count and are not reached. */
const limits = {
  READ_LIMIT: '1000000',
  REGISTER_LIMIT: '1000000',
  REGISTER_LIMIT_GLOBAL: '1000000',
};
/** Agents in the registry before the log is measured, the measured commits of each size, and the larger size. */
const [BEFORE, COMMITS, GROUP] = [1_000, 50, 10];

/** Measures registrations beside those of a plain server, in turns, and what they write to the log of SQLite. */
export async function benchRegistrations({ rounds, seconds }: BenchOptions): Promise<void> {
  const report = createReport('registrations');
  const files = [await makeFile(), await makeFile(), await makeFile()] as const;
  const servers: [name: string, server: Server][] = [
    ['the registry', await startServer(files[0].url)],
    ['the registry, limits on', await startServer(files[1].url, limits, { writeBytesPerDay: 400_000_000 })],
    ['Express and Drizzle', await startPlain(toFile(files[2].url))],
  ];
  const results = servers.map((): LoadResult[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, [, server]] of servers.entries()) {
      const result = await sendLoad(server, { requests: makeRequests(round), seconds });
      // The first round warms up the just-in-time compiler.
      if (round > 0) results[at]?.push(result);
    }
  }
  await Promise.all(servers.map(([, server]) => server.stop()));
  const perSecond = results.map((some) => median(some.map((result) => result.perSecond)));
  report.addTable(
    `Registrations over HTTP, 10 connections, medians of ${rounds} rounds of ${seconds} s in turns.`,
    ['', 'per second', '÷ Express and Drizzle'],
    servers.map(([name], at) => [
      name,
      count(perSecond[at] ?? 0),
      ((perSecond[at] ?? 0) / (perSecond[2] ?? 0)).toFixed(2),
    ]),
  );
  report.addTable(
    `What a registration writes to the log of SQLite after ${count(BEFORE)} others, means of ${COMMITS} commits.`,
    ['registrations of a commit', 'kB each'],
    await measureLog(),
  );
  report.save();
  await Promise.all(files.map((file) => file.remove()));
}

function makeRequests(round: number) {
  return Array.from(makeCorpus(4_000, 10 + round), (agent) => ({
    path: '/api/agents',
    body: JSON.stringify(toNewAgent(agent)),
  }));
}

async function startPlain(file: string): Promise<Server> {
  const entry = join(import.meta.dirname, 'plain-server.ts');
  const server = await startServerProcess(tmpdir(), { DATABASE_FILE: file }, { entry: [entry] });
  return { ...server, stop: () => server.stop('SIGTERM') };
}

async function measureLog(): Promise<string[][]> {
  const { url, remove } = await makeFile();
  const { engine } = await openDatabase(url);
  const store = createAgentStore(engine);
  const file = new SQLite(toFile(url));
  const agents = [...makeCorpus(BEFORE + COMMITS * (1 + GROUP), 7)].map((agent) => toNewAgent(agent));
  for (const agent of agents.splice(0, BEFORE)) await store.register(agent, {});
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
