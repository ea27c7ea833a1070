import { setTimeout as wait } from 'node:timers/promises';
import { sortValues } from '@agent-registry/contracts';
import type { ListRequest } from '../../apps/api/src/agents/agent-lists.ts';
import { selectAgents } from '../../apps/api/src/testing/select-agents.ts';
import { toPath, withCorpus, type Corpus, type BenchOptions } from './corpus.ts';
import { timeRead, timeReads } from './load.ts';
import { count, createReport, megabytes, median, ms, p99 } from './report.ts';
import { readMemory, startServer } from './server.ts';

const PAGE_SIZE = 20;
/** The share of all agents that comes before the far page. */
const FAR = 0.8;
const PAGE_READS = 100;
const LIST_READS = 5;

/** The filters of the measured pages: none, half of the agents, an eighth of a category's, the most frequent capability, all by their day. */
const filters: Omit<ListRequest, 'sort'>[] = [
  {},
  { pricing: ['free', 'freemium'] },
  { category: 'vision', pricing: ['free'], apiAccess: ['yes', 'planned'] },
  { capability: 'data' },
  { since: '2026-01-01' },
];
/** Lists whose facets are measured: all, many by a filter, all by their day, a frequent word and a rarer one. */
const facetQueries = ['', '?pricing=free,freemium', '?since=2026-01-01', '?q=data', '?q=invoice'];

/** Measures pages of lists near their start and far from it, facets, and the full list, without cached responses. */
export async function benchLists({ engines, sizes, seconds }: BenchOptions): Promise<void> {
  const report = createReport('lists');
  const pages: string[][] = [];
  const facets: string[][] = [];
  const lists: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      await withCorpus(engine, size, async (corpus) => {
        const name = `${engine}, ${count(size)}`;
        console.error(name);
        const results = await measure(corpus, seconds);
        const [unfiltered] = results.pages;
        for (const { label, near, far } of results.pages) {
          const times = [near, far].flatMap((reads) => [ms(median(reads)), ms(p99(reads))]);
          const slowest = Math.max(median(near), median(far));
          pages.push([`${name}: ${label}`, ...times, (slowest / median(unfiltered?.near ?? [])).toFixed(1)]);
        }
        for (const { label, times } of results.facets) {
          facets.push([`${name}: ${label}`, ms(median(times)), ms(p99(times))]);
        }
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
    `Pages of ${PAGE_SIZE}, the first and the one after ${FAR * 100} % of all agents, ${PAGE_READS} reads of each, in ms. The ratio: the slower one ÷ the first page of the newest agents without filters.`,
    ['', 'first p50', 'p99', 'far p50', 'p99', 'ratio'],
    pages,
  );
  report.addTable(`Facets of a list, ${PAGE_READS} reads of each, in ms.`, ['', 'p50', 'p99'], facets);
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
    const pages = [];
    for (const filter of filters) {
      for (const sort of sortValues) pages.push(await measurePages({ ...filter, sort }));
    }
    const facets = [];
    for (const path of facetQueries.map((query) => `/api/facets${query}`)) {
      facets.push({ label: path, times: await timeSeveral(path) });
    }
    const list: number[] = [];
    const paths = agents.map(toPath);
    const alone = await timeReads(server, paths, { until: wait(seconds * 1_000) });
    const before = readMemory(server.pid);
    const readLists = async () => {
      for (let read = 0; read < LIST_READS; read += 1) list.push(await timeRead(server, '/api/agents'));
    };
    const beside = await timeReads(server, paths, { until: readLists() });
    return { pages, facets, list, alone, beside, growth: readMemory(server.pid).peak - before.now };
  } finally {
    await server.stop();
  }

  async function measurePages({ category, ...rest }: ListRequest) {
    const base = category ? `/api/agents/category/${category}` : '/api/agents';
    const query = new URLSearchParams({ limit: String(PAGE_SIZE) });
    for (const [name, value] of Object.entries(rest)) query.set(name, String(value));
    const selected = selectAgents(agents, { category, ...rest });
    const path = `${base}?${query.toString()}`;
    const far = `${path}&after=${selected[Math.floor(selected.length * FAR)]?.id}`;
    return { label: path, near: await timeSeveral(path), far: await timeSeveral(far) };
  }

  async function timeSeveral(path: string): Promise<number[]> {
    const times: number[] = [];
    for (let read = -10; read < PAGE_READS; read += 1) {
      const time = await timeRead(server, path);
      if (read >= 0) times.push(time);
    }
    return times;
  }
}
