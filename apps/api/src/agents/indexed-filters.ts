import type { AgentFilters } from '@agent-registry/contracts';
import { expressionBuilder, sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';

/** Up to this many agents are found in the index of a filter and sorted; more are looked for in the order of the list. */
const MAX_SORTED = 1_000;

/** The filters that have a table or an index of their own. */
type IndexedFilters = Pick<AgentFilters, 'capability' | 'since'>;

/** The conditions of the agents that the filters leave, which read the indexes of the filters. */
export function toConditions({ capability, since }: IndexedFilters): Expression<SqlBool>[] {
  return [
    ...(capability === undefined ? [] : [hasCapability(toKey(capability))]),
    ...(since === undefined ? [] : [where('agents.listed_at', '>=', since)]),
  ];
}

/**
 * The conditions of the agents that the filters leave, for a page in an order. A filter that leaves few agents reads its
 * index; one that leaves many is checked on the agents in their order. Engines know neither number.
 */
export async function findConditions(
  db: Kysely<Tables>,
  { capability, since }: IndexedFilters,
): Promise<Expression<SqlBool>[]> {
  const conditions: Expression<SqlBool>[] = [];
  if (capability !== undefined) {
    const key = toKey(capability);
    const areFew = (await countCapability(db, key)) <= MAX_SORTED;
    conditions.push(areFew ? hasCapability(key) : checkCapability(key));
  }
  if (since !== undefined) {
    const listed = where.selectFrom('agents as listed').where('listed.listed_at', '>=', since).select('listed.seq');
    const { agents } = await db
      .selectFrom(listed.limit(MAX_SORTED + 1).as('first'))
      .select((select) => select.fn.countAll<number>().as('agents'))
      .executeTakeFirstOrThrow();
    // No index has the expression.
    const listedAt = where.fn.coalesce('agents.listed_at', sql.lit(''));
    conditions.push(agents <= MAX_SORTED ? where('agents.seq', 'in', listed) : where(listedAt, '>=', since));
  }
  return conditions;
}

/** Counts the agents with a capability, by its key. */
export async function countCapability(db: Kysely<Tables>, key: string): Promise<number> {
  const { agents } = await db
    .selectFrom('capability_counts')
    .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return agents;
}

const where = expressionBuilder<Tables, 'agents'>();

/** The condition of the agents with a capability, which reads them from its index. */
function hasCapability(key: string): Expression<SqlBool> {
  return where(
    'agents.seq',
    'in',
    where.selectFrom('agent_capabilities').select('agent_capabilities.seq').where('key', '=', key),
  );
}

/** The same condition, which checks an agent. */
function checkCapability(key: string): Expression<SqlBool> {
  const found = where
    .selectFrom('agent_capabilities')
    .select(sql.lit(1).as('one'))
    .where('key', '=', key)
    .whereRef('agent_capabilities.seq', '=', 'agents.seq');
  return where.exists(found);
}
