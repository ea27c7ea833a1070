import { setTimeout } from 'node:timers/promises';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { forEachCorpusDatabase, type BenchOptions, type CorpusDatabase } from './corpus-database.ts';
import { createHttpClient, type HttpClient } from './http-client.ts';
import { kinds, makeQueries, makeWorstQueries, type Kind } from './queries.ts';
import { openRawSearch } from './raw-search.ts';
import { count, describeMachine, megabytes, ms, printTable, times } from './report.ts';
import { startBareServer, startServer, type LoopDelay } from './server-process.ts';
import { max, median, p99, time, type Times } from './timing.ts';
import { timeOneAgent } from './one-agent.ts';

/** Rounds, in each of which every kind of search has its turn on everything that is measured. */
const ROUNDS = 10;
/** After this time no other round begins, in milliseconds. */
const ROUNDS_TIME = 60_000;
/** How long searches of one of the worst kinds are asked, in milliseconds. */
const WORST_TIME = 3_000;
/** Different searches of a kind in a round; no search comes twice. */
const PER_ROUND = 40;
/** Searches of a kind before anything is measured. */
const WARM_UP = 40;
/** How long the server has to put its index in order after it was filled at once, in milliseconds. */
const TIDYING_TIME = 10_000;
/** Agents registered one after the other. */
const REGISTRATIONS = 200;
/** Starts of the server. */
const STARTS = 3;
/** Connections that search at once while one agent is read. */
const SEARCHERS = 4;

/** What was measured on one database. */
type Results = {
  database: Omit<CorpusDatabase, 'agents'>;
  size: number;
  /** How many rounds there was time for. */
  rounds: number;
  kinds: Record<Kind, KindTimes>;
  worst: Record<string, Times>;
  registrations: Times;
  starts: { listening: Times; firstAgent: Times; firstSearch: Times };
  oneAgent: { alone: Times; aloneDelay: LoopDelay; busy: Times; busyDelay: LoopDelay; searchesPerSecond: number };
};

type KindTimes = { http: Times; ranked: Times; latest: Times; bare: Times; found: number[] };

/** Measures searches over HTTP beside what the engine and HTTP take by themselves. */
export async function benchSearch(options: BenchOptions): Promise<void> {
  const all: Results[] = [];
  // What was measured is printed whatever happens later.
  try {
    await forEachCorpusDatabase(options, async (database) => {
      const { agents, ...rest } = database;
      all.push({
        database: rest,
        size: agents.length,
        starts: await timeStarts(database),
        ...(await measure(database)),
      });
    });
  } finally {
    print(all);
  }
}

async function measure(database: CorpusDatabase): Promise<Omit<Results, 'database' | 'size' | 'starts'>> {
  const raw = await openRawSearch(database);
  const server = await startServer(database.url);
  const bareServer = await startBareServer();
  const [client, bareClient] = [createHttpClient(server.url), createHttpClient(bareServer.url)];
  try {
    const queries = Object.fromEntries(
      kinds.map((kind) => [kind, makeQueries(kind, database.agents, WARM_UP + ROUNDS * PER_ROUND)]),
    ) as Record<Kind, ReturnType<typeof makeQueries>>;
    const measureKind = async (kind: Kind, count: number, into: KindTimes) => {
      const part = queries[kind].splice(0, count);
      const lengths: number[] = [];
      for (const { text } of part) {
        const answer = await time(into.http, () => client.get(toPath(text)));
        lengths.push(answer.length);
        into.found.push(Number(answer.headers['x-total-count']));
      }
      for (const query of part) await time(into.ranked, () => raw.ranked(query));
      for (const query of part) await time(into.latest, () => raw.latest(query));
      for (const length of lengths) await time(into.bare, () => bareClient.get(`/bytes/${length}`));
    };

    for (const kind of kinds) await measureKind(kind, WARM_UP, makeKindTimes());
    await setTimeout(TIDYING_TIME);
    const results = Object.fromEntries(kinds.map((kind) => [kind, makeKindTimes()])) as Record<Kind, KindTimes>;
    const begin = performance.now();
    let rounds = 0;
    for (; rounds < ROUNDS && performance.now() - begin < ROUNDS_TIME; rounds += 1) {
      for (const kind of kinds) await measureKind(kind, PER_ROUND, results[kind]);
    }
    const worst = await timeWorst(client, database);
    return {
      rounds,
      kinds: results,
      worst,
      oneAgent: await measureOneAgent(server, database),
      registrations: await timeRegistrations(client),
    };
  } finally {
    client.close();
    bareClient.close();
    await Promise.all([server.stop(), bareServer.stop(), raw.close()]);
  }
}

const makeKindTimes = (): KindTimes => ({ http: [], ranked: [], latest: [], bare: [], found: [] });

async function timeWorst(client: HttpClient, { agents }: CorpusDatabase): Promise<Record<string, Times>> {
  const worst: Record<string, Times> = {};
  for (const [name, texts] of Object.entries(makeWorstQueries(agents))) {
    const all: Times = (worst[name] = []);
    const end = performance.now() + WORST_TIME;
    for (const text of texts) if (performance.now() < end) await time(all, () => client.get(toPath(text)));
  }
  return worst;
}

