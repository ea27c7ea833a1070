import type { Changes } from '@agent-registry/contracts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { withCorpus, type BenchOptions, type Corpus } from './corpus.ts';
import { sendLoad, timeRead } from './load.ts';
import { count, createReport, median, ms, p99 } from './report.ts';
import { startServer, type Server } from './server.ts';

const WARM_UPS = 50;
const READS = 500;
/** The look-ups a second whose processor time is measured, and for how long. */
const LOOK_UPS = 500;
const LOOK_UP_SECONDS = 5;
/** The lengths of the measured texts, in characters. */
const lengths = [2, 3, 5, 8];

/** What follows the change log, and its query parameters. */
const walks = [
  ['100 changes', '&limit=100'],
  ['1,000 changes', ''],
  ['1,000 changes with their agents', '&include=agents'],
] as const;

/** The walks over the MCP servers of the registry, and their query parameters. */
const serverLists = [
  ['100 MCP servers', ''],
  ['100 MCP servers that changed since', '&updated_since=2020-01-01T00:00:00Z'],
] as const;

/** Measures suggestions for the beginnings of names and capabilities, walks over all changes and over the MCP servers; nothing is cached. */
export async function benchPrograms({ engines, sizes }: BenchOptions): Promise<void> {
  const report = createReport('programs');
  const rows: string[][] = [];
  const costs: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      await withCorpus(
        engine,
        size,
        async (corpus) => {
          const name = `${engine}, ${count(size)}`;
          console.error(name);
          const { results, processor } = await measure(corpus);
          costs.push([name, ms(1_000 * processor)]);
          for (const [call, times] of results) {
            rows.push([
              `${name}: ${call}`,
              ...[median(times), p99(times), Math.max(...times)].map(ms),
              count(times.length),
            ]);
          }
        },
        { withServers: true },
      );
    }
  }
  report.addTable('Times in ms.', ['', 'p50', 'p99', 'max', 'requests'], rows);
  report.addTable(
    `Processor for each of ${LOOK_UPS} look-ups of MCP servers a second, in ms.`,
    ['', 'processor'],
    costs,
  );
  report.save();
}

async function measure({ url, agents }: Corpus): Promise<{ results: [string, number[]][]; processor: number }> {
  const server = await startServer(url, { CACHE_SIZE: '0', PUBLIC_URL: 'https://registry.example' });
  try {
    const results: [string, number[]][] = [];
    for (const length of lengths) {
      results.push([`suggestions for ${length} characters`, await timeSuggestions(server, agents, length)]);
    }
    for (const [call, query] of walks) results.push([call, await walkChanges(server, query)]);
    for (const [call, query] of serverLists) results.push([call, await walkServers(server, query)]);
    const paths = await listServerPaths(server);
    const requests = paths.map((path) => ({ path }));
    const { processorTime } = await sendLoad(server, { requests, rate: LOOK_UPS, seconds: LOOK_UP_SECONDS });
    const times: number[] = [];
    for (const path of paths) times.push(await timeRead(server, path));
    results.push(['an MCP server by its name', times]);
    return { results, processor: processorTime };
  } finally {
    await server.stop();
  }
}

async function timeSuggestions(server: Server, agents: Corpus['agents'], length: number): Promise<number[]> {
  const random = makeRandom(length);
  const texts = agents.flatMap(({ name, capabilities }) => [name, ...capabilities]);
  const pick = () => texts[Math.floor(random() * texts.length)] as string;
  const times: number[] = [];
  for (let read = -WARM_UPS; read < READS; read += 1) {
    const q = pick().padEnd(length, 'e').slice(0, length).trim().padEnd(2, 'e');
    const time = await timeRead(server, `/api/suggest?q=${encodeURIComponent(q)}`);
    if (read >= 0) times.push(time);
  }
  return times;
}

/** Follows the change log from its beginning to its end, then reads each of its pages again and times that. */
async function walkChanges(server: Server, query: string): Promise<number[]> {
  const paths: string[] = [];
  let page: Changes | undefined;
  do {
    const path: string = `/api/changes?${page ? `after=${page.next}` : ''}${query}`;
    paths.push(path);
    page = (await (await fetch(new URL(path, server.url))).json()) as Changes;
  } while (page.hasMore);
  const times: number[] = [];
  for (const path of paths) times.push(await timeRead(server, path));
  return times;
}

type ServerList = { servers: { server: { name: string } }[]; metadata: { nextCursor?: string } };

/** Walks over MCP servers by pages of 100, then reads each page again and times that. */
async function walkServers(server: Server, query: string): Promise<number[]> {
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const path: string = `/v0.1/servers?limit=100${cursor === undefined ? query : `&cursor=${cursor}`}`;
    paths.push(path);
    ({ nextCursor: cursor } = (await readServers(server, path)).metadata);
  } while (cursor !== undefined && paths.length < READS);
  const times: number[] = [];
  for (const path of paths) times.push(await timeRead(server, path));
  return times;
}

/** The paths of look-ups of servers by their names. */
async function listServerPaths(server: Server): Promise<string[]> {
  const { servers } = await readServers(server, '/v0.1/servers?limit=100');
  return Array.from({ length: READS }, (_, read) => {
    const name = servers[read % servers.length]?.server.name ?? '';
    return `/v0.1/servers/${encodeURIComponent(name)}/versions/latest`;
  });
}

async function readServers({ url }: Server, path: string): Promise<ServerList> {
  return (await (await fetch(url + path)).json()) as ServerList;
}
