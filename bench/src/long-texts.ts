import { readdirSync, readFileSync } from 'node:fs';
import {
  listEntrances,
  longTexts,
  pairedTexts,
  toLongText,
  type Entrance,
  type LongText,
} from '@agent-registry/contracts/testing/long-texts';
import { median, ms, type Report } from './report.ts';

/** Most processor time of one thread for one text, in milliseconds. */
const MAX_TIME = 50;
/** The most that a text may cost compared with one of half its length, if it costs more than `NOISE` milliseconds. */
const [MAX_RATIO, NOISE] = [2.5, 10];
/** The share of the pairs of signs that is sent to an entrance, each time others: all of them would take an hour. */
const PAIRS_SHARE = 8;
/** How often a text is sent again whose time is too long; other work of the threads may be in it. */
const REPEATS = 4;

/** What a text costs, in milliseconds, and compared with half of it. */
type MeasuredText = { text: string; length: number; time: number; ratio: number };
/** The text that costs most at an entrance, and what one letter costs there, in milliseconds. */
type Cost = MeasuredText & { name: string; letter: number };

/** Measures the processor time of the longest texts at each entrance of a server; returns what costs too much. */
export async function measureLongTexts(
  report: Report,
  { url, pid, id }: { url: string; pid: number; id: string },
): Promise<string[]> {
  console.error('the longest texts at each entrance');
  const costs: Cost[] = [];
  for (const [index, entrance] of listEntrances(id).entries()) {
    const letter = await measureLetter(url, pid, entrance);
    const measured: MeasuredText[] = [];
    const pairs = pairedTexts.filter((_, at) => at % PAIRS_SHARE === index % PAIRS_SHARE);
    for (const text of [...longTexts, ...pairs]) measured.push(...(await measureText(url, pid, entrance, text)));
    const [worst] = measured.toSorted((a, b) => b.time - a.time);
    if (worst) costs.push({ ...worst, name: entrance.name, letter });
  }
  report.addTable(
    `The text that takes most processor time of one thread at each entrance, of ${longTexts.length} and some of ${pairedTexts.length} pairs; in ms.`,
    ['entrance', 'text', 'length', 'time', 'one letter', 'half as long: times'],
    costs
      .toSorted((a, b) => b.time - a.time)
      .map(({ name, text, length, time, letter, ratio }) => [
        name,
        text,
        String(length),
        ms(time),
        ms(letter),
        ratio.toFixed(1),
      ]),
  );
  return costs
    .filter(({ time, ratio }) => time > MAX_TIME || ratio > MAX_RATIO)
    .map(({ name, text, time, ratio }) => `${text} in ${name} took ${ms(time)} ms, ${ratio.toFixed(1)} times its half`);
}

/** What a request with one letter costs, in milliseconds, to compare with: a posted form renders a page. */
async function measureLetter(url: string, pid: number, entrance: Entrance): Promise<number> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    times.push(await measureRequest(url, pid, entrance.toRequest('a')));
  }
  return median(times);
}

async function measureText(url: string, pid: number, entrance: Entrance, text: LongText): Promise<MeasuredText[]> {
  const measured: MeasuredText[] = [];
  for (const { max, of } of entrance.lengths) {
    const send = (length: number) => measureRequest(url, pid, entrance.toRequest(toLongText(text, length, of)));
    let time = await send(max);
    let half = time > NOISE ? await send(Math.floor(max / 2)) : time;
    for (let repeat = 0; repeat < REPEATS && (time > MAX_TIME || time / half > MAX_RATIO); repeat += 1) {
      time = Math.min(time, await send(max));
      half = Math.max(half, await send(Math.floor(max / 2)));
    }
    measured.push({ text: JSON.stringify(Object.values(text).join('')), length: max, time, ratio: time / half });
  }
  return measured;
}

/** The processor time of the thread that a request costs most, in milliseconds. */
async function measureRequest(url: string, pid: number, { path, ...request }: ReturnType<Entrance['toRequest']>) {
  const before = readThreadTimes(pid);
  const response = await fetch(url + path, { ...request, redirect: 'manual' });
  await response.arrayBuffer();
  const times = [...readThreadTimes(pid)].map(([thread, time]) => time - (before.get(thread) ?? 0));
  return Math.max(...times) / 1e6;
}

/** The processor time of each thread of a process, in nanoseconds. Linux only. */
function readThreadTimes(pid: number): Map<string, number> {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder);
  return new Map(
    threads.map((thread) => [thread, Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])]),
  );
}
