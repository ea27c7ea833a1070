import type { Kysely } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import type { Tables } from '../db/tables.ts';

/** A queue of the operator: its length, and the time of its oldest entry as ISO 8601; null if it is empty. */
export type Queue = { length: number; oldest: string | null };

/**
 * Adds gauges of what waits for the operator, by queue: `held` agents and edits, `reports` of listed agents, and `events`
 * that the webhook did not deliver. Each scrape reads them from the database, and has none of them while it does not answer. Every process of a registry has the same values.
 */
export function addModerationGauges(registry: Registry, db: Kysely<Tables>): void {
  addGauge({ name: 'moderation_queue_length', help: 'What waits for the operator, by queue.' }, ({ length }) => length);
  addGauge(
    { name: 'moderation_queue_oldest_seconds', help: 'Age of the oldest that waits, by queue; 0 if nothing waits.' },
    ({ oldest }) => (oldest === null ? 0 : Math.max(0, (Date.now() - Date.parse(oldest)) / 1_000)),
  );

  function addGauge(gauge: { name: string; help: string }, measure: (queue: Queue) => number): void {
    const queueGauge = new Gauge({
      ...gauge,
      labelNames: ['queue'],
      registers: [],
      async collect() {
        const queues = await readQueues(db).catch(() => ({}));
        this.reset();
        for (const [queue, state] of Object.entries(queues)) this.set({ queue }, measure(state));
      },
    });
    registry.registerMetric(queueGauge);
  }
}

/** Reads what waits for the operator. */
export async function readQueues(db: Kysely<Tables>): Promise<Record<'held' | 'reports' | 'events', Queue>> {
  const [held, proposed, reports, events] = await Promise.all([
    db
      .selectFrom('unlisted_agents')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('since').as('oldest')])
      .where('state', '=', 'held')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('proposed_versions')
      .innerJoin('agents', 'agents.id', 'agent_id')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('since').as('oldest')])
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('reports')
      .innerJoin('agents', 'agents.id', 'reports.agent_id')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('reports.created_at').as('oldest')])
      .executeTakeFirstOrThrow(),
    db
      .selectFrom('operator_events')
      .select((select) => [select.fn.countAll<number>().as('length'), select.fn.min('at').as('oldest')])
      .where('number', '>', db.selectFrom('webhook').select('cursor'))
      .executeTakeFirstOrThrow(),
  ]);
  return { held: join(held, proposed), reports, events };
}

function join(...queues: readonly Queue[]): Queue {
  const [oldest = null] = queues.flatMap((queue) => queue.oldest ?? []).toSorted();
  return { length: queues.reduce((sum, { length }) => sum + length, 0), oldest };
}
