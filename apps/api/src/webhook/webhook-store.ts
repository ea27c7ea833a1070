import type { Kysely } from 'kysely';
import { hasCome } from '../db/has-come.ts';
import type { Tables } from '../db/tables.ts';
import { readEvents } from './operator-events.ts';

/** How long a process that delivers holds the webhook, in milliseconds: longer than a delivery takes. */
const LEASE = 60_000;
/** The wait after the first failure, in milliseconds; it doubles with each further one. */
const FIRST_WAIT = 5_000;
/** The longest wait after a failure, in milliseconds. */
const MAX_WAIT = 3_600_000;
/** Events that are read at once. */
const BATCH = 100;
const NAME = 'operator';

/** A process's hold on the webhook. Only its holder delivers. */
type Lease = { until: string; cursor: number; failures: number };

/** How far events were delivered, and which process delivers. */
export type WebhookStore = ReturnType<typeof createWebhookStore>;

/** Creates the store of the webhook over a database. */
export function createWebhookStore(db: Kysely<Tables>, now: () => number = () => Date.now()) {
  const timeIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
  const set = (change: Partial<Pick<Lease, 'cursor' | 'failures'>> & { leased_until: string; due_at?: string }) =>
    db.updateTable('webhook').set(change).where('name', '=', NAME);
  const isFree = () => hasCome('leased_until', now(), 2 * LEASE);
  const isDue = () => hasCome('due_at', now(), MAX_WAIT);

  return {
    /** Begins to collect events if there is a webhook; else ends that and removes them. */
    async setConfigured(isConfigured: boolean): Promise<void> {
      if (isConfigured) {
        await db
          .insertInto('webhook')
          .values({ name: NAME, cursor: 0, leased_until: '', due_at: '', failures: 0 })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute();
        return;
      }
      await db.transaction().execute(async (transaction) => {
        await transaction.deleteFrom('webhook').execute();
        await transaction.deleteFrom('operator_events').execute();
      });
    },

    /** Takes the webhook if events wait, no process holds it, and the wait after a failure is over. */
    async claim(): Promise<Lease | undefined> {
      // Read first, so that a process that waits for events writes nothing.
      const waiting = await db
        .selectFrom('webhook')
        .select('name')
        .where(isFree())
        .where(isDue())
        .where((where) =>
          where.exists(
            where.selectFrom('operator_events').select('number').where('number', '>', where.ref('webhook.cursor')),
          ),
        )
        .executeTakeFirst();
      if (!waiting) return undefined;
      const until = timeIn(LEASE);
      const row = await set({ leased_until: until })
        .where(isFree())
        .where(isDue())
        .returning(['cursor', 'failures'])
        .executeTakeFirst();
      return row && { until, ...row };
    },

    /** Reads the next events, in their order. */
    read: ({ cursor }: Lease) => readEvents(db, { after: cursor, limit: BATCH }),

    /** Stores that an event was delivered, and extends the lease; undefined if another process has taken over. */
    async advance(lease: Lease, number: number): Promise<Lease | undefined> {
      const until = timeIn(LEASE);
      const { numUpdatedRows } = await set({ cursor: number, failures: 0, leased_until: until })
        .where('leased_until', '=', lease.until)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n ? { until, cursor: number, failures: 0 } : undefined;
    },

    /** Stores that a delivery failed: it is tried again after a wait of up to an hour. */
    async fail({ until, failures }: Lease): Promise<void> {
      const due_at = timeIn(Math.min(MAX_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 20)));
      await set({ leased_until: '', due_at, failures: failures + 1 })
        .where('leased_until', '=', until)
        .execute();
    },

    /** Gives the webhook back. */
    async release({ until }: Lease): Promise<void> {
      await set({ leased_until: '' }).where('leased_until', '=', until).execute();
    },
  };
}
