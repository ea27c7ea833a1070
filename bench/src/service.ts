import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { copySqlite, forEachCorpusDatabase, removeSqlite, type BenchOptions } from './corpus-database.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { CONNECTIONS, loadTool, type Load } from './load.ts';
import { isPinned, pinThisProcess } from './processors.ts';
import { makeQueries } from './queries.ts';
import { count, describeMachine } from './report.ts';
import { recordSearches } from './search-statements.ts';
import { serviceSettings, startBareService, startService, type Service } from './server-process.ts';
import { printFigures, printRatios, type Figure, type Ratio } from './service-report.ts';
import { agentPath, sample, toBody, toRegistrations, type Bench, type Measured } from './service-bench.ts';
import {
  measureCrowd,
  measureRegistering,
  measureRegisteringFreely,
  measureWhileRegistering,
} from './service-writes.ts';

/** Searches that differ in their words; as many lengths of the page make them eleven times as many. */
const SEARCHES = 2_000;
const SEARCH_LIMITS = Array.from({ length: 11 }, (_, index) => 15 + index);
/** How many results the limits of a search give: as many as ours on average. */
const RAW_LIMIT = 20;
/** Registrations that differ. */
const BODIES = 20_000;
/** Rounds of what is not ready before those that count: until V8 has compiled a search, and the index is one piece. */
const WARM_UPS = 5;
/** Starts of the server. */
const STARTS = 5;
const WEB_PAGE = join(import.meta.dirname, '../../apps/web/dist/index.html');
/** What each row is to reach: parts of the limit, milliseconds and megabytes. */
const aims = {
  ready: 0.9,
  agentNotReady: 0.4,
  searchNotReady: 0.5,
  firstAnswer: new Map([
    [1_000, 700],
    [100_000, 1_000],
  ]),
  memory: new Map([[1_000, 130]]),
};

/** Measures every kind of request under load, in turns with the least that it can take. */
export async function benchService({ sizes, rounds, seconds, only }: BenchOptions): Promise<void> {
  pinThisProcess();
  const loadBefore = loadavg()[0]?.toFixed(1);
  const results: (Ratio | Figure)[] = [];
  const versions = new Set<string>();
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-bench-'));
  try {
    await forEachCorpusDatabase({ sizes, engines: ['sqlite'] }, async (database) => {
      versions.add(database.version);
      const size = database.agents.length;
      const write = async (name: string, lines: readonly string[]) => {
        await writeFile(join(folder, name), `${lines.join('\n')}\n`);
        return join(folder, name);
      };
      const bench: Bench = {
        ...database,
        size,
        rounds,
        seconds,
        folder,
        agentPaths: await write('agents', database.agents.map(agentPath)),
        bodies: await write('bodies', [...makeCorpus(BODIES, 2)].map(toBody)),
        async measure(name, run) {
          const fullName = `${count(size)}: ${name}`;
          if (!only.test(fullName)) return;
          console.error(fullName);
          results.push(...(await run(fullName)));
        },
        async withCopy(use, { workers = 1, side = 'server' } = {}) {
          const file = join(folder, `copy-${size}-${workers}.db`);
          await copySqlite(database.url, file);
          const service = await startService(`file:${file}`, { path: agentPath(database.agents[0]), workers, side });
          try {
            return await use(service, file);
          } finally {
            await service.stop();
            await removeSqlite(file);
          }
        },
      };
      await measureSize(bench, sizes);
    });
  } finally {
    await rm(folder, { recursive: true });
    const settings = Object.entries(serviceSettings).map(([name, value]) => `${name}=${value}`);
    console.log(
      `\n${describeMachine()}, ${[...versions].join(', ')}. Load by ${loadTool}, ${CONNECTIONS} connections; ${rounds} rounds of ${seconds} s. ` +
        `${isPinned ? 'Servers on one processor, clients on another.' : 'Servers and clients share the processors.'} ` +
        `Load average at the start ${loadBefore}. The server runs with ${settings.join(', ')}; all else is as by default.`,
    );
    printRatios(results.filter((result) => 'limit' in result));
    printFigures(results.filter((result) => 'unit' in result));
  }
}

async function measureSize(bench: Bench, sizes: readonly number[]): Promise<void> {
  const isLargest = bench.size === Math.max(...sizes);
  const isSmallest = bench.size === Math.min(...sizes);
  await bench.measure('first answer', async (name) => [await measureStarts(name, bench)]);
  if (!isLargest || isSmallest) {
    await measureReads(bench);
    await bench.measure('register', (name) => measureRegistering(name, bench));
    await bench.measure('register on all processors', (name) => measureRegisteringFreely(name, bench));
    await bench.measure('while registering', (name) => measureWhileRegistering(name, bench));
  }
  if (isSmallest) await bench.measure('two workers', (name) => measureWorkers(name, bench));
  if (isLargest) {
    await bench.measure('one agent, each another', async (name) => [await measureAgentsNotReady(name, bench)]);
    await bench.measure('one agent at half load', (name) => measureCrowd(name, bench, 'server'));
    await bench.measure('one agent at half load, on all processors', (name) => measureCrowd(name, bench, 'all'));
  }
}

