import { setTimeout as wait } from 'node:timers/promises';
import { toPath, withCorpus, type Corpus, type BenchOptions } from './corpus.ts';
import { timeRead, timeReads } from './load.ts';
import { count, createReport, megabytes, median, ms, p99 } from './report.ts';
import { readMemory, startServer } from './server.ts';

const PAGE_SIZE = 20;
/** The share of all agents that comes before the far page. */
const FAR = 0.8;
const PAGE_READS = 100;
const LIST_READS = 5;

/** Measures pages of the list near its start and far from it, and the full list, without cached responses. */
export async function benchLists({ engines, sizes, seconds }: BenchOptions): Promise<void> {
  const report = createReport('lists');
  const pages: string[][] = [];
  const lists: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      await withCorpus(engine, size, async (corpus) => {
        const name = `${engine}, ${count(size)}`;
        console.error(name);
        const results = await measure(corpus, seconds);
        const times = [results.near, results.far].flatMap((reads) => [ms(median(reads)), ms(p99(reads))]);
        pages.push([name, ...times, (median(results.far) / median(results.near)).toFixed(1)]);
        lists.push([
          name,
          ms(median(results.list)),
          megabytes(results.growth),
          ...[results.alone, results.beside].flatMap((reads) => [ms(median(reads)), ms(p99(reads))]),
        ]);
      });
    }
  }
  report.addTable(
    `Pages of ${PAGE_SIZE}, the first and the one after ${FAR * 100} % of all agents, ${PAGE_READS} reads of each, in ms.`,
    ['', 'first p50', 'p99', 'far p50', 'p99', 'far ÷ first'],
    pages,
  );
  report.addTable(
    `The whole list, ${LIST_READS} reads in ms; what memory grew by, in MB; one agent alone and beside these reads, in ms.`,
    ['', 'list p50', 'growth', 'alone p50', 'p99', 'beside p50', 'p99'],
    lists,
  );
  report.save();
}

async function measure({ url, agents }: Corpus, seconds: number) {
  const server = await startServer(url, { CACHE_SIZE: '0' });
  try {
    const nearPath = `/api/agents?limit=${PAGE_SIZE}`;
    const farPath = `${nearPath}&after=${agents[Math.floor(agents.length * FAR)]?.id}`;
    const [near, far, list]: [number[], number[], number[]] = [[], [], []];
    for (let read = -20; read < PAGE_READS; read += 1) {
      const times = [await timeRead(server, nearPath), await timeRead(server, farPath)] as const;
      if (read < 0) continue;
      near.push(times[0]);
      far.push(times[1]);
    }
    const paths = agents.map(toPath);
    const alone = await timeReads(server, paths, { until: wait(seconds * 1_000) });
    const before = readMemory(server.pid);
    const readLists = async () => {
      for (let read = 0; read < LIST_READS; read += 1) list.push(await timeRead(server, '/api/agents'));
    };
    const beside = await timeReads(server, paths, { until: readLists() });
    return { near, far, list, alone, beside, growth: readMemory(server.pid).peak - before.now };
  } finally {
    await server.stop();
  }
}
