import { setTimeout } from 'node:timers/promises';
import { defaultSiteConfig, sortValues, toAgentPath, toBrowsePath, type Agent } from '@agent-registry/contracts';
import { withCorpus } from './corpus.ts';
import { createReport, megabytes } from './report.ts';
import { readMemory, startServer, type Server } from './server.ts';

/** Agents in the registry, whose pages are all read. */
const SIZE = 1_000;
/** How long the server rests at the end, in milliseconds. */
const REST = 60_000;

/** The settings of the unit and the image. */
export const memorySettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' };

/** Measures the resident memory of the server in the course of a visit. */
export async function benchMemory(): Promise<void> {
  const report = createReport('memory');
  const rows: string[][] = [];
  await withCorpus('sqlite', SIZE, async ({ url, agents }) => {
    const server = await startServer(url, memorySettings);
    const note = (name: string, limit: number) => {
      const memory = readMemory(server.pid).now;
      const verdict = memory <= limit ? 'met' : 'missed';
      rows.push([name, megabytes(memory), `${megabytes(limit)}, ${verdict}`]);
      console.error(`${name}: ${megabytes(memory)} MB`);
    };
    try {
      // What the start leaves to do is done.
      await setTimeout(2_000);
      note('after the start', 140e6);
      await readAll(server, ['/']);
      note('after the first page', 190e6);
      await readAll(server, toVisit(agents));
      note('after pages, lists and searches', 250e6);
      await setTimeout(REST);
      note('a minute later', 220e6);
    } finally {
      await server.stop();
    }
  });
  report.addTable(
    `Resident memory in MB of the server with ${SIZE} agents, of which each page is read, the lists of all categories, and 100 searches.`,
    ['', 'MB', 'at most'],
    rows,
  );
  report.save();
}

/** The pages of all agents, the lists of all categories, and searches. */
export function toVisit(agents: readonly Agent[]): string[] {
  const lists = defaultSiteConfig.categories.flatMap(({ id }) =>
    sortValues.map((sort) => toBrowsePath({ category: id, sort })),
  );
  const words = agents.slice(0, 100).map(({ name }) => encodeURIComponent(name));
  const searches = words.flatMap((word) => [`/?q=${word}`, `/api/search?q=${word}`]);
  return [...agents.map(({ id }) => toAgentPath(id)), ...lists, '/api/agents', ...searches];
}

export async function readAll({ url }: Server, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const response = await fetch(url + path);
    if (!response.ok) throw new Error(`${path}: the response has status ${response.status}.`);
    await response.bytes();
  }
}
