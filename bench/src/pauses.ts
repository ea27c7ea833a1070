import { setTimeout } from 'node:timers/promises';
import { defaultSiteConfig, sortValues, toAgentPath, toBrowsePath, type Agent } from '@agent-registry/contracts';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { toPath, withCorpus, type BenchOptions } from './corpus.ts';
import { sendLoad, type Load } from './load.ts';
import { count, createReport, megabytes, ms, percentile } from './report.ts';
import { readMemory, startServer, type Server } from './server.ts';

/** Flags of V8 that bound new and old objects, those of a registry first. */
const grid = [4, 8, 16, 32].flatMap((size) => [
  [`--max-semi-space-size=${size}`, '--heap-growing-percent=30'],
  [`--max-semi-space-size=${size}`],
]);
/** Agents in the registry, whose pages are all read. */
const SIZE = 1_000;

/** Measures the memory of the server in the course of a visit, and its slowest responses, under a grid of flags. */
export async function benchPauses(options: BenchOptions): Promise<void> {
  const report = createReport('pauses');
  const [times, memory]: [string[][], string[][]] = [[], []];
  for (const flags of grid) {
    const name = flags.join(' ');
    console.error(name);
    await withCorpus('sqlite', SIZE, async ({ url, agents }) => {
      // As the unit and the image set them.
      const settings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' };
      const server = await startServer(url, settings, {}, { flags });
      const cells: string[] = [];
      for (const paths of [[], ['/'], toVisit(agents)]) {
        await readAll(server, paths);
        // What the start leaves to do is done.
        if (paths.length === 0) await setTimeout(2_000);
        cells.push(megabytes(readMemory(server.pid).now));
      }
      for (const [kind, requests] of Object.entries(toKinds(agents))) {
        times.push([`${name}: ${kind}`, ...(await timeKind(server, requests, options))]);
      }
      await setTimeout(options.rest * 1_000);
      memory.push([name, ...cells, megabytes(readMemory(server.pid).now)]);
      await server.stop();
    });
  }
  report.addTable(
    `Resident memory in MB with ${SIZE} agents: after the start, the first page, and the pages of all, the lists of all categories and 100 searches; after the loads of the other table and ${count(options.rest)} s of rest.`,
    ['', 'start', 'page', 'pages', 'rest'],
    memory,
  );
  report.addTable(
    'Response times in ms at the greatest rate and at half of it, 10 connections.',
    ['', 'per second', 'p50', 'p99', 'p99.9', 'half: p50', 'p99', 'p99.9'],
    times,
  );
  report.save();
}

function toVisit(agents: readonly Agent[]): string[] {
  const lists = defaultSiteConfig.categories.flatMap(({ id }) =>
    sortValues.map((sort) => toBrowsePath({ category: id, sort })),
  );
  const words = agents.slice(0, 100).map(({ name }) => encodeURIComponent(name));
  const searches = words.flatMap((word) => [`/?q=${word}`, `/api/search?q=${word}`]);
  return [...agents.map(({ id }) => toAgentPath(id)), ...lists, '/api/agents', ...searches];
}

async function readAll({ url }: Server, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const response = await fetch(url + path);
    if (!response.ok) throw new Error(`${path}: the response has status ${response.status}.`);
    await response.bytes();
  }
}

function toKinds(agents: readonly Agent[]): Record<string, Load['requests']> {
  const some = agents.slice(0, 100);
  const registrations = Array.from(makeCorpus(20_000, 5), (agent) => JSON.stringify(toNewAgent(agent)));
  return {
    hits: some.map((agent) => ({ path: toPath(agent) })),
    pages: some.map(({ id }) => ({ path: toAgentPath(id) })),
    registrations: registrations.map((body) => ({ path: '/api/agents', body })),
  };
}

async function timeKind(server: Server, requests: Load['requests'], { rounds, seconds }: BenchOptions) {
  const load = { requests, headers: { 'accept-encoding': 'br' }, seconds: rounds * seconds };
  await sendLoad(server, { ...load, seconds });
  const full = await sendLoad(server, load);
  const half = await sendLoad(server, { ...load, rate: full.perSecond / 2 });
  const toCells = (times: number[]) => [0.5, 0.99, 0.999].map((share) => ms(percentile(times, share)));
  return [count(full.perSecond), ...toCells(full.times), ...toCells(half.times)];
}
