import { optionFilters, pickFilters, type AgentFilters } from '@agent-registry/contracts';
import { toFieldToken } from './agent-tokens.ts';
import { find, type Found } from './found.ts';
import { noResults, type Plan } from './plan.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';

/** Every agent has a token of its category. */
const everyAgent: TokenQuery = { token: toFieldToken('category', ''), isPrefix: true };

/**
 * Narrows a plan to the agents that filters leave.
 * @param index a reader within the filters that are texts
 */
export async function narrow(index: TokenReader, plan: Plan, filters: AgentFilters): Promise<Plan> {
  const conditions = toConditions(filters);
  const isScoped = Object.keys(pickFilters(filters, 'text')).length > 0;
  if (conditions.length === 0 && !isScoped) return plan;
  if (conditions.some(({ any }) => any.length === 0)) return { ...plan, ...noResults };
  const narrowQuery = (query: TokenQuery): TokenQuery =>
    conditions.length === 0 ? query : { all: [query, ...conditions] };
  const narrowFound = async (found: Found) => (found.total === 0 ? found : find(index, narrowQuery(found.query)));
  const { corrected, partial } = plan.extras;
  const extras = [...corrected, ...partial];
  const kept = new Set(extras.length === 0 ? [] : await index.filter(narrowQuery(everyAgent), extras));
  return {
    ...plan,
    tiers: plan.tiers.map((tier) => ({
      ...tier,
      query: narrowQuery(tier.query),
      queryForRest: narrowQuery(tier.queryForRest),
    })),
    typed: await narrowFound(plan.typed),
    all: await narrowFound(plan.all),
    extras: {
      corrected: corrected.filter((seq) => kept.has(seq)),
      partial: partial.filter((seq) => kept.has(seq)),
    },
  };
}

/** The queries for the agents that each filter leaves: those with any of its values. */
function toConditions(filters: AgentFilters): { any: TokenQuery[] }[] {
  return optionFilters.flatMap(({ name }) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFieldToken(name, value), isPrefix: false })) } : [];
  });
}
