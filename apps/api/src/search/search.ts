import { FILTER_PARAMETERS, MAX_SEARCH_RESULTS, type AgentFilters } from '@agent-registry/contracts';
import { toFilterToken } from './agent-tokens.ts';
import { toInfix, toMatchedWords } from './matched-words.ts';
import { cutRun, findPartialMatches } from './partial-matches.ts';
import { addForms, findUnknown, readQuery, replaceWords } from './read-query.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';
import { matchAnywhere, toTiers, type SearchQuery, type Tier } from './tiers.ts';
import { createVocabularyReader, type Vocabulary, type VocabularyLimits } from './vocabulary.ts';

/** Part of the results of a search: at most `limit`, from the best, or after the agent with the seq `after`. */
export type SearchRequest = {
  text: string;
  /** Whether corrections and synonyms count; true by default. */
  correct?: boolean | undefined;
  /** Applied to the results: they do not change what a text finds. */
  filters?: AgentFilters | undefined;
  limit: number;
  after?: number | undefined;
};

/** A page of results. */
export type SearchHits = {
  /** The seqs of the agents, best first. */
  seqs: number[];
  /** The number of all results. */
  total: number;
  /** The number of results with all words of the search. They come first. */
  full: number;
  /** All results, before the filters. */
  matching: Matching;
  /** Whether there are results after this page. */
  hasMore: boolean;
  /** The search with the corrections or synonyms that led to the first result, if it was not found as typed. */
  correction: string | undefined;
  /** The words by which all results were found (`matched-words.ts`). */
  words: string[];
  /** Whether the vocabulary was not read yet: a later search may find more. */
  isProvisional: boolean;
};

/** The agents that match a query and no others, or the agents with these seqs. */
export type Matching = TokenQuery | { seqs: readonly number[] };

/** Searches; undefined when `after` is not among the results. */
export type AgentSearch = (request: SearchRequest) => Promise<SearchHits | undefined>;

/** Other forms of words rank last, and are only searched for when whole words and prefixes find fewer agents. */
const MANY = MAX_SEARCH_RESULTS;
/** Corrections and agents with some of the words follow when fewer agents have all words. */
const FEW = 5;
/** They do not follow so many agents that have infixes of all words. */
const MAX_BEFORE_EXTRAS = 200;
/** Most agents that are found by corrections, and most that have only some of the words. */
const MAX_CORRECTED = 20;
const MAX_PARTIAL = 100;
/** Most corrections of single words for which agents are looked up. */
const MAX_CORRECTION_CHECKS = 12;

/** A query with the number of its results and the latest of them. */
type Found = { query: SearchQuery; total: number; seqs: readonly number[] };

/** Whether all results were read. */
function isComplete({ total, seqs }: Found): boolean {
  return total === seqs.length;
}

/** A search with misspelled words corrected. */
type Correction = {
  text: string;
  query: SearchQuery;
  /** The query for agents with one of the corrections. */
  words: TokenQuery;
  /** The queries for agents with other words that a single misspelled word may stand for. */
  others: SearchQuery[];
};

/** The results after those of the tiers. */
type Extras = { corrected: number[]; partial: number[]; correction: string | undefined; words: string[] };

const noExtras: Extras = { corrected: [], partial: [], correction: undefined, words: [] };

/** The hits of a text without words. */
const nothing: SearchHits = {
  seqs: [],
  total: 0,
  full: 0,
  matching: { seqs: [] },
  hasMore: false,
  correction: undefined,
  words: [],
  isProvisional: false,
};

/**
 * Creates the search over a token index: the same agents in the same order on every engine. The results are agents with
 * all words (`tiers.ts`), then, if they are few, agents with all words after corrections, and agents with some words.
 */
