import type { Kysely } from 'kysely';
import { type Acting, recordAction } from '../actions/record-of-actions.ts';
import { hasCome, chunksOf, toRecord, writeRecords } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import { eventTypes, type EventType } from '../db/states.ts';
import type { AgentEvent, Listener } from '../agents/agent-rows.ts';
import type { FieldsOf } from '../db/record-kinds.ts';

/** How long an event waits for its delivery, in milliseconds; after that it is lost. */
export const EVENT_PERIOD = 30 * 86_400_000;

/** An event of which the operator is told. */
export type OperatorEvent = FieldsOf<'event'>;
/** An event that the webhook refused; its id is that of its message. */
export type RefusedEvent = FieldsOf<'refused-event'>;

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
/** How often an event is refused until it is set aside. */
const MAX_REFUSALS = 8;
/** Events that are read at once. */
const BATCH = 100;
/** The receivers, each with the events that it gets: the operator, and a cache in front. */
export const receivers = {
  operator: eventTypes,
  purge: ['agent.listed', 'agent.updated', 'agent.removed'],
} as const satisfies Record<string, readonly EventType[]>;
type Receiver = keyof typeof receivers;

/** A process's hold on a receiver. Only its holder delivers. */
type Lease = { until: string; cursor: number; failures: number; refusals: number };

/** How far events were delivered, and which process delivers. */
export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(
  db: Kysely<Tables>,
  now: () => number = () => Date.now(),
  name: Receiver = 'operator',
) {
  const timeIn = (milliseconds: number) => new Date(now() + milliseconds).toISOString();
  const set = (change: Partial<Omit<Lease, 'until'>> & { leased_until: string; due_at?: string }, writer = db) =>
    writer.updateTable('webhook').set(change).where('name', '=', name);
  const isFree = () => hasCome('leased_until', now(), 2 * LEASE);
  const isDue = () => hasCome('due_at', now(), MAX_WAIT);

  /** Stores that an event was delivered, and extends the lease; undefined if another process has taken over. */
  async function advance(lease: Lease, number: number, writer = db): Promise<Lease | undefined> {
    const until = timeIn(LEASE);
    const next = { cursor: number, failures: 0, refusals: 0 };
    const { numUpdatedRows } = await set({ ...next, leased_until: until }, writer)
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
    /** Begins to collect events if the receiver is configured; else ends that, and removes them with the last receiver. */
    setConfigured: (isConfigured: boolean) => setConfigured(db, name, isConfigured),

    /** Takes the webhook if events wait, no process holds it, and the wait after a failure is over. */
    async claim(): Promise<Lease | undefined> {
      // Read first, so that a process that waits for events writes nothing.
      const waiting = await db
        .selectFrom('webhook')
        .select('name')
        .where('name', '=', name)
        .where(isFree())
        .where(isDue())
        .where((where) =>
          where.exists(
            where
              .selectFrom('operator_events')
              .select('number')
              .where('type', 'in', receivers[name])
              .where('number', '>', where.ref('webhook.cursor')),
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

    /** Reads the next events, in their order. */
    read: ({ cursor }: Lease) => readEvents(db, name, cursor),

    advance,
    fail,

    /**
     * Stores that the receiver refused an event: it is tried again as after a failure. After eight refusals that of the
     * operator is set aside, and a purge is given up.
     * @returns the extended lease then, so that the next ones go on
     */
    async refuse(lease: Lease, event: OperatorEvent & { id: string }, status: number): Promise<Lease | undefined> {
      const refusals = lease.refusals + 1;
      if (refusals < MAX_REFUSALS) return fail({ ...lease, refusals });
      return db.transaction().execute(async (transaction) => {
        const next = await advance(lease, event.number, transaction);
        const refused = { ...event, refusedAt: timeIn(0), status };
        if (next && name === 'operator') await writeRecords(transaction, 'refused-event', [refused]);
        return next;
      });
    },

    /** Gives the webhook back. */
    async release({ until }: Lease): Promise<void> {
      await set({ leased_until: '' }).where('leased_until', '=', until).execute();
    },
  };
}

/** Removes what erased agents have left of events: all but their removal. */
export async function removeEvents(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  for (const table of ['operator_events', 'refused_events'] as const) {
    await transaction.deleteFrom(table).where('agent_id', 'in', ids).where('type', '!=', 'agent.removed').execute();
  }
}

/** Reads the events that the webhook refused, oldest first: those with the ids, or all. */
export async function readRefused(db: Kysely<Tables>, ids?: readonly string[]): Promise<RefusedEvent[]> {
  const rows = await db
    .selectFrom('refused_events')
    .selectAll()
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .orderBy('refused_at')
    .orderBy('id')
    .execute();
  return rows.map((row) => toRecord('refused-event', row));
}

/** Counts the events that the webhook refused by their types, each with the id of the oldest. */
export async function countRefused(db: Kysely<Tables>): Promise<{ type: string; event: string; count: number }[]> {
  const counts = new Map<string, { type: string; event: string; count: number }>();
  for (const { type, id } of await readRefused(db)) {
    const known = counts.get(type) ?? { type, event: id, count: 0 };
    counts.set(type, { ...known, count: known.count + 1 });
  }
  return [...counts.values()];
}

/** Removes an event that the webhook refused, since it was sent or dropped. */
export async function removeRefused(db: Kysely<Tables>, { id, agentId }: RefusedEvent, acting: Acting): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('refused_events').where('id', '=', id).execute();
    await recordAction(transaction, acting, [{ id: agentId }]);
  });
}

async function setConfigured(db: Kysely<Tables>, name: Receiver, isConfigured: boolean): Promise<void> {
  if (isConfigured) {
    // Events before all other cursors are kept for a short time only.
    const others = db.selectFrom('webhook').select((select) => select.fn.min('cursor').as('cursor'));
    const { cursor } = await others.executeTakeFirstOrThrow();
    await db
      .insertInto('webhook')
      .values({ name, cursor: cursor ?? 0, leased_until: '', due_at: '', failures: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    return;
  }
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('webhook').where('name', '=', name).execute();
    if (name === 'operator') await transaction.deleteFrom('refused_events').execute();
    const others = await transaction.selectFrom('webhook').select('name').execute();
    if (others.length === 0) await transaction.deleteFrom('operator_events').execute();
  });
}

/** Reads the next events of a receiver, in their order. */
async function readEvents(db: Kysely<Tables>, name: Receiver, after: number): Promise<OperatorEvent[]> {
  const rows = await db
    .selectFrom('operator_events')
    .selectAll()
    .where('type', 'in', receivers[name])
    .where('number', '>', after)
    .orderBy('number')
    .limit(BATCH)
    .execute();
  return rows.map((row) => toRecord('event', row));
}

/**
 * Deletes the events that were delivered, that are 30 days old or older, or that were set aside so long ago.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetEvents(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - EVENT_PERIOD).toISOString();
  await db
    .deleteFrom('operator_events')
    .where((where) =>
      where.or([
        where('at', '<=', before),
        where(
          'number',
          '<=',
          db.selectFrom('webhook').select((select) => select.fn.min('cursor').as('cursor')),
        ),
      ]),
    )
    .execute();
  await db.deleteFrom('refused_events').where('refused_at', '<=', before).execute();
}
