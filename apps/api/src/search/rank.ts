import { type AgentFilters, optionFilters, pickFilters } from '@agent-registry/contracts';
import { toFieldToken, type TokenQuery, type TokenReader } from './agent-tokens.ts';
import { collectAll, find, nothing } from './candidates.ts';
import { spreadOwners } from './owners.ts';
import type { Plan } from './plan.ts';
import { type Scored, scoreSeqs } from './score.ts';

/** Every agent has a token of its category. */
const everyAgent: TokenQuery = { token: toFieldToken('category', ''), isPrefix: true };

/** The results of a plan that filters leave, in their order. */
export type Ranked = {
  first: readonly Scored[];
  /** The same before owners are limited, by what they have of the search. */
  groups: readonly { label: string; agents: readonly Scored[] }[];
  /** Finds the results that follow, latest first, beside those that are among the first. */
  rest: TokenQuery | undefined;
  /** Their number, as far as they are counted (`TokenReader`). */
  total: number;
  /** The number of results with all words before the first with some. */
  full: number;
};

/**
 * Ranks the agents of a plan that filters leave. A filter never adds a result.
 * @param index a reader within the filters that are texts
 */
export async function rank(index: TokenReader, plan: Plan, filters: AgentFilters): Promise<Ranked> {
  const conditions = toConditions(filters);
  const { query, scoring } = plan;
  if (conditions.some(({ any }) => any.length === 0) || (plan.all.total === 0 && plan.extras.length === 0)) {
    return { first: [], groups: [], rest: undefined, total: 0, full: 0 };
  }
  const isFiltered = conditions.length > 0 || Object.keys(pickFilters(filters, 'text')).length > 0;
  const narrow = (query: TokenQuery): TokenQuery => (conditions.length === 0 ? query : { all: [query, ...conditions] });
  const all = plan.all.total === 0 ? nothing : isFiltered ? await find(index, narrow(plan.all.query)) : plan.all;
  const seqs = query ? await collectAll(index, { query, found: all, narrow }) : [];
  const scored = scoring ? await scoreSeqs(index, seqs, scoring, { total: plan.agents, hasAll: true }) : [];
  const kept = new Set(
    isFiltered && plan.extras.length > 0
      ? await index.filter(
          narrow(everyAgent),
          plan.extras.map(({ agent }) => agent.seq),
        )
      : plan.extras.map(({ agent }) => agent.seq),
  );
  const isKept = ({ agent }: Scored) => kept.has(agent.seq);
  const corrected = plan.extras.slice(0, plan.corrected).filter(isKept);
  const partial = plan.extras.slice(plan.corrected).filter(isKept);
  const groups = [
    { label: 'all words', agents: scored },
    { label: 'all words, corrected', agents: corrected },
    { label: 'some words', agents: partial },
  ];
  const some = new Set(partial);
  const first = spreadOwners(
    groups.flatMap(({ agents }) => agents),
    plan,
  );
  const firstPartial = first.findIndex((each) => some.has(each));
  return {
    first,
    groups,
    rest: all.total > scored.length ? all.query : undefined,
    total: all.total + corrected.length + partial.length,
    full: firstPartial === -1 ? all.total + corrected.length : firstPartial,
  };
}

/** The queries for the agents that each filter leaves: those with any of its values. */
function toConditions(filters: AgentFilters): { any: TokenQuery[] }[] {
  return optionFilters.flatMap(({ name }) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFieldToken(name, value), isPrefix: false })) } : [];
  });
}
