import { pickFilters, type AgentFilters } from '@agent-registry/contracts';
import { toCorrection, toMatchedWords } from './describe-results.ts';
import { page, type PageHits, type SearchPage } from './page.ts';
import { plan, type Plan } from './plan.ts';
import { rank } from './rank.ts';
import { explainScore } from './describe-results.ts';
import type { Scored } from './score.ts';
import type { Scoring } from './scoring.ts';
import type { Scope, TokenQuery, TokenReader } from './token-index.ts';
import { createVocabularyReader, type VocabularyLimits } from './vocabulary.ts';

/** A search for a page of results. Agents are identified by their `seq`. */
export type SearchRequest = SearchPage & {
  text: string;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  /** Applied to the results: they do not change what a text finds. The capability is its key. */
  filters?: AgentFilters | undefined;
  session?: SearchSession | undefined;
  /** Whether the hits say what their scores are made of. */
  explain?: boolean | undefined;
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
  /** The text with the corrections or synonyms that led to the first result, if it was not found as typed. */
  correction: string | undefined;
  /** The text as it was understood, with its sentences as operators; undefined if it has none (`understand`). */
  understood: string | undefined;
  /** The words by which the results were found (`toMatchedWords`). */
  words: string[];
  /** Of each hit of the page that was scored, its score and what that is made of, if the request asks for it. */
  explained: { seq: number; score: number; parts: string[] }[] | undefined;
} & Pick<Plan, 'telling' | 'unknownTerms' | 'isProvisional'>;

/** The agents that match a query and no others, or the agents with these seqs. */
export type Matching = TokenQuery | { seqs: readonly number[] };

/** Searches; undefined when the cursor is not among the results (`page.ts`). */
export type AgentSearch = (request: SearchRequest) => Promise<SearchHits | undefined>;

/** Creates the search over a token index: the same agents in the same order on every engine. */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): AgentSearch {
  const readVocabulary = createVocabularyReader(index, limits);

  return async ({
    text,
    correct = true,
    filters = {},
    session = createSearchSession(),
    explain = false,
    ...request
  }) => {
    const key = JSON.stringify([text, correct]);
    const earlier = session.plans.get(key);
    const planned = earlier ?? plan(index, { text, correct }, readVocabulary);
    session.plans.set(key, planned);
    const whole = await planned;
    if (!earlier) session.unknownTerms += whole.unknownTerms;
    const scope = pickFilters(filters, 'text') as Scope;
    const scoped = Object.keys(scope).length === 0 ? index : index.within(scope);
    const ranked = await rank(scoped, whole, filters);
    const hits = await page(scoped, ranked, request);
    if (!hits) return undefined;
    const [first] = ranked.first;
    const { query, scoring } = whole;
    const isCorrected = first && query && scoring && correct && !whole.isTyped;
    return {
      ...hits,
      total: ranked.total,
      full: ranked.full,
      matching: toMatching(whole),
      correction: isCorrected ? toCorrection(whole.text, query, { scoring, first }) : undefined,
      understood: whole.isUnderstood ? whole.text : undefined,
      words: toMatchedWords(query, ranked.first),
      explained: explain && scoring ? explainHits(ranked.first, hits.seqs, scoring) : undefined,
      telling: whole.telling,
      unknownTerms: whole.unknownTerms,
      isProvisional: whole.isProvisional,
    };
  };
}

function explainHits(first: readonly Scored[], seqs: readonly number[], scoring: Scoring) {
  return first
    .filter(({ agent }) => seqs.includes(agent.seq))
    .map((scored) => ({ seq: scored.agent.seq, score: scored.score, parts: explainScore(scored, scoring) }));
}

/** Agents with all words have a query that finds them; there are few agents beside extras. */
function toMatching({ all, extras }: Plan): Matching {
  if (all.total > 0 && extras.length === 0) return all.query;
  return { seqs: [...all.seqs, ...extras.map(({ agent }) => agent.seq)] };
}
