import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { tellIndex } from './token-index.ts';
import type { Tables } from '../tables.ts';

/** How long after it is called, and after each time, the index is put in order, in milliseconds. */
const INTERVAL = { first: 1_000, later: 3_600_000 };
/** How much is merged in one step. */
const PAGES_PER_STEP = 256;
/** How long registrations have their turn between two steps, in milliseconds. */
const PAUSE = 10;

/** Puts the index of tokens in order now and again, until the signal. */
export async function keepTidy(db: Kysely<Tables>, signal: AbortSignal): Promise<void> {
  for (let pause = INTERVAL.first; !signal.aborted; pause = INTERVAL.later) {
    // Where it cannot write now, what is left is done the next time; searches only read.
    await setTimeout(pause, undefined, { ref: false, signal })
      .then(() => tidyTokens(db, signal))
      .catch(() => {});
  }
}

/**
 * Merges the pieces in which FTS5 wrote the index of tokens: a search asks every piece for each of its tokens. A step is a
 * transaction of some milliseconds, in which nobody else can write.
 */
export async function tidyTokens(db: Kysely<Tables>, signal?: AbortSignal): Promise<void> {
  // A negative number begins a merging of all pieces, which positive ones go on with.
  let pages = -PAGES_PER_STEP;
  while (await merge(db, pages)) {
    pages = PAGES_PER_STEP;
    await setTimeout(PAUSE, undefined, { signal });
  }
}

/** Merges so many pages, and says whether there were any. */
function merge(db: Kysely<Tables>, pages: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const before = await countChanges(transaction);
    await tellIndex('merge', pages).execute(transaction);
    // The statement itself is one change.
    return (await countChanges(transaction)) - before > 1;
  });
}

async function countChanges(transaction: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(transaction);
  return rows[0]?.changes ?? 0;
}
