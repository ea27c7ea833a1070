import type { Kysely } from 'kysely';
import { chunksOf } from '../db/agent-chunks.ts';
import type { Tables } from '../db/tables.ts';
import type { DayViews } from './view-store.ts';

/** How long the views of an agent are kept, in milliseconds. */
const KEPT_TIME = 400 * 86_400_000;
/** Agents that are read at once for a backup. */
const BATCH_SIZE = 200;

/** All views of an agent that are kept. */
export type AgentViewsRecord = { agentId: string; days: DayViews[] };

/** Forgets the views of agents that are too old, and those of agents that are forgotten themselves. */
export async function forgetViews(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - KEPT_TIME).toISOString().slice(0, 10);
  await db.deleteFrom('agent_views').where('day', '<', before).execute();
  const forgotten = db.selectFrom('unlisted_agents').select('id').where('agent', 'is', null);
  await db.deleteFrom('agent_views').where('agent_id', 'in', forgotten).execute();
}

/** Removes the views of agents, as part of a transaction. */
export async function removeViews(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  await transaction.deleteFrom('agent_views').where('agent_id', 'in', ids).execute();
}

/** Reads the views of all agents, by agent. */
export async function* streamViews(db: Kysely<Tables>): AsyncGenerator<AgentViewsRecord, void, undefined> {
  for (let last = ''; ;) {
    const viewed = await db
      .selectFrom('agent_views')
      .select('agent_id')
      .distinct()
      .where('agent_id', '>', last)
      .orderBy('agent_id')
      .limit(BATCH_SIZE)
      .execute();
    const end = viewed.at(-1);
    if (!end) return;
    const ids = viewed.map(({ agent_id: id }) => id);
    const rows = await db
      .selectFrom('agent_views')
      .selectAll()
      .where('agent_id', 'in', ids)
      .orderBy('agent_id')
      .orderBy('day')
      .execute();
    const byAgent = Map.groupBy(rows, ({ agent_id: id }) => id);
    for (const [agentId, own] of byAgent) yield { agentId, days: own.map(({ day, views }) => ({ day, views })) };
    last = end.agent_id;
  }
}

/** Writes the views of agents of a backup, as part of a transaction. */
export async function writeViews(transaction: Kysely<Tables>, records: readonly AgentViewsRecord[]): Promise<void> {
  const rows = records.flatMap(({ agentId, days }) => days.map((counted) => ({ agent_id: agentId, ...counted })));
  for (const chunk of chunksOf(rows)) await transaction.insertInto('agent_views').values(chunk).execute();
}
