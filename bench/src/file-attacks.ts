import { hostileFiles } from '../../apps/api/src/testing/hostile-files.ts';
import { createFileReader } from '../../apps/api/src/website-files/read-file.ts';
import { ms, type Report } from './report.ts';

/** The most characters of a file that are read. */
const MAX_LENGTH = { descriptions: 262_144, challenges: 65_536, robots: 65_536 };
/** The most processor time that a file may take on the event loop, in milliseconds. */
const MAX_LOOP_TIME = 50;
/** How often a file is read; the least time counts, since the start of a thread and collections are in others. */
const READS = 3;
/** How much more a file of twice the length may take; less than the second, in milliseconds, is noise. */
const [MAX_GROWTH, MIN_GROWN_TIME] = [2.5, 25];

/** Measures what hostile files of websites take on the event loop; returns what is beyond the aims. */
export async function measureFiles(report: Report): Promise<string[]> {
  const readFile = createFileReader();
  const measure = async ({ kind, type, make }: (typeof hostileFiles)[number], length: number) => {
    const file = { text: make(length), type, url: 'https://website.example/' };
    const times: number[] = [];
    for (let read = 0; read < READS; read += 1) {
      const before = process.threadCpuUsage();
      await readFile(kind, file).catch(() => {});
      const { user, system } = process.threadCpuUsage(before);
      times.push((user + system) / 1_000);
    }
    return Math.min(...times);
  };
  const rows: { name: string; half: number; whole: number }[] = [];
  for (const file of hostileFiles) {
    const length = MAX_LENGTH[file.kind];
    rows.push({ name: file.name, half: await measure(file, length / 2), whole: await measure(file, length) });
  }
  report.addTable(
    'Hostile files of websites: processor time on the event loop in ms, at half the greatest length and at the greatest.',
    ['file', 'half', 'greatest'],
    rows.map(({ name, half, whole }) => [name, ms(half), ms(whole)]),
  );
  const isSlow = ({ half, whole }: (typeof rows)[number]) =>
    whole > MAX_LOOP_TIME || (whole > MIN_GROWN_TIME && whole > MAX_GROWTH * half);
  return rows.filter(isSlow).map(({ name, whole }) => `${name} took ${ms(whole)} ms on the event loop`);
}
