import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { DatabaseUnavailableError } from './engine.ts';
import type { Tables } from './tables.ts';

/** Most writes in one transaction, so that none waits long for the others. */
const MAX_GROUP = 50;

/** A write, as part of a transaction. */
export type Write<Result> = (transaction: Kysely<Tables>) => Promise<Result>;

type Waiting = { write: Write<unknown>; resolve: (result: unknown) => void; reject: (error: unknown) => void };

/**
 * Has writes that come together committed together: on the disk they cost little more than one. Those that come while a
 * group is committed are the next. Each resolves once it is on the disk; when one fails, it alone does.
 */
export function groupCommits(db: Kysely<Tables>): <Result>(write: Write<Result>) => Promise<Result> {
  let waiting: Waiting[] = [];
  let isCommitting = false;

  return <Result>(write: Write<Result>) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ write, resolve: resolve as Waiting['resolve'], reject });
      if (!isCommitting) void commitAll();
    });

  async function commitAll(): Promise<void> {
    isCommitting = true;
    while (waiting.length > 0) {
      // All that this turn of the event loop brings comes along.
      await setImmediate();
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      await commit(group);
    }
    isCommitting = false;
  }

  async function commit(group: Waiting[]): Promise<void> {
    try {
      const results = await db.transaction().execute(async (transaction) => {
        // All statements are on their way at once; each is waited for, so that none comes after the end.
        const done = await Promise.allSettled(group.map(({ write }) => write(transaction)));
        return done.map((result) => {
          if (result.status === 'rejected') throw result.reason;
          return result.value;
        });
      });
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      // Where the database has gone, it may have committed before; nothing must be written twice.
      const isHopeless = group.length === 1 || error instanceof DatabaseUnavailableError;
      if (isHopeless) for (const { reject } of group) reject(error);
      else for (const one of group) await commit([one]);
    }
  }
}