export function createAgentSearch(index: TokenReader, limits?: VocabularyLimits): AgentSearch {
  const readVocabulary = createVocabularyReader(index, limits);

  return async ({ text, correct = true, filters = {}, limit, after }) => {
    const query = readQuery(text);
    if (!query) return after === undefined ? nothing : undefined;

    // Widened without the filters, so that a filter never adds results.
    const unfiltered = await find(query);
    const needsVocabulary = unfiltered.total < MANY;
    const vocabulary = needsVocabulary ? await readVocabulary() : undefined;
    const widened = vocabulary ? await find(await addForms(query, vocabulary, { hasSynonyms: correct })) : unfiltered;
    // The widened search finds all that the first one found.
    const extras =
      vocabulary && unfiltered.total < FEW && (await hasRoom(widened))
        ? await findExtras(widened, vocabulary, correct ? text : undefined)
        : noExtras;
    const all = [...extras.corrected, ...extras.partial];

    const conditions = toConditions(filters);
    const narrow = (wide: TokenQuery) => (conditions.length === 0 ? wide : { all: [wide, ...conditions] });
    const [plain, wide] = [await narrowFound(unfiltered), await narrowFound(widened)];
    const kept = new Set(conditions.length === 0 ? all : await index.filter({ all: conditions }, all));
    const more = all.filter((seq) => kept.has(seq));
    const tiers = toTiers(wide.query).map((tier) => ({
      ...tier,
      query: narrow(tier.query),
      queryForRest: narrow(tier.queryForRest),
    }));

    const place = after === undefined ? -1 : more.indexOf(after);
    const hits = place >= 0 ? [] : await collect();
    if (!hits) return undefined;
    const seqs = [...hits, ...more.slice(place + 1)];
    return {
      seqs: seqs.slice(0, limit),
      total: wide.total + more.length,
      full: wide.total + extras.corrected.filter((seq) => kept.has(seq)).length,
      matching: all.length > 0 ? { seqs: [...widened.seqs, ...all] } : matchAnywhere(widened.query),
      hasMore: seqs.length > limit,
      correction: await nameCorrection(),
      words: [...new Set([...toMatchedWords(widened.query), ...extras.words])],
      isProvisional: needsVocabulary && !vocabulary,
    };

    async function nameCorrection(): Promise<string | undefined> {
      if (widened.total === 0) return extras.correction;
      return unfiltered.total > 0 ? undefined : nameSynonyms(text, widened);
    }

    function collect(): Promise<number[] | undefined> {
      return after === undefined
        ? collectFirst(tiers, { plain, wide }, limit + 1)
        : collectAfter(tiers, { limit: limit + 1, after });
    }

    async function narrowFound(found: Found): Promise<Found> {
      return conditions.length === 0
        ? found
        : { ...found, ...(await index.find(narrow(matchAnywhere(found.query)), MANY)) };
    }
  };

  async function find(query: SearchQuery): Promise<Found> {
    return { query, ...(await index.find(matchAnywhere(query), MANY)) };
  }

  /** Whether so few agents have all words, not only infixes of them, that other agents may follow. */
  async function hasRoom({ query, total }: Found): Promise<boolean> {
    if (total < FEW) return true;
    if (total >= MAX_BEFORE_EXTRAS) return false;
    return (await index.match(matchAnywhere(query, 'synonym'), { limit: FEW })).length < FEW;
  }

  async function findExtras(wide: Found, vocabulary: Vocabulary, text: string | undefined): Promise<Extras> {
    const taken = new Set(wide.seqs);
    const better = text === undefined ? undefined : await correctWords(text, wide.query, vocabulary);
    const corrected: number[] = [];
    if (better) {
      const found = await find(better.query);
      const hits = await collectFirst(toTiers(better.query), { plain: found, wide: found }, MAX_CORRECTED + taken.size);
      const queries = better.others.map((other) => matchAnywhere(other, 'prefix'));
      const others = queries.length > 0 ? await index.match({ any: queries }, { limit: MAX_CORRECTED }) : [];
      const seqs = new Set([...hits, ...others]);
      for (const seq of seqs) if (!taken.has(seq) && corrected.length < MAX_CORRECTED) corrected.push(seq);
      for (const seq of corrected) taken.add(seq);
    }
    const query = better?.query ?? wide.query;
    const limit = MAX_PARTIAL + taken.size;
    const partial = (await findPartialMatches(index, { query, vocabulary, limit })).filter((seq) => !taken.has(seq));
    const [first] = [...corrected, ...partial];
    const isCorrected = first !== undefined && better && (await index.includes(better.words, first));
    return {
      corrected,
      partial: partial.slice(0, MAX_PARTIAL),
      correction: isCorrected ? better.text : undefined,
      words: [
        ...(better && first !== undefined ? toMatchedWords(better.query) : []),
        ...(better && corrected.length > 0 ? better.others.flatMap(toMatchedWords) : []),
        ...(partial.length > 0 ? toPieces(query) : []),
      ],
    };
  }

  /** The search with its misspelled words corrected, so that agents have all words if there is such a correction. */
  async function correctWords(
    text: string,
    query: SearchQuery,
    vocabulary: Vocabulary,
  ): Promise<Correction | undefined> {
    const misspelled = await findUnknown(query, vocabulary);
    const unknown = new Map(misspelled.map((word) => [word.text, '']));
    const replacements = new Map<string, string>();
    let checksLeft = MAX_CORRECTION_CHECKS;
    for (const { text: word, similar } of misspelled) {
      let chosen: string | undefined;
      let hasMatch = false;
      for (const { term, edits } of similar) {
        // Other misspelled words match nothing, so they are left out.
        const read = readQuery(replaceWords(text, new Map([...unknown, ...replacements, [word, term]])));
        const isChecked = read !== undefined && checksLeft > 0;
        if (isChecked) checksLeft -= 1;
        hasMatch = isChecked && (await index.match(matchAnywhere(read, 'prefix'), { limit: 1 })).length > 0;
        // Without such an agent, a word with two edits is likely another one.
        if (!hasMatch && (chosen !== undefined || edits > 1)) continue;
        chosen = term;
        if (hasMatch) break;
      }
      if (chosen === undefined) continue;
      replacements.set(word, chosen);
      // No agent has all of these words, so none has more of them.
      if (!hasMatch) checksLeft = 0;
    }
    const corrected = replaceWords(text, replacements);
    const best = replacements.size > 0 ? readQuery(corrected) : undefined;
    const words = { any: [...replacements.values()].map((token) => ({ token, isPrefix: false })) };
    const [single, ...rest] = misspelled;
    const others = (rest.length > 0 ? [] : (single?.similar ?? [])).flatMap(({ term }) => {
      const read = readQuery(replaceWords(text, new Map([[single?.text ?? '', term]])));
      return read ?? [];
    });
    return best && { text: corrected, query: await addForms(best, vocabulary), words, others };
  }

  /** The search with the synonyms that led to the first result, if it has none of the other forms. */
  async function nameSynonyms(text: string, wide: Found): Promise<string | undefined> {
    const terms = wide.query.chunks.flatMap((chunk) => chunk.terms).filter(({ forms }) => forms.synonym.length > 0);
    if (terms.length === 0) return undefined;
    const isFoundAsTyped = await index.match(matchAnywhere(wide.query, 'stem'), { limit: 1 });
    if (isFoundAsTyped.length > 0) return undefined;
    const [first] = await index.match(matchAnywhere(wide.query, 'synonym'), { limit: 1 });
    if (first === undefined) return undefined;
    const replacements = new Map<string, string>();
    for (const { text: word, forms } of terms) {
      const has = (token: string) => index.includes({ token, isPrefix: false }, first);
      if (await has(word)) continue;
      for (const phrase of forms.synonym) {
        const isUsed = await index.includes({ all: phrase.map((token) => ({ token, isPrefix: false })) }, first);
        if (isUsed) replacements.set(word, phrase.join(' '));
      }
    }
    return replacements.size > 0 ? replaceWords(text, replacements) : undefined;
  }

  async function collectFirst(
    tiers: readonly Tier[],
    { plain, wide }: { plain: Found; wide: Found },
    limit: number,
  ): Promise<number[]> {
    if (wide.total === 1) return [...wide.seqs];
    // Without loose tiers, the last tier finds every result.
    const strict = tiers.filter(({ isLoose }) => !isLoose);
    const hits = new Set(isComplete(plain) && plain.total <= limit ? await putInOrder(plain.seqs, strict, limit) : []);
    for (const tier of tiers) {
      if (hits.size >= Math.min(limit, (tier.isLoose ? wide : plain).total)) continue;
      // The whole limit, since earlier hits may be among them. The last tier finds every result.
      const isAll = tier === tiers.at(-1) && isComplete(wide);
      for (const seq of isAll ? wide.seqs : await index.match(tier.query, { limit })) hits.add(seq);
    }
    return [...hits].slice(0, limit);
  }

  // Sorts agents by the first tier that finds them, by bisection: a tier in the middle that includes the earlier ones
  // splits the agents in two.
  async function putInOrder(
    seqs: readonly number[],
    tiers: readonly Tier[],
    limit: number,
  ): Promise<readonly number[]> {
    if (seqs.length < 2 || tiers.length === 1) return seqs;
    const splitting = tiers
      .slice(0, -1)
      .flatMap(({ includesEarlier }, position) => (includesEarlier ? [position] : []));
    const middle = splitting[Math.floor(splitting.length / 2)] ?? 0;
    const found = new Set(await index.match((tiers[middle] as Tier).query, { limit }));
    const [first, rest] = [seqs.filter((seq) => found.has(seq)), seqs.filter((seq) => !found.has(seq))];
    return [
      ...(await putInOrder(first, tiers.slice(0, middle + 1), limit)),
      ...(await putInOrder(rest, tiers.slice(middle + 1), limit)),
    ];
  }

  async function collectAfter(
    tiers: readonly Tier[],
    { limit, after }: { limit: number; after: number },
  ): Promise<number[] | undefined> {
    const first = await findTierOf(tiers, after);
    if (first === undefined) return undefined;
    const hits: number[] = [];
    for (const [position, tier] of tiers.entries()) {
      if (position < first || hits.length >= limit) continue;
      const before = position === first ? after : undefined;
      hits.push(...(await index.match(tier.queryForRest, { limit: limit - hits.length, before })));
    }
    return hits;
  }

  async function findTierOf(tiers: readonly Tier[], seq: number): Promise<number | undefined> {
    for (const [position, { query }] of tiers.entries()) if (await index.includes(query, seq)) return position;
    return undefined;
  }
}

/** The queries for the agents that each filter leaves. */
function toConditions(filters: AgentFilters): TokenQuery[] {
  return FILTER_PARAMETERS.flatMap((name) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFilterToken(name, value), isPrefix: false })) } : [];
  });
}

/** The pieces of the texts without blanks that agents with some of the words are found by. */
function toPieces({ chunks }: SearchQuery): string[] {
  const runs = chunks.flatMap(({ terms }) => terms).filter(({ isRun }) => isRun);
  return runs.flatMap(cutRun).map(({ text }) => toInfix(text));
}
