import { setTimeout } from 'node:timers/promises';
import { sql, type Kysely } from 'kysely';
import { ftsCommand } from './token-index.ts';
import type { Tables } from '../tables.ts';

/** When segments are merged, in milliseconds. */
export const MERGE_TIMES = { delay: 1_000, interval: 3_600_000 };
/** Pages that one step merges. */
const PAGES_PER_STEP = 256;
/** The pause for registrations between two steps, in milliseconds. */
const PAUSE = 10;

/**
 * Merges the segments of the FTS5 index into one: a search reads every segment for each of its tokens. A step is a
 * transaction of some milliseconds, during which registrations wait.
 */
export async function mergeSegments(db: Kysely<Tables>, signal?: AbortSignal): Promise<void> {
  // A negative number starts a merge of all segments, and positive ones continue it.
  let pages = -PAGES_PER_STEP;
  while (await merge(db, pages)) {
    pages = PAGES_PER_STEP;
    await setTimeout(PAUSE, undefined, { signal });
  }
}

/** Merges at most this many pages; false if there was nothing to merge. */
function merge(db: Kysely<Tables>, pages: number): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const before = await countChanges(transaction);
    await ftsCommand('merge', pages).execute(transaction);
    // The command itself counts as one change.
    return (await countChanges(transaction)) - before > 1;
  });
}

async function countChanges(transaction: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ changes: number }>`SELECT total_changes() AS changes`.execute(transaction);
  return rows[0]?.changes ?? 0;
}
