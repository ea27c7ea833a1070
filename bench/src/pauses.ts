import { setTimeout } from 'node:timers/promises';
import { toAgentPath } from '@agent-registry/contracts';
import { toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { makeCorpus } from '../../apps/api/src/testing/corpora.ts';
import { toPath, withCorpus, type BenchOptions } from './corpus.ts';
import { sendLoad, type Load } from './load.ts';
import { memorySettings, readAll, toVisit } from './memory.ts';
import { count, createReport, megabytes, ms, percentile } from './report.ts';
import { readMemory, startServer, type Server } from './server.ts';

/** Flags of V8 that bound new and old objects, in MB and %; 0 for the default. */
const SEMI_SPACES = [4, 8, 16, 32];
const GROWTHS = [0, 30];
/** Agents in the registry. */
const SIZE = 1_000;

/** Measures the slowest responses and the memory of the server under a grid of flags. */
export async function benchPauses(options: BenchOptions): Promise<void> {
  const report = createReport('pauses');
  const rows: string[][] = [];
  for (const semiSpace of SEMI_SPACES) {
    for (const growth of GROWTHS) {
      const flags = [
        `--max-semi-space-size=${semiSpace}`,
        ...(growth === 0 ? [] : [`--heap-growing-percent=${growth}`]),
      ];
      await withCorpus('sqlite', SIZE, async ({ url, agents }) => {
        const server = await startServer(url, memorySettings, {}, { flags });
        const readMegabytes = () => megabytes(readMemory(server.pid).now);
        await setTimeout(2_000);
        const memory = [readMegabytes()];
        await readAll(server, toVisit(agents));
        memory.push(readMegabytes());
        const registrations = Array.from(makeCorpus(20_000, 5), (agent) => ({
          path: '/api/agents',
          body: JSON.stringify(toNewAgent(agent)),
        }));
        const kinds: Record<string, Load['requests']> = {
          hits: agents.slice(0, 100).map((agent) => ({ path: toPath(agent) })),
          pages: agents.slice(0, 100).map(({ id }) => ({ path: toAgentPath(id) })),
          registrations,
        };
        for (const [kind, requests] of Object.entries(kinds)) {
          const cells = await timeKind(server, { requests, headers: { 'accept-encoding': 'br' } }, options);
          rows.push([`${flags.join(' ')} ${kind}`, ...cells, ...(kind === 'hits' ? memory : ['', ''])]);
          console.error(rows.at(-1)?.join('  '));
        }
        await setTimeout(options.rest * 1_000);
        rows.at(-1)?.splice(-1, 1, readMegabytes());
        await server.stop();
      });
    }
  }
  report.addTable(
    `Response times in ms at the greatest rate and at half of it (p50, p99, p99.9), and memory in MB after the start and after pages and lists; that of the last row of each is after ${count(options.rest)} s of rest.`,
    ['', 'per second', 'p50', 'p99', 'p99.9', 'half: p50', 'p99', 'p99.9', 'MB', 'MB'],
    rows,
  );
  report.save();
}

async function timeKind(server: Server, load: Load, { rounds, seconds }: BenchOptions): Promise<string[]> {
  await sendLoad(server, { ...load, seconds });
  const full = await sendLoad(server, { ...load, seconds: rounds * seconds });
  const half = await sendLoad(server, { ...load, seconds: rounds * seconds, rate: full.perSecond / 2 });
  const toCells = (times: number[]) => [0.5, 0.99, 0.999].map((share) => ms(percentile(times, share)));
  return [count(full.perSecond), ...toCells(full.times), ...toCells(half.times)];
}
