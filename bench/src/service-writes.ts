import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import SQLite from 'better-sqlite3';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { copySqlite, removeSqlite } from './corpus-database.ts';
import { createHttpClient } from './http-client.ts';
import type { Load } from './load.ts';
import { pin, type Side } from './processors.ts';
import { makeQueries } from './queries.ts';
import { count } from './report.ts';
import { sample, toBody, toRegistrations, type Bench, type Measured } from './service-bench.ts';
import type { Figure, Ratio, Sample } from './service-report.ts';
import { p99, time, type Times } from './timing.ts';

const RAW_INSERTS = join(import.meta.dirname, 'raw-inserts.ts');
/** Registrations a second while others read. */
const REGISTRATIONS = 50;
/** Of so many registrations one is looked for in the list. */
const LOOKED_FOR = 10;
/** Requests by one who waits for each answer, and leaves the server time for others. */
const STEADILY = { connections: 1, rate: 200 } as const;
/** How long each round with a crowd takes. */
const CROWD_SECONDS = 10;
/** What each row is to reach: parts of the limit, and milliseconds. */
const aims = {
  register: 0.35,
  registerP99: 20,
  agentP99: new Map([[10_000, 5]]),
  list: new Map([
    [1_000, 1 / 3],
    [10_000, 1 / 4],
  ]),
  crowdedAgentP99: new Map([[100_000, 5]]),
};

/** Registering, beside inserts by SQLite alone, each on a copy of the database. */
export async function measureRegistering(name: string, bench: Bench): Promise<(Ratio | Figure)[]> {
  const { bodies, folder, rounds, seconds, size, url } = bench;
  const rawFile = join(folder, 'raw.db');
  await copySqlite(url, rawFile);
  const [ours, limit]: [Sample[], Sample[]] = [[], []];
  await bench.withCopy(async (service, file) => {
    let offset = 0;
    for (let round = -1; round < rounds; round += 1) {
      const our = await sample(service, { ...toRegistrations(bodies, offset), seconds });
      offset += our.requests;
      const its = await insertRaw(rawFile, seconds, round + 10);
      if (round < 0) continue;
      ours.push(our);
      limit.push(its);
    }
    const stored = countAgents(file) - size;
    // Those at the end of a round are stored, and their answers not waited for.
    if (stored < offset) throw new Error(`${offset} registrations were acknowledged and ${stored} stored.`);
  });
  await removeSqlite(rawFile);
  return [{ name, ours, limit, aim: aims.register }, toP99(name, ours, aims.registerP99)];
}

/** How long registering takes where the server is not kept to one processor. */
export async function measureRegisteringFreely(name: string, bench: Bench): Promise<Figure[]> {
  const samples: Sample[] = [];
  const register = async (service: Measured) => {
    let offset = 0;
    for (let round = -1; round < bench.rounds; round += 1) {
      const one = await sample(service, { ...toRegistrations(bench.bodies, offset), seconds: bench.seconds });
      offset += one.requests;
      if (round >= 0) samples.push(one);
    }
  };
  await bench.withCopy(register, { side: 'all' });
  return [toP99(name, samples, aims.registerP99)];
}

function toP99(name: string, samples: readonly Sample[], aim?: number): Figure {
  return { name: `${name}, p99`, unit: 'ms', values: samples.map((round) => round.p99 ?? Number.NaN), aim };
}

async function insertRaw(file: string, seconds: number, seed: number): Promise<Sample> {
  const [command, ...args] = pin('server', [process.execPath, RAW_INSERTS, file, String(seconds), String(seed)]);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  return JSON.parse(await text(child.stdout)) as Sample;
}

function countAgents(file: string): number {
  const database = new SQLite(file, { readonly: true });
  const agents = database.prepare('SELECT count(*) FROM agents').pluck().get() as number;
  database.close();
  return agents;
}

/** The list, and by themselves single agents, while others register, and whether the list is ever old. */
export async function measureWhileRegistering(name: string, bench: Bench): Promise<(Ratio | Figure)[]> {
  const { agentPaths, rounds, seconds, size } = bench;
  const list = { path: '/api/agents', headers: { 'accept-encoding': 'identity' }, seconds };
  const agents = { lines: { file: agentPaths, offset: 0, are: 'paths' }, seconds } satisfies Partial<Load>;
  return bench.withCopy(async (service) => {
    await sample(service, list);
    const [quiet, busy, single, many]: [Sample[], Sample[], Sample[], Sample[]] = [[], [], [], []];
    const registered: Registered = { times: [], lookedFor: 0, stale: 0 };
    const besideAgents: Registered = { times: [], lookedFor: 0, stale: 0 };
    for (let round = 0; round < rounds; round += 1) {
      quiet.push(await sample(service, list));
      busy.push(await whileRegistering(service, registered, () => sample(service, list), { looksFor: true }));
      single.push(await whileRegistering(service, besideAgents, () => sample(service, { ...agents, ...STEADILY })));
      many.push(await whileRegistering(service, besideAgents, () => sample(service, agents)));
    }
    const { lookedFor, stale } = registered;
    const facts = `${tell(registered)}; ${stale} of ${lookedFor} missing in the list that was read next`;
    const toName = (what: string) => `${name} ${REGISTRATIONS} a second: ${what}`;
    return [
      {
        name: toName('the list ÷ the quiet list'),
        ours: busy,
        limit: quiet,
        aim: aims.list.get(size),
        note: stale > 0 ? `THE LIST WAS STALE; ${facts}` : facts,
      },
      { ...toP99(toName('one agent'), single, aims.agentP99.get(size)), note: tell(besideAgents) },
      toP99(toName('one agent at full load'), many),
    ];
  });
}

