import { forEachCorpusDatabase, type BenchOptions, type CorpusDatabase } from './corpus-database.ts';
import { createHttpClient } from './http-client.ts';
import { timeOneAgent } from './one-agent.ts';
import { count, describeMachine, megabytes, ms, printTable, times } from './report.ts';
import { startServer } from './server-process.ts';
import { max, median, p99, time, type Times } from './timing.ts';

/** Readings of each page, near and far in turn. */
const ROUNDS = 200;
/** Readings of the whole list. */
const WHOLE_ROUNDS = 5;
const PAGE_SIZE = 20;
/** How many of all agents come before the far page. */
const FAR = 0.8;

/** What was measured on one database. */
type Results = {
  database: Omit<CorpusDatabase, 'agents'>;
  size: number;
  near: Times;
  far: Times;
  whole: Times;
  wholeBytes: number;
  /** What the server's memory grew by at most while it sent whole lists, in bytes. */
  growth: number | undefined;
  alone: Times;
  busy: Times;
};

/** Measures pages of the list near its beginning and far from it, and the whole list. */
export async function benchLists(options: BenchOptions): Promise<void> {
  const all: Results[] = [];
  // What was measured is printed whatever happens later.
  try {
    await forEachCorpusDatabase(options, async (database) => {
      const { agents, ...rest } = database;
      all.push({ database: rest, size: agents.length, ...(await measure(database)) });
    });
  } finally {
    print(all);
  }
}

async function measure({ url, agents }: CorpusDatabase): Promise<Omit<Results, 'database' | 'size'>> {
  const server = await startServer(url);
  const client = createHttpClient(server.url);
  try {
    const newest = agents.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    const after = newest[Math.floor(newest.length * FAR)]?.id;
    const nearPath = `/api/agents?limit=${PAGE_SIZE}`;
    const farPath = `${nearPath}&after=${after}`;
    for (const path of [nearPath, farPath]) for (let round = 0; round < 50; round += 1) await client.get(path);
    const [near, far]: [Times, Times] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      await time(near, () => client.get(nearPath));
      await time(far, () => client.get(farPath));
    }

    const alone = await timeOneAgent(server.url, agents);
    const memory = server.readMemory();
    const whole: Times = [];
    let wholeBytes = 0;
    const readWhole = async () => {
      for (let round = 0; round < WHOLE_ROUNDS; round += 1) {
        ({ length: wholeBytes } = await time(whole, () => client.get('/api/agents')));
      }
    };
    const busy = await timeOneAgent(server.url, agents, readWhole());
    const peak = server.readMemory()?.peak;
    return { near, far, alone, busy, whole, wholeBytes, growth: memory && peak && peak - memory.now };
  } finally {
    client.close();
    await server.stop();
  }
}

function print(all: readonly Results[]): void {
  const versions = [...new Set(all.map(({ database }) => database.version))];
  console.log(
    `\n${describeMachine()}, ${versions.join(', ')}. ${ROUNDS} readings of each page of ${PAGE_SIZE}, ${WHOLE_ROUNDS} of the whole list.`,
  );
  printTable(
    `Pages of the list, in ms: the first, and the one after ${FAR * 100} % of all agents`,
    ['', 'first p50', 'p99', 'far p50', 'p99', 'far ÷ first'],
    all.map(({ database, size, near, far }) => [
      `${database.engine}, ${count(size)} (page ${count((size * FAR) / PAGE_SIZE + 1)})`,
      ...[median(near), p99(near), median(far), p99(far)].map(ms),
      times(median(far), median(near)),
    ]),
  );
  printTable(
    'The whole list, and one agent in ms alone and meanwhile',
    ['', 'MB', 'ms p50', 'max', 'memory grows by MB', 'one agent p50', 'p99', 'meanwhile p50', 'p99', 'max'],
    all.map(({ database, size, whole, wholeBytes, growth, alone, busy }) => [
      `${database.engine}, ${count(size)}`,
      megabytes(wholeBytes),
      ...[median(whole), max(whole)].map(ms),
      growth === undefined ? '?' : megabytes(growth),
      ...[median(alone), p99(alone), median(busy), p99(busy), max(busy)].map(ms),
    ]),
  );
}
