import type { Kysely } from 'kysely';
import { hasCome, chunksOf, toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { eventTypes } from '../db/states.ts';
import type { AgentEvent, Listener } from '../agents/agent-rows.ts';
import type { FieldsOf } from '../db/record-kinds.ts';

/** How long an event waits for its delivery, in milliseconds; after that it is lost. */
export const EVENT_PERIOD = 30 * 86_400_000;

export type OperatorEvent = FieldsOf<'event'>;

/** Adds events, after the agents were changed; nothing without a webhook. */
export const writeEvents: Listener = async (transaction, event) => {
  const type = eventTypes.find((known) => known === `agent.${event.type}`);
  if (type === undefined || ('isRestored' in event && event.isRestored)) return;
  // The update locks the row until the commit, so that the numbers ascend in the order of commits.
  const { numUpdatedRows } = await transaction
    .updateTable('webhook')
    .set((columns) => ({ cursor: columns.ref('cursor') }))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  const at = new Date().toISOString();
  for (const chunk of chunksOf<AgentEvent['agents'][number]>(event.agents)) {
    const rows = chunk.map(({ agent }) => ({ at, type, agent_id: agent.id }));
    await transaction.insertInto('operator_events').values(rows).execute();
  }
};

/** How long a process that delivers holds the webhook, in milliseconds: longer than a delivery takes. */
const LEASE = 60_000;
/** The wait after the first failure, in milliseconds; it doubles with each further one. */
const FIRST_WAIT = 5_000;
/** The longest wait after a failure, in milliseconds. */
const MAX_WAIT = 3_600_000;
/** How often an event is refused until it is dropped. */
const MAX_REFUSALS = 8;
const BATCH = 100;

type Lease = { until: string; cursor: number; failures: number; refusals: number };
export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(db: Kysely<Tables>, now: () => number = () => Date.now()) {
  const timeIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
  const set = (change: Partial<Omit<Lease, 'until'>> & { leased_until: string; due_at?: string }) =>
    db.updateTable('webhook').set(change);
  const isFree = () => hasCome('leased_until', now(), 2 * LEASE);
  const isDue = () => hasCome('due_at', now(), MAX_WAIT);

  /** Stores that an event was delivered, and extends the lease; undefined if another process has taken over. */
  async function advance(lease: Lease, number: number): Promise<Lease | undefined> {
    const until = timeIn(LEASE);
    const next = { cursor: number, failures: 0, refusals: 0 };
    const { numUpdatedRows } = await set({ ...next, leased_until: until })
      .where('leased_until', '=', lease.until)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n ? { until, ...next } : undefined;
  }

  /** Stores that a delivery failed: it is tried again after a wait of up to an hour. */
  async function fail({ until, failures, refusals }: Lease): Promise<undefined> {
    const due_at = timeIn(Math.min(MAX_WAIT, FIRST_WAIT * 2 ** Math.min(failures, 20)));
    await set({ leased_until: '', due_at, failures: failures + 1, refusals })
      .where('leased_until', '=', until)
      .execute();
  }

  return {
    /** Begins to collect events if the webhook is configured; else ends that, and removes them. */
    setConfigured: (isConfigured: boolean) => setConfigured(db, isConfigured),

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
        .returning(['cursor', 'failures', 'refusals'])
        .executeTakeFirst();
      return row && { until, ...row };
    },

    read: ({ cursor }: Lease) => readEvents(db, cursor),

    advance,
    fail,

    /** Stores a refusal: the event is tried again, or dropped after eight; the extended lease lets the next ones go on. */
    async refuse(lease: Lease, number: number): Promise<Lease | undefined> {
      const refusals = lease.refusals + 1;
      return refusals < MAX_REFUSALS ? fail({ ...lease, refusals }) : advance(lease, number);
    },

    async release({ until }: Lease): Promise<void> {
      await set({ leased_until: '' }).where('leased_until', '=', until).execute();
    },
  };
}

/** Removes what erased agents have left of events: all but their removal. */
export async function removeEvents(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  const events = transaction.deleteFrom('operator_events').where('agent_id', 'in', ids);
  await events.where('type', '!=', 'agent.removed').execute();
}

async function setConfigured(db: Kysely<Tables>, isConfigured: boolean): Promise<void> {
  if (isConfigured) {
    await db
      .insertInto('webhook')
      .values({ name: 'webhook', cursor: 0, leased_until: '', due_at: '', failures: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('webhook').execute();
    await transaction.deleteFrom('operator_events').execute();
  });
}

async function readEvents(db: Kysely<Tables>, after: number): Promise<OperatorEvent[]> {
  const events = db.selectFrom('operator_events').selectAll().where('number', '>', after);
  const rows = await events.orderBy('number').limit(BATCH).execute();
  return rows.map((row) => toRecord('event', row));
}

/** Deletes the events that were delivered, or that are 30 days old or older. */
export async function forgetEvents(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - EVENT_PERIOD).toISOString();
  await db
    .deleteFrom('operator_events')
    .where((where) =>
      where.or([where('at', '<=', before), where('number', '<=', db.selectFrom('webhook').select('cursor'))]),
    )
    .execute();
}