async function measureOneAgent(
  server: Awaited<ReturnType<typeof startServer>>,
  { agents }: CorpusDatabase,
): Promise<Results['oneAgent']> {
  await server.readLoopDelay();
  const alone = await timeOneAgent(server.url, agents);
  const aloneDelay = await server.readLoopDelay();

  const texts = kinds.map((kind) => makeQueries(kind, agents, 200).map(({ text }) => text));
  const over = new AbortController();
  let searches = 0;
  const begin = performance.now();
  const searchers = Array.from({ length: SEARCHERS }, async (_, searcher) => {
    const client = createHttpClient(server.url);
    for (let index = 0; !over.signal.aborted; index += 1) {
      await client.get(toPath(texts[(searcher + index) % texts.length]?.[index % 200] ?? ''));
      searches += 1;
    }
    client.close();
  });
  const busy = await timeOneAgent(server.url, agents);
  over.abort();
  await Promise.all(searchers);
  const searchesPerSecond = (searches / (performance.now() - begin)) * 1_000;
  return { alone, aloneDelay, busy, busyDelay: await server.readLoopDelay(), searchesPerSecond };
}

async function timeRegistrations(client: HttpClient): Promise<Times> {
  const registrations: Times = [];
  for (const agent of makeCorpus(REGISTRATIONS, 2)) {
    const newAgent = toNewAgent(agent);
    await time(registrations, () => client.post('/api/agents', newAgent));
  }
  return registrations;
}

async function timeStarts({ url, agents }: CorpusDatabase): Promise<Results['starts']> {
  const starts: Results['starts'] = { listening: [], firstAgent: [], firstSearch: [] };
  // A search that is not answered before the vocabulary is read.
  const [query] = makeQueries('misspelled', agents, 1);
  for (let start = 0; start < STARTS; start += 1) {
    const begin = performance.now();
    const server = await startServer(url);
    starts.listening.push(performance.now() - begin);
    const client = createHttpClient(server.url);
    await client.get(`/api/agents/${agents[0]?.id}`);
    starts.firstAgent.push(performance.now() - begin);
    await client.get(toPath(query?.text ?? ''));
    starts.firstSearch.push(performance.now() - begin);
    client.close();
    await server.stop();
  }
  return starts;
}

function toPath(text: string): string {
  return `/api/search?limit=20&q=${encodeURIComponent(text)}`;
}

function print(all: readonly Results[]): void {
  const versions = [...new Set(all.map(({ database }) => database.version))];
  console.log(`\n${describeMachine()}, ${versions.join(', ')}. ${PER_ROUND} searches of each kind in a round.`);
  const name = ({ database, size }: Results) => `${database.engine}, ${count(size)}`;

  printTable(
    'The first page of a search, in ms: over HTTP, and what its parts take by themselves',
    [
      '',
      'rounds',
      'HTTP p50',
      'p99',
      'ranked raw p50',
      'p99',
      'latest raw p50',
      'p99',
      'bare HTTP p50',
      'HTTP ÷ ranked',
      '÷ (ranked + bare)',
      'results p50',
    ],
    all.flatMap((results) =>
      kinds.map((kind) => {
        const { http, ranked, latest, bare, found } = results.kinds[kind];
        return [
          `${name(results)}: ${kind}`,
          count(results.rounds),
          ...[median(http), p99(http), median(ranked), p99(ranked), median(latest), p99(latest), median(bare)].map(ms),
          times(median(http), median(ranked)),
          times(median(http), median(ranked) + median(bare)),
          count(median(found)),
        ];
      }),
    ),
  );

  printTable(
    'Growth: p50 at a size ÷ p50 at the size before',
    ['', ...kinds.flatMap((kind) => [kind, 'ranked raw'])],
    all.flatMap((results, index) => {
      const before = all[index - 1];
      if (before?.database.engine !== results.database.engine) return [];
      return [
        [
          `${name(results)} ÷ ${count(before.size)}`,
          ...kinds.flatMap((kind) => [
            times(median(results.kinds[kind].http), median(before.kinds[kind].http)),
            times(median(results.kinds[kind].ranked), median(before.kinds[kind].ranked)),
          ]),
        ],
      ];
    }),
  );

  printTable(
    'The worst searches, in ms over HTTP: p50 and max',
    ['', ...all.map(name)],
    Object.keys(all[0]?.worst ?? {}).map((worst) => [
      worst,
      ...all.map((results) => {
        const took = results.worst[worst] ?? [];
        return `${ms(median(took))}, ${ms(max(took))}`;
      }),
    ]),
  );

  printTable(
    `One agent in ms while nothing else is asked, and while ${SEARCHERS} connections search as fast as they can`,
    ['', 'alone p50', 'p99', 'loop p99', 'busy p50', 'p99', 'max', 'loop p99', 'loop max', 'searches/s'],
    all.map((results) => {
      const { alone, aloneDelay, busy, busyDelay, searchesPerSecond } = results.oneAgent;
      return [
        name(results),
        ...[median(alone), p99(alone), aloneDelay.p99].map(ms),
        ...[median(busy), p99(busy), max(busy), busyDelay.p99, busyDelay.max].map(ms),
        count(searchesPerSecond),
      ];
    }),
  );

  printTable(
    'Storing, registering (in ms over HTTP, one after the other) and starting (ms since the start of the process)',
    ['', 'agents/s loaded', 'index MB', 'all MB', 'register p50', 'p99', 'listens', 'first agent', 'first search'],
    all.map((results) => {
      const { database, size, registrations, starts } = results;
      return [
        name(results),
        count(size / database.loadSeconds),
        megabytes(database.bytes.index),
        megabytes(database.bytes.all),
        ms(median(registrations)),
        ms(p99(registrations)),
        ...[starts.listening, starts.firstAgent, starts.firstSearch].map((took) => ms(median(took))),
      ];
    }),
  );
}
