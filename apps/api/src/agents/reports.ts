import type { Report } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { walkChunks, writeRecords } from '../db/records.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import type { Tables } from '../db/tables.ts';
import { tell, type Registry } from './agent-rows.ts';

/**
 * How many of the first reports of an agent are kept, and how many of the latest. Others leave, so that nobody fills the
 * database or pushes out an early report.
 */
export const KEPT_REPORTS = 10;

type AgentReports = FieldsOf<'reports'>;

/** Stores a report of a listed agent for the operator; false if the agent is not listed. */
export function addReport(registry: Registry, agentId: string, report: Report): Promise<boolean> {
  return registry.db.transaction().execute(async (transaction) => {
    // No report is added to an agent that is being erased.
    await registry.lockWrites(transaction);
    const row = await transaction.selectFrom('agents').select('id').where('id', '=', agentId).executeTakeFirst();
    if (!row) return false;
    await writeRecords(transaction, 'reports', [{ agentId, reports: [report] }]);
    const ofAgent = transaction.selectFrom('reports').select('number').where('agent_id', '=', agentId);
    const numbers = (await ofAgent.orderBy('number').execute()).map(({ number }) => number);
    const surplus = numbers.slice(KEPT_REPORTS, -KEPT_REPORTS);
    if (surplus.length > 0) await transaction.deleteFrom('reports').where('number', 'in', surplus).execute();
    await tell(registry, transaction, { type: 'reported', agents: [{ agent: row }] });
    return true;
  });
}

/** Reads the reports of agents with these ids, of each agent together, in the order of the ids. */
export async function readReports(db: Kysely<Tables>, ids: readonly string[]): Promise<AgentReports[]> {
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('reports').selectAll().where('agent_id', 'in', ids).orderBy('number').execute();
  const byAgent = Map.groupBy(rows, ({ agent_id }) => agent_id);
  return ids.flatMap((agentId) => {
    const reports = byAgent
      .get(agentId)
      ?.map(({ reason, text, created_at: createdAt }) => ({ reason, text, createdAt }));
    return reports ? { agentId, reports } : [];
  });
}

/** Counts the reports of agents with these ids; those without any are left out. */
export async function countReports(db: Kysely<Tables>, ids: readonly string[]): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('reports')
    .select((select) => ['agent_id', select.fn.countAll<number>().as('count')])
    .where('agent_id', 'in', ids)
    .groupBy('agent_id')
    .execute();
  return new Map(rows.map(({ agent_id, count }) => [agent_id, count]));
}

export async function removeReports(db: Kysely<Tables>, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const { numDeletedRows } = await db.deleteFrom('reports').where('agent_id', 'in', ids).executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** Streams the ids of the agents that were reported, in their order, in chunks. */
export async function* streamReportedIds(db: Kysely<Tables>): AsyncGenerator<string[], void, undefined> {
  const reported = db.selectFrom('reports').select('agent_id').distinct();
  for await (const rows of walkChunks(reported, ['agent_id'])) yield rows.map(({ agent_id: id }) => id);
}
