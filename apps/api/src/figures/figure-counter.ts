import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { addToFigures, toDay, type Figures } from './daily-figures.ts';

/** How often counted figures are written, in milliseconds. */
const FLUSH_INTERVAL = 10_000;

/** The figures of requests that write nothing. The others are counted in the transaction of what they count. */
export type CountedFigure = Extract<keyof Figures, 'searchesWithoutResult' | 'rateLimitedCalls'>;

/** Counts figures in memory and adds them to their days in the background, so that a read never writes. */
export type FigureCounter = ReturnType<typeof createFigureCounter>;

/** Options of a figure counter. */
export type FigureCounterOptions = {
  db: Kysely<Tables>;
  /** Called with the error of a background write. */
  onError: (error: unknown) => void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};

/** Starts counting figures. */
export function createFigureCounter({ db, onError, now = () => Date.now() }: FigureCounterOptions) {
  const pending = new Map<string, Partial<Figures>>();
  let lastWrite: Promise<void> = Promise.resolve();
  const timer = setInterval(() => void flush().catch(onError), FLUSH_INTERVAL).unref();

  return {
    /** Adds to a figure, today. */
    count: (figure: CountedFigure, amount: number): void => add(toDay(now()), { [figure]: amount }),
    flush,
    /** Stops the background writes and flushes. */
    async close(): Promise<void> {
      clearInterval(timer);
      await flush();
    },
  };

  function add(day: string, added: Partial<Figures>): void {
    const figures = { ...pending.get(day) };
    for (const [name, amount] of Object.entries(added) as [CountedFigure, number][]) {
      figures[name] = (figures[name] ?? 0) + amount;
    }
    pending.set(day, figures);
  }

  /** Writes the counted figures; after an error they stay counted for the next flush. */
  function flush(): Promise<void> {
    lastWrite = lastWrite.then(write, write);
    return lastWrite;
  }

  async function write(): Promise<void> {
    const counted = new Map(pending);
    for (const [day, figures] of counted) {
      pending.delete(day);
      try {
        await addToFigures(db, day, figures);
      } catch (error) {
        add(day, figures);
        throw error;
      }
    }
  }
}
