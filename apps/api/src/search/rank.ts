import {
  type AgentFilters,
  fold,
  isSharedHost,
  optionFilters,
  parseText,
  pickFilters,
} from '@agent-registry/contracts';
import { toSite } from '../hosts.ts';
import { toFieldToken, type TokenQuery, type TokenReader } from './agent-tokens.ts';
import { collectAll, find, nothing } from './candidates.ts';
import type { Plan } from './plan.ts';
import { ranking } from './ranking.ts';
import { type Scored, scoreSeqs } from './score.ts';

/** Every agent has a token of its category. */
const everyAgent: TokenQuery = { token: toFieldToken('category', ''), isPrefix: true };

/** The results of a plan that filters leave, in their order. */
export type Ranked = {
  first: readonly Scored[];
  /** Finds the results that follow, latest first, beside those that are among the first. */
  rest: TokenQuery | undefined;
  /** Their number, as far as they are counted (`TokenReader`). */
  total: number;
  /** The number of results with all words. */
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
    return { first: [], rest: undefined, total: 0, full: 0 };
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
  const first = [scored, corrected, partial].flatMap((group) => spreadOwners(group, plan));
  return {
    first,
    rest: all.total > scored.length ? all.query : undefined,
    total: all.total + corrected.length + partial.length,
    full: all.total + corrected.length,
  };
}

/** The queries for the agents that each filter leaves: those with any of its values. */
function toConditions(filters: AgentFilters): { any: TokenQuery[] }[] {
  return optionFilters.flatMap(({ name }) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFieldToken(name, value), isPrefix: false })) } : [];
  });
}

/** First parts of paths on shared hosts that name no account. */
const SECTIONS = new Set(
  'agent agents app apps c channel channels collections company datasets document e g gpts hub in invite mcp models p package packages project r search server servers share spaces store tools u user view watch'.split(
    ' ',
  ),
);

/**
 * Lets at most `ranking.maxOfOwner` agents of one owner stand among the first ones, if there are enough others. Later ones of
 * an owner follow directly. A search for an owner, or for names, keeps its order.
 */
export function spreadOwners(agents: readonly Scored[], { text }: { text: string }): readonly Scored[] {
  const { firstResults, maxOfOwner } = ranking;
  const { conditions } = parseText(text);
  if (agents.length <= maxOfOwner || conditions.some(({ field }) => field === 'by' || field === 'name')) return agents;
  const words = new Set(fold(text).match(/[\p{L}\p{N}]+/gu));
  const counts = new Map<string, number>();
  const first: Scored[] = [];
  const later: Scored[] = [];
  for (const [at, scored] of agents.entries()) {
    if (first.length === firstResults) return [...first, ...later, ...agents.slice(at)];
    const owner = toOwner(scored, words);
    const count = (owner === undefined ? 0 : (counts.get(owner) ?? 0)) + 1;
    if (owner !== undefined) counts.set(owner, count);
    (owner !== undefined && count > maxOfOwner ? later : first).push(scored);
  }
  return first.length === firstResults ? [...first, ...later] : agents;
}

/** The site of an agent, or without a website its description; undefined if that is unknown, or the search names it. */
function toOwner({ agent: { website, description } }: Scored, words: ReadonlySet<string>): string | undefined {
  if (website === null) return fold(description);
  if (!URL.canParse(website)) return undefined;
  const site = toSite(website);
  const [host = '', account] = site.split('/');
  if (account !== undefined) return SECTIONS.has(account) || words.has(account) ? undefined : site;
  return words.has(host.split('.')[0] ?? '') || isSharedHost(host) ? undefined : site;
}