async function measureStarts(name: string, { url, agents, size }: Bench): Promise<Figure> {
  const values: number[] = [];
  for (let start = 0; start < STARTS; start += 1) {
    const service = await startService(url, { path: agentPath(agents[0]), side: 'server' });
    values.push(service.firstAnswer);
    await service.stop();
  }
  return { name, unit: 'ms', values, aim: aims.firstAnswer.get(size) };
}

/** What is read again and again, searches that are not, and what they leave in memory. */
async function measureReads(bench: Bench): Promise<void> {
  const { agents, size, url } = bench;
  const service = await startService(url, { path: agentPath(agents[0]), side: 'server' });
  const bare = await startBareService(url, size);
  const atRest = service.readMemory()?.now ?? Number.NaN;
  const control = createHttpClient(bare.url);

  const servers = { service, bare, control };
  const measure = (name: string, path: string, how?: ReadyAnswer) =>
    bench.measure(name, async (fullName) => [await measureReady(fullName, bench, servers, path, how)]);

  try {
    for (const encoding of ['identity', 'gzip', 'br']) {
      await measure(`the list, ${encoding}`, '/api/agents', { encoding, isAimed: true });
    }
    await measure('the list, 304', '/api/agents', { again: true, isAimed: true });
    await measure('one category', `/api/agents/category/${agents[0]?.category}`);
    await measure('one agent', agentPath(agents[0]));
    await measure('statistics', '/api/stats');
    await measure('search, repeated', `/api/search?limit=20&q=${agents[0]?.name.split(' ')[0]}`);
    const page = await readFile(WEB_PAGE, 'utf8').catch(() => undefined);
    const asset = /\/assets\/[^"']+\.js/.exec(page ?? '')?.[0];
    if (asset) {
      for (const encoding of ['identity', 'br']) {
        await measure(`the home page, ${encoding}`, '/', { encoding });
        await measure(`an asset, ${encoding}`, asset, { encoding });
      }
      await measure('an asset, 304', asset, { again: true });
    } else console.error('The web app is not built: no page and no asset are measured.');
    await bench.measure('memory', async (name) => {
      const memory = service.readMemory();
      const toFigure = (when: string, bytes = Number.NaN, aim?: number): Figure => ({
        name: `${name} ${when}`,
        unit: 'MB',
        values: [bytes / 1e6],
        aim,
      });
      return [
        toFigure('at rest', atRest),
        toFigure('after these reads', memory?.now, aims.memory.get(size)),
        toFigure('at its highest during them', memory?.peak),
      ];
    });
    await measureSearches(bench, service, bare);
  } finally {
    control.close();
    await Promise.all([service.stop(), bare.stop()]);
  }
}

/** How an answer is read that the registry may have ready. */
type ReadyAnswer = {
  encoding?: string;
  /** Whether by who has it already. */
  again?: boolean;
  /** Whether it is to reach the aim at every size, and not at the smallest alone. */
  isAimed?: boolean;
};

/** The same answer from the registry, which may have it ready, and from the bare server, which takes it over before. */
async function measureReady(
  name: string,
  bench: Bench,
  { service, bare, control }: { service: Service; bare: Measured; control: HttpClient },
  path: string,
  { encoding = 'identity', again = false, isAimed = bench.size <= 1_000 }: ReadyAnswer = {},
): Promise<Ratio> {
  const headers: Record<string, string> = { 'accept-encoding': encoding };
  const take = async () => {
    const taken = await control.put('/answer', { url: service.url + path, headers });
    return JSON.parse(taken.body()) as { status: number; headers: Record<string, string> };
  };
  const aim = isAimed ? aims.ready : undefined;
  const toMissing = (note: string): Ratio => ({ name, ours: [], limit: [], aim, note });
  let answer = await take();
  if (again) {
    if (!answer.headers.etag) return toMissing('the server gives no ETag');
    headers['if-none-match'] = answer.headers.etag;
    answer = await take();
  } else if (encoding !== 'identity') {
    // Compressed bytes may come later than the first answer.
    for (let tries = 0; tries < 50 && answer.headers['content-encoding'] !== encoding; tries += 1) {
      await wait(100);
      answer = await take();
    }
    if (answer.headers['content-encoding'] !== encoding) return toMissing(`the server does not send ${encoding}`);
  }
  if (answer.status !== (again ? 304 : 200)) return toMissing(`the server answered ${answer.status}`);
  return { name, ...(await inTurns(bench, [service, { path, headers }], [bare, { path: '/answer', headers }])), aim };
}

/** A different search each time, beside the same statements, and beside what the engine would do by itself. */
async function measureSearches(bench: Bench, service: Service, bare: Measured): Promise<void> {
  const queries = makeQueries('exact', bench.agents, SEARCHES);
  // The same words come again with another length of the page, and only then.
  const searches = SEARCH_LIMITS.flatMap((limit) => queries.map((query) => ({ ...query, limit })));
  const ours = join(bench.folder, 'searches');
  await writeFile(
    ours,
    searches.map(({ text, limit }) => `/api/search?limit=${limit}&q=${encodeURIComponent(text)}\n`).join(''),
  );
  const recorded = join(bench.folder, 'recorded');
  const texts = queries.map(({ text }) => text);
  await writeFile(recorded, JSON.stringify(await recordSearches(bench.url, texts, RAW_LIMIT)));
  await fetch(`${bare.url}/searches`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ file: recorded }),
  });
  const toRaw = (path: string) => queries.map(({ raw }) => `${path}?raw=${encodeURIComponent(JSON.stringify(raw))}`);
  const aim = aims.searchNotReady;
  const limits = [
    { limit: 'its own statements', paths: queries.map((_, place) => `/searches/${place}`), aim },
    { limit: 'ranked raw', paths: toRaw('/ranked'), aim },
    { limit: 'latest raw', paths: toRaw('/latest') },
  ];
  for (const { limit, paths, ...rest } of limits) {
    await bench.measure(`search, each another, beside ${limit}`, async (name) => {
      const file = join(bench.folder, limit);
      await writeFile(file, paths.map((path) => `${path}\n`).join(''));
      return [{ name, ...(await inTurnsNotReady(bench, [service, ours, searches.length], [bare, file])), ...rest }];
    });
  }
}

