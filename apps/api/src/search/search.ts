import { pickFilters, type AgentFilters } from '@agent-registry/contracts';
import { keepListed } from './keep-listed.ts';
import { narrow } from './narrow.ts';
import { countResults, listExtras, page, type PageHits, type SearchPage } from './page.ts';
import { plan, type Plan } from './plan.ts';
import type { Scope, TokenQuery, TokenReader } from './token-index.ts';
import { createVocabularyReader, type VocabularyLimits } from './vocabulary-reader.ts';

/** A search for a page of results. Agents are identified by their `seq`. */
export type SearchRequest = SearchPage & {
  text: string;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  /** Applied to the results: they do not change what a text finds. The capability is its key. */
  filters?: AgentFilters | undefined;
  session?: SearchSession | undefined;
};

/** What the searches of one request share. */
export type SearchSession = {
  /** The plans by their texts. Only searches in the same thread share them. */
  plans: Map<string, Promise<Plan>>;
  /** How many terms were looked up for corrections so far. */
  unknownTerms: number;
};

/** Starts a session. */
export function createSearchSession(): SearchSession {
  return { plans: new Map(), unknownTerms: 0 };
}

/** A page of results, and facts about all of them. */
export type SearchHits = PageHits & {
  /** The number of all results. */
  total: number;
  /** The number of results with all words of the query. They come first. */
  full: number;
  /** All results, before the filters. */
  matching: Matching;
} & Pick<Plan, 'correction' | 'understood' | 'words' | 'telling' | 'unknownTerms' | 'isProvisional'>;

/** The agents that match a query and no others, or the agents with these seqs. */
export type Matching = TokenQuery | { seqs: readonly number[] };

/** Searches; undefined when the cursor is not among the results (`page.ts`). */
export type AgentSearch = (request: SearchRequest) => Promise<SearchHits | undefined>;

/** Creates the search over a token index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): AgentSearch {
  const readVocabulary = createVocabularyReader(index, limits);

  return async ({ text, correct = true, filters = {}, session = createSearchSession(), ...request }) => {
    const key = JSON.stringify([text, correct]);
    const earlier = session.plans.get(key);
    const planned = earlier ?? plan(index, { text, correct }, readVocabulary);
    session.plans.set(key, planned);
    const whole = await planned;
    if (!earlier) session.unknownTerms += whole.unknownTerms;
    const scope = pickFilters(filters, 'text') as Scope;
    const scoped = Object.keys(scope).length === 0 ? index : index.within(scope);
    const narrowed = await narrow(scoped, whole, filters);
    const hits = await page(scoped, narrowed, request);
    if (!hits) return undefined;
    const seqs = [...new Set([...hits.seqs, ...listExtras(whole), ...whole.all.seqs])];
    return {
      ...hits,
      total: countResults(narrowed),
      full: narrowed.all.total + narrowed.extras.corrected.length,
      matching: toMatching(whole),
      correction: whole.correction,
      understood: whole.understood,
      words: await keepListed(index, whole.words, { typed: whole.typedWords, seqs }),
      telling: whole.telling,
      unknownTerms: whole.unknownTerms,
      isProvisional: whole.isProvisional,
    };
  };
}

/** Only the tiers have a query that finds their agents; there are few agents beside extras. */
function toMatching(whole: Plan): Matching {
  const extras = listExtras(whole);
  return whole.all.total === 0 || extras.length > 0 ? { seqs: [...whole.all.seqs, ...extras] } : whole.all.query;
}
