import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** Finds which agents with these row numbers wait for the operator: held ones, and listed ones with changes that wait. */
export async function findWaiting(db: Kysely<Tables>, seqs: readonly number[]): Promise<Set<string>> {
  const held = await db
    .selectFrom('unlisted_agents')
    .select('id')
    .where('seq', 'in', seqs)
    .where('state', '=', 'held')
    .execute();
  const proposed = await db
    .selectFrom('proposed_versions')
    .innerJoin('agents', 'agents.id', 'agent_id')
    .select('agent_id as id')
    .where('seq', 'in', seqs)
    .where('state', '=', 'waiting')
    .execute();
  return new Set([...held, ...proposed].map(({ id }) => id));
}
