import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DatabaseConflictError, DatabaseUnavailableError } from '../database-error.ts';
import type { Tables } from './tables.ts';

const MAX_GROUP = 50;
/** The pause between two groups, in milliseconds: clients that were just answered can join the next group. */
const PAUSE = 1;
/** How long a write may wait for its group to start, in milliseconds. */
const MAX_WAIT = 5_000;

type Write<Item, Result> = {
  item: Item;
  queuedAt: number;
  /** Whether it is committed by itself, since its group failed. */
  isAlone?: boolean;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

/**
 * Group commit: concurrent writes share a transaction and its fsync. Writes that arrive during a commit form the next
 * group. Each write resolves after its commit. When a group fails, or is rolled back for others, its writes are committed
 * one by one. During an outage the group and all queued writes fail with `DatabaseUnavailableError`, and so does a write
 * that waited for too long: nothing is written after its caller gave up.
 * @param write returns the results of a group in the same order
 */
export function groupCommits<Item, Result>(
  db: Kysely<Tables>,
  write: (transaction: Kysely<Tables>, group: readonly Item[]) => Promise<Result[]>,
): (item: Item) => Promise<Result> {
  let queue: Write<Item, Result>[] = [];
  let isCommitting = false;

  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, queuedAt: performance.now(), resolve, reject });
      if (!isCommitting) void commitAll();
    });

  async function commitAll(): Promise<void> {
    isCommitting = true;
    for (let isFirst = true; queue.length > 0; isFirst = false) {
      if (!isFirst) await setTimeout(PAUSE);
      await gather();
      const group = takeGroup();
      if (group.length > 0) await commit(group);
    }
    isCommitting = false;
  }

  /** Waits while each turn of the event loop brings more writes. */
  async function gather(): Promise<void> {
    for (let length = 0; length < queue.length && length < MAX_GROUP;) {
      length = queue.length;
      await setImmediate();
    }
  }

  function takeGroup(): Write<Item, Result>[] {
    const start = performance.now() - MAX_WAIT;
    const expired = queue.filter(({ queuedAt }) => queuedAt < start);
    const error = new DatabaseUnavailableError('Earlier writes took too long.');
    for (const { reject } of expired) reject(error);
    queue = queue.filter(({ queuedAt }) => queuedAt >= start);
    return queue.splice(0, queue[0]?.isAlone ? 1 : MAX_GROUP);
  }

  async function commit(group: Write<Item, Result>[]): Promise<void> {
    try {
      const items = group.map(({ item }) => item);
      const results = await db.transaction().execute((transaction) => write(transaction, items));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError && !(error instanceof DatabaseConflictError)) {
        // Not retried: the commit may have succeeded. Queued writes would wait as long, and fail as well.
        for (const { reject } of [...group, ...queue.splice(0)]) reject(error);
      } else if (group.length === 1) {
        group[0]?.reject(error);
      } else {
        queue.unshift(...group.map((one) => ({ ...one, isAlone: true })));
      }
    }
  }
}
