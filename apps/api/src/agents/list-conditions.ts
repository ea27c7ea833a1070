import { expressionBuilder, sql, type Expression, type Kysely, type SqlBool } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';
import type { ListFilters } from './agent-store.ts';
import { toSum } from './ways-to-connect.ts';
import { toWebsiteKey } from './website-key.ts';

/** Up to this many agents are found in the index of a filter and sorted; more are looked for in the order of the list. */
const MAX_SORTED = 1_000;

type Condition = Expression<SqlBool>;

const where = expressionBuilder<Tables, 'agents'>();

/** The condition of the agents whose owner proved to control the website, which has indexes of its own. */
export const isProvedRow: Condition = where.and([
  where('website_checked_at', 'is not', null),
  where('website', 'is not', null),
]);

/** The conditions of the filters whose agents are counted in `agent_counts`, which has the same columns. */
const counted = {
  category: ({ category }) => category !== undefined && where('category', '=', category),
  pricing: ({ pricing }) => pricing && where('pricing_model', 'in', pricing),
  apiAccess: ({ apiAccess }) => apiAccess && where('api_access', 'in', apiAccess),
} satisfies Partial<Conditions>;

const conditions: Conditions = {
  ...counted,
  capability: ({ capability }) => capability !== undefined && hasCapability(toKey(capability)),
  since: ({ since }) => since !== undefined && where('agents.listed_at', '>=', since),
  connects: ({ connects }) => connects && hasWay(toSum(connects)),
  proved: ({ proved }) => proved && isProvedRow,
  website: ({ website }) => website !== undefined && where('website_key', '=', toWebsiteKey(website)),
};

/** The condition of the agents with a way to connect. The first half names the index. */
function hasWay(sum: number): Condition {
  return sql<SqlBool>`connects > 0 AND (connects & ${sum}) > 0`;
}

type Conditions = Record<keyof ListFilters, (list: ListFilters) => Condition | false | undefined>;

/** The conditions of the agents that the filters leave, which read the indexes of the filters. */
export function toConditions(list: ListFilters): Condition[] {
  return Object.values(conditions).flatMap((toCondition) => toCondition(list) || []);
}

/** The filters that a list has. */
export function namesOf(list: ListFilters): (keyof ListFilters)[] {
  return (Object.keys(conditions) as (keyof ListFilters)[]).filter((name) => list[name] !== undefined);
}

/** Whether `agent_counts` has the agents of a list. */
export function isCounted(list: ListFilters): boolean {
  return namesOf(list).every((name) => name in counted);
}

/**
 * The conditions of the agents that the filters leave, for a page in an order. A filter that leaves few agents reads its
 * index; one that leaves many is checked on the agents in their order. Engines know neither number.
 */
export async function findConditions(
  db: Kysely<Tables>,
  { capability, since, ...others }: ListFilters,
): Promise<Condition[]> {
  const found = toConditions(others);
  if (capability !== undefined) {
    const key = toKey(capability);
    const areFew = (await countCapability(db, key)) <= MAX_SORTED;
    found.push(areFew ? hasCapability(key) : checkCapability(key));
  }
  if (since !== undefined) {
    const listed = where.selectFrom('agents as listed').where('listed.listed_at', '>=', since).select('listed.seq');
    const { agents } = await db
      .selectFrom(listed.limit(MAX_SORTED + 1).as('first'))
      .select((select) => select.fn.countAll<number>().as('agents'))
      .executeTakeFirstOrThrow();
    // No index has the expression.
    const listedAt = where.fn.coalesce('agents.listed_at', sql.lit(''));
    found.push(agents <= MAX_SORTED ? where('agents.seq', 'in', listed) : where(listedAt, '>=', since));
  }
  return found;
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

/** The condition of the agents with a capability, which reads them from its index. */
function hasCapability(key: string): Condition {
  return where(
    'agents.seq',
    'in',
    where.selectFrom('agent_capabilities').select('agent_capabilities.seq').where('key', '=', key),
  );
}

/** The same condition, which checks an agent. */
function checkCapability(key: string): Condition {
  const found = where
    .selectFrom('agent_capabilities')
    .select(sql.lit(1).as('one'))
    .where('key', '=', key)
    .whereRef('agent_capabilities.seq', '=', 'agents.seq');
  return where.exists(found);
}