async function measureAgentsNotReady(name: string, bench: Bench): Promise<Ratio> {
  const { agents, agentPaths, folder, size, url } = bench;
  const service = await startService(url, { path: agentPath(agents[0]), side: 'server' });
  const bare = await startBareService(url, size);
  try {
    const file = join(folder, 'bare-agents');
    await writeFile(file, agents.map(({ id }) => `/agents/${id}\n`).join(''));
    const measured = await inTurnsNotReady(bench, [service, agentPaths, size], [bare, file]);
    return { name, ...measured, aim: aims.agentNotReady };
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
}

async function measureWorkers(name: string, bench: Bench): Promise<Ratio[]> {
  const { agents, bodies } = bench;
  const rows: [string, Partial<Load>][] = [
    ['the list', { path: '/api/agents' }],
    ['one agent', { path: agentPath(agents[0]) }],
    ['register', toRegistrations(bodies)],
  ];
  // Neither is kept to one processor.
  const side = 'all';
  const measure = async (one: Service, two: Service) => {
    const ratios: Ratio[] = [];
    for (const [row, load] of rows) {
      const ratio: Ratio = { name: `${name} ÷ one: ${row}`, ours: [], limit: [] };
      for (let round = -1; round < bench.rounds; round += 1) {
        for (const [service, samples] of [
          [two, ratio.ours],
          [one, ratio.limit],
        ] as const) {
          // The time of workers is not that of their supervisor.
          const { busy: _, ...result } = await sample(service, { ...load, seconds: bench.seconds }, side);
          if (round >= 0) samples.push(result);
        }
      }
      ratios.push(ratio);
    }
    return ratios;
  };
  return bench.withCopy((one) => bench.withCopy((two) => measure(one, two), { workers: 2, side }), { side });
}

/** Sends two loads in turns, after each had its time to warm up. */
async function inTurns(
  { rounds, seconds }: Bench,
  [ours, ourLoad]: [Measured, Partial<Load>],
  [limit, limitLoad]: [Measured, Partial<Load>],
): Promise<Pick<Ratio, 'ours' | 'limit'>> {
  const samples: Pick<Ratio, 'ours' | 'limit'> = { ours: [], limit: [] };
  for (let round = -1; round < rounds; round += 1) {
    const [our, its] = [await sample(ours, { ...ourLoad, seconds }), await sample(limit, { ...limitLoad, seconds })];
    if (round < 0) continue;
    samples.ours.push(our);
    samples.limit.push(its);
  }
  return samples;
}

/** The same with requests that differ, so that nothing is ready: a registration before each round makes all that is ready old. */
async function inTurnsNotReady(
  { rounds, seconds }: Bench,
  [ours, file, different]: [Service, string, number],
  [limit, limitFile]: [Measured, string],
): Promise<Pick<Ratio, 'ours' | 'limit' | 'note'>> {
  const samples: Pick<Ratio, 'ours' | 'limit'> = { ours: [], limit: [] };
  const client = createHttpClient(ours.url);
  let [offset, limitOffset, most] = [0, 0, 0];
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const [newcomer] = makeCorpus(1, 1_000 + round);
    await client.post('/api/agents', JSON.parse(toBody(newcomer as Agent)));
    const our = await sample(ours, { lines: { file, offset, are: 'paths' }, seconds });
    const its = await sample(limit, { lines: { file: limitFile, offset: limitOffset, are: 'paths' }, seconds });
    offset += our.requests;
    limitOffset += its.requests;
    if (round < 0) continue;
    samples.ours.push(our);
    // Rows are not what the registry sends.
    const { bytes: _, ...rest } = its;
    samples.limit.push(rest);
    most = Math.max(most, our.requests);
  }
  client.close();
  const share = Math.max(0, 1 - different / most);
  return {
    ...samples,
    ...(share > 0 ? { note: `up to ${(share * 100).toFixed(0)} % of a round were asked again` } : {}),
  };
}
