import type { Kysely } from 'kysely';
import { chunksOf } from '../db/walk.ts';
import { eventTypes } from '../db/operator-tables.ts';
import type { AgentEvent, Listener } from '../agents/registry.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import { toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';

/** How long an event waits for its delivery, in milliseconds; after that it is lost. */
export const EVENT_PERIOD = 30 * 86_400_000;

/** An event of which the operator is told. */
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

/** Removes what erased agents have left of events: all but their removal. */
export async function removeEvents(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await transaction
    .deleteFrom('operator_events')
    .where('agent_id', 'in', ids)
    .where('type', '!=', 'agent.removed')
    .execute();
}

/** Reads the next events that were not delivered, in their order. */
export async function readEvents(
  db: Kysely<Tables>,
  { after, limit }: { after: number; limit: number },
): Promise<OperatorEvent[]> {
  const rows = await db
    .selectFrom('operator_events')
    .selectAll()
    .where('number', '>', after)
    .orderBy('number')
    .limit(limit)
    .execute();
  return rows.map((row) => toRecord('event', row));
}

/**
 * Deletes the events that were delivered, or are 30 days old or older.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetEvents(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - EVENT_PERIOD).toISOString();
  await db
    .deleteFrom('operator_events')
    .where((where) =>
      where.or([where('at', '<=', before), where('number', '<=', db.selectFrom('webhook').select('cursor'))]),
    )
    .execute();
}