function tell({ times }: Registered): string {
  return `${count(times.length)} registrations, p99 ${p99(times).toFixed(1)} ms`;
}

type Registered = { times: Times; lookedFor: number; stale: number };

/** Registers at an even pace as long as something else goes on, and may look whether the list shows it. */
async function whileRegistering<Result>(
  { url }: Measured,
  registered: Registered,
  action: () => Promise<Result>,
  { looksFor = false } = {},
): Promise<Result> {
  const [writer, reader] = [createHttpClient(url), createHttpClient(url)];
  const newcomers = makeCorpus(1_000_000, registered.times.length + 5);
  const over = new AbortController();
  const end = action().finally(() => over.abort());
  const begin = performance.now();
  for (let sent = 1; !over.signal.aborted; sent += 1) {
    const body = JSON.parse(toBody(newcomers.next().value as Agent)) as unknown;
    const answer = await time(registered.times, () => writer.post('/api/agents', body));
    if (looksFor && sent % LOOKED_FOR === 0) {
      const { id } = JSON.parse(answer.body()) as Agent;
      registered.lookedFor += 1;
      if (!(await reader.get('/api/agents')).body().includes(id)) registered.stale += 1;
    }
    await wait(Math.max(0, begin + (sent * 1_000) / REGISTRATIONS - performance.now()));
  }
  writer.close();
  reader.close();
  return end;
}

/**
 * One agent while the whole list goes out and others search and register, which takes half of the server's time.
 * @param side where the server runs
 */
export async function measureCrowd(name: string, bench: Bench, side: Side): Promise<Figure[]> {
  const { agents, agentPaths, bodies, folder, rounds, seconds } = bench;
  const searches = join(folder, 'crowd');
  const queries = makeQueries('exact', agents, 5_000);
  await writeFile(searches, queries.map(({ text }) => `/api/search?limit=20&q=${encodeURIComponent(text)}\n`).join(''));
  const measure = async (service: Measured): Promise<Figure[]> => {
    const kinds: Record<string, Partial<Load>> = {
      lists: { path: '/api/agents', connections: 1 },
      searches: { lines: { file: searches, offset: 0, are: 'paths' } },
      registrations: toRegistrations(bodies),
    };
    // Each alone reaches a rate; a sixth of each together is half of what the server can do.
    const rates = new Map<string, number>();
    for (const [kind, load] of Object.entries(kinds)) {
      const alone = await sample(service, { ...load, seconds: Math.max(4, seconds) });
      rates.set(kind, alone.perSecond / 6);
    }
    const single = { lines: { file: agentPaths, offset: 0, are: 'paths' }, ...STEADILY } satisfies Partial<Load>;
    const quiet = await sample(service, { ...single, seconds });
    const samples: Sample[] = [];
    const shares: number[] = [];
    let done: Record<string, number> = {};
    for (let round = 0; round < rounds; round += 1) {
      const crowd = Object.entries(kinds).map(async ([kind, load]) => {
        const result = await sample(service, { ...load, rate: rates.get(kind), seconds: CROWD_SECONDS });
        return [kind, result.perSecond] as const;
      });
      const one = await sample(service, { ...single, seconds: CROWD_SECONDS });
      done = Object.fromEntries(await Promise.all(crowd));
      samples.push(one);
      shares.push(one.busy ?? Number.NaN);
    }
    const meanwhile = Object.entries(done).map(([kind, rate]) => `${rate.toFixed(1)} ${kind}`);
    const share = (shares.reduce((sum, each) => sum + each, 0) / shares.length) * 100;
    const note = `meanwhile ${meanwhile.join(', ')} a second; the server worked ${share.toFixed(0)} % of its time`;
    return [
      toP99(`${name.replace(' at half load', '')}, alone`, [quiet]),
      { ...toP99(name, samples, aims.crowdedAgentP99.get(bench.size)), note },
    ];
  };
  return bench.withCopy(measure, { side });
}
