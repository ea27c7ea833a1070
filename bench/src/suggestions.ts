import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { withCorpus, type BenchOptions, type Corpus } from './corpus.ts';
import { timeRead } from './load.ts';
import { count, createReport, median, ms, p99 } from './report.ts';
import { startServer } from './server.ts';

const WARM_UPS = 50;
const READS = 500;
/** The lengths of the measured texts, in characters. */
const lengths = [2, 3, 5, 8];

/** Measures suggestions for the beginnings of names and capabilities, without cached responses. */
export async function benchSuggestions({ engines, sizes }: BenchOptions): Promise<void> {
  const report = createReport('suggestions');
  const rows: string[][] = [];
  for (const engine of engines) {
    for (const size of sizes) {
      await withCorpus(engine, size, async (corpus) => {
        const name = `${engine}, ${count(size)}`;
        console.error(name);
        for (const { length, times } of await measure(corpus)) {
          rows.push([`${name}: ${length} characters`, ...[median(times), p99(times), Math.max(...times)].map(ms)]);
        }
      });
    }
  }
  report.addTable(`Suggestions for ${READS} texts of each length, in ms.`, ['', 'p50', 'p99', 'max'], rows);
  report.save();
}

async function measure({ url, agents }: Corpus) {
  const server = await startServer(url, { CACHE_SIZE: '0' });
  const random = makeRandom(0);
  const texts = agents.flatMap(({ name, capabilities }) => [name, ...capabilities]);
  const pick = () => texts[Math.floor(random() * texts.length)] as string;
  try {
    const results = [];
    for (const length of lengths) {
      const times: number[] = [];
      for (let read = -WARM_UPS; read < READS; read += 1) {
        const q = pick().padEnd(length, 'e').slice(0, length).trim().padEnd(2, 'e');
        const time = await timeRead(server, `/api/suggest?q=${encodeURIComponent(q)}`);
        if (read >= 0) times.push(time);
      }
      results.push({ length, times });
    }
    return results;
  } finally {
    await server.stop();
  }
}
