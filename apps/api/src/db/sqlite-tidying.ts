import { setTimeout } from 'node:timers/promises';
import SQLite from 'better-sqlite3';

/** How much is merged in one step. */
const PAGES_PER_STEP = 256;
/** How long searches and registrations have their turn between two steps, in milliseconds. */
const PAUSE = 10;
/** How long a step waits for another that writes, in milliseconds. */
const BUSY_TIMEOUT = 100;

/**
 * Merges the pieces in which FTS5 wrote the index of tokens: a search asks every piece for each of its tokens. A step is a
 * transaction of some milliseconds, in which nobody else can write.
 * @param path of the SQLite file
 */
export async function tidyTokens(path: string): Promise<void> {
  const connection = new SQLite(path, { fileMustExist: true, timeout: BUSY_TIMEOUT });
  try {
    // A merge that a power cut undoes is done again.
    connection.pragma('synchronous = NORMAL');
    const merge = connection.prepare(
      "INSERT INTO agent_tokens (agent_tokens, rank) VALUES ('merge', CAST(? AS integer))",
    );
    const countChanges = connection.prepare('SELECT total_changes()').pluck();
    // A negative number begins a merging of all pieces, which positive ones go on with.
    for (let pages = -PAGES_PER_STEP; ; pages = PAGES_PER_STEP) {
      const before = countChanges.get() as number;
      merge.run(pages);
      // The statement itself is one change.
      if ((countChanges.get() as number) - before < 2) return;
      await setTimeout(PAUSE);
    }
  } finally {
    connection.close();
  }
}
