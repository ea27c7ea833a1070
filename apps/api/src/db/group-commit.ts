import { setImmediate, setTimeout } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DatabaseUnavailableError } from './engine.ts';
import type { Tables } from './tables.ts';

/** Most writes in one transaction, so that none waits long for the others. */
const MAX_GROUP = 50;
/** How long those who come while others are answered wait for those others, who may come again, in milliseconds. */
const GATHERING = 1;

/** Writes all of a group as part of a transaction, and gives the result of each in their order. */
export type WriteGroup<Item, Result> = (transaction: Kysely<Tables>, group: readonly Item[]) => Promise<Result[]>;

type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Has what comes together written together, in a few statements, and committed together: on the disk it costs little more
 * than one by itself. What comes while a group is committed is the next. Each resolves once it is on the disk; when a group
 * fails, each is written by itself, so that only that fails which must.
 */
export function groupCommits<Item, Result>(
  db: Kysely<Tables>,
  write: WriteGroup<Item, Result>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isCommitting = false;

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isCommitting) void commitAll();
    });

  async function commitAll(): Promise<void> {
    isCommitting = true;
    for (let isFirst = true; waiting.length > 0; isFirst = false) {
      if (!isFirst) await setTimeout(GATHERING);
      // All that this turn of the event loop brings comes along, and the next turns, for as long as each brings more: each
      // group waits for the disk once.
      for (let before = 0; before < waiting.length && before < MAX_GROUP;) {
        before = waiting.length;
        await setImmediate();
      }
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await commit(group);
    }
    isCommitting = false;
  }

  async function commit(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const items = group.map(({ item }) => item);
      const results = await db.transaction().execute((transaction) => write(transaction, items));
      for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
    } catch (error) {
      // Where the database has gone, it may have committed before; nothing must be written twice.
      const isHopeless = group.length === 1 || error instanceof DatabaseUnavailableError;
      if (isHopeless) for (const { reject } of group) reject(error);
      else for (const one of group) await commit([one]);
    }
  }
}
