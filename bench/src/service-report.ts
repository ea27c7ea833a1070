import { CONNECTIONS, type LoadResult } from './load.ts';
import { count, ms, printTable } from './report.ts';
import { max, median, min } from './timing.ts';

/** One round of something that is done again and again; what does not apply is left out. */
export type Sample = Pick<LoadResult, 'perSecond'> &
  Partial<Omit<LoadResult, 'perSecond'>> & {
    /** Of its processor, from 0 to 1, where it is known. */
    busy?: number;
  };

/** What was measured beside its limit, in turns. */
export type Ratio = {
  name: string;
  ours: Sample[];
  limit: Sample[];
  /** Which part of the limit is to be reached. */
  aim?: number | undefined;
  /** What else is to be known; why nothing was measured, where there are no samples. */
  note?: string | undefined;
};

/** A figure that stands for itself. */
export type Figure = {
  name: string;
  unit: 'ms' | 'MB';
  values: number[];
  /** What it is to stay below. */
  aim?: number | undefined;
  note?: string | undefined;
};

/** A server that works less of its time than this was not what limited the rate. */
const BUSY = 0.9;
/** How far the sizes of answers may be apart that are meant to be the same. */
const SAME_SIZE = 0.01;

/** Prints what was measured beside its limit. */
export function printRatios(ratios: readonly Ratio[]): void {
  printTable(
    'Beside the limit, in turns. Answers a second, and their ratio: the median, and from the least to the greatest; the same ratio by the processor time that servers take for an answer; the part of the time that each server works',
    '|ours /s|limit /s|ratio|from–to|by processor|p99 ms|limit p99|bytes|busy|limit busy|aim|met'.split('|'),
    ratios.map((ratio) => {
      const { name, ours, limit, aim } = ratio;
      const byRate = inRounds(ratio, ({ perSecond }) => perSecond);
      const byProcessor = inRounds(ratio, answersPerProcessorSecond);
      const ofOurs = (field: keyof Sample) => middle(ours, field);
      const ofLimit = (field: keyof Sample) => middle(limit, field);
      // Where a client is slower than both servers, only the time of processors tells them apart.
      const isMet = (least: number) =>
        median(byRate) >= least && (!(ofLimit('busy') < BUSY) || median(byProcessor) >= least);
      return [
        name,
        ...[ofOurs('perSecond'), ofLimit('perSecond')].map((rate) => orNone(rate, count)),
        orNone(median(byRate), (middling) => middling.toFixed(2)),
        orNone(min(byRate), (least) => `${least.toFixed(2)}–${max(byRate).toFixed(2)}`),
        orNone(median(byProcessor), (middling) => middling.toFixed(2)),
        ...[ofOurs('p99'), ofLimit('p99')].map((time) => orNone(time, ms)),
        orNone(ofOurs('bytes'), count),
        ...[ofOurs('busy'), ofLimit('busy')].map((share) => orNone(share, (known) => `${(known * 100).toFixed(0)} %`)),
        aim === undefined ? '' : `≥ ${aim.toFixed(2)}`,
        aim === undefined ? '' : isYes(isMet(aim)),
      ];
    }),
  );
  const idle = ratios.filter(({ limit }) => middle(limit, 'busy') < BUSY).map(({ name }) => name);
  if (idle.length > 0) {
    console.log(
      `\nThe limit did not work all the time, so that the client, or whatever else runs here, held it up; the ratio by processor tells more there: ${idle.join('; ')}.`,
    );
  }
  printNotes(ratios.map((ratio) => ({ name: ratio.name, notes: [ratio.note, ...findDoubts(ratio)] })));
}

/** How ours compares with the limit in each round. */
function inRounds({ ours, limit }: Ratio, read: (sample: Sample) => number): number[] {
  return ours.map((sample, round) => read(sample) / read(limit[round] ?? { perSecond: Number.NaN }));
}

function answersPerProcessorSecond({ perSecond, busy = Number.NaN }: Sample): number {
  return perSecond / busy;
}

/** Prints figures that stand for themselves. */
export function printFigures(figures: readonly Figure[]): void {
  const show = (value: number, unit: Figure['unit']) => `${unit === 'ms' ? ms(value) : value.toFixed(1)} ${unit}`;
  printTable(
    'By itself: the median, and from the least to the greatest',
    ['', 'median', 'from–to', 'aim', 'met'],
    figures.map(({ name, unit, values, aim }) => [
      name,
      orNone(median(values), (value) => show(value, unit)),
      orNone(min(values), (least) => `${show(least, unit)}–${show(max(values), unit)}`),
      aim === undefined ? '' : `< ${aim} ${unit}`,
      aim === undefined ? '' : isYes(median(values) < aim),
    ]),
  );
  printNotes(figures.map(({ name, note }) => ({ name, notes: [note] })));
}

/** Why a ratio is not to be taken as it stands. */
function findDoubts({ ours, limit }: Ratio): string[] {
  const doubts: string[] = [];
  const sum = (field: 'refused' | 'broken') =>
    [...ours, ...limit].reduce((total, sample) => total + (sample[field] ?? 0), 0);
  if (sum('refused') > 0) doubts.push(`${sum('refused')} ANSWERS WERE ERRORS`);
  if (sum('broken') > 0) doubts.push(`${sum('broken')} REQUESTS WERE NOT ANSWERED`);
  const [size, limitSize] = [middle(ours, 'bytes'), middle(limit, 'bytes')];
  // At the end of a round each connection has an answer that has begun.
  const begun = CONNECTIONS / Math.min(...[...ours, ...limit].map(({ requests = Number.NaN }) => requests));
  if (Math.abs(size / limitSize - 1) > SAME_SIZE + begun)
    doubts.push(`the limit's answers have ${count(limitSize)} bytes`);
  return doubts;
}

function printNotes(all: readonly { name: string; notes: readonly (string | undefined)[] }[]): void {
  const lines = all.flatMap(({ name, notes }) => {
    const given = notes.filter((note) => note !== undefined);
    return given.length > 0 ? [`- ${name}: ${given.join('; ')}.`] : [];
  });
  if (lines.length > 0) console.log(`\n${lines.join('\n')}`);
}

function middle(samples: readonly Sample[], field: keyof Sample): number {
  return median(samples.map((sample) => sample[field]).filter((value) => value !== undefined));
}

function orNone(value: number, show: (value: number) => string): string {
  return Number.isNaN(value) ? '–' : show(value);
}

function isYes(isMet: boolean): string {
  return isMet ? 'yes' : 'NO';
}
