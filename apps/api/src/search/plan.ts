import { isDeepStrictEqual } from 'node:util';
import {
  type AgentFilters,
  hasOperators,
  optionFilters,
  type ParsedText,
  parseText,
  pickFilters,
} from '@agent-registry/contracts';
import { levels, toFieldToken, TOOLS, type TokenQuery, type TokenReader, toWord } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { checkPhrases, collectAll, collectSome, find, type Found, matchAll, nothing } from './candidates.ts';
import { addCorrections, addForms, listTellingWords } from './forms.ts';
import { isFiller } from './languages.ts';
import { areOfFewOwners, spreadOwners } from './owners.ts';
import { ranking } from './ranking.ts';
import { isLong, NO_QUERY, readQuery, type SearchQuery, toRestriction } from './read-query.ts';
import { type Scored, scoreSeqs } from './score.ts';
import { createScoring, type Scoring } from './scoring.ts';
import { findNamed, isOverlong, understand } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The results of a search as data, before its filters and its page. */
export type Plan = {
  query: SearchQuery | undefined;
  scoring: Scoring | undefined;
  /** The agents with all words, in some form. */
  all: Found;
  /**
   * The agents that follow them, best first: some with all words after a correction, or in the names of their tools, and
   * others with some of the words.
   */
  extras: readonly Scored[];
  /** How many of the extras have all words. */
  corrected: number;
  /** Whether an agent has all words as they were typed. */
  isTyped: boolean;
  /** The text as it was understood, with its sentences as operators. */
  text: string;
  /** Whether it has operators, from sentences or as they were typed (`understand`), or was cut to its telling words. */
  isUnderstood: boolean;
  telling: readonly string[];
  /** How many terms that no agent uses were looked up for corrections, which costs most of a search. */
  unknownTerms: number;
  /** Whether the vocabulary was not read yet: a later search may find more. */
  isProvisional: boolean;
};

const emptyPlan: Omit<Plan, 'text' | 'isUnderstood'> = {
  query: undefined,
  scoring: undefined,
  all: nothing,
  extras: [],
  corrected: 0,
  isTyped: false,
  telling: [],
  unknownTerms: 0,
  isProvisional: false,
};

/**
 * Plans a search: the agents with all words, then, if they are few, agents with all words after corrections, and agents
 * with some words. Filters do not matter here, so a filter never adds results.
 * @param correct whether corrections and synonyms count
 */
export async function plan(
  index: TokenReader,
  { text: typed, correct }: { text: string; correct: boolean },
  readVocabulary: () => Promise<Vocabulary | undefined>,
): Promise<Plan> {
  const text = await understand(index, typed);
  const parsed = parseText(text);
  const isUnderstood = hasOperators(parsed);
  const like = parsed.conditions.find(({ field }) => field === 'like');
  const vocabulary = like || parsed.words.trim() !== '' ? await readVocabulary() : undefined;
  const planned = like
    ? await planAlike(index, parsed, like.values.join(' '), vocabulary)
    : await planWords(index, text, correct, vocabulary);
  const { scoring, all, extras, telling } = planned;
  if (isOverlong(text)) return { ...planned, text: telling.join(' '), isUnderstood: true };
  if (parsed.phrases.length === 0 || !scoring) return { ...planned, text, isUnderstood };
  const full = await scoreSeqs(index, all.seqs, scoring, true);
  const candidates = [...full, ...extras];
  const seqs = candidates.map(({ agent }) => agent.seq);
  const found = await checkPhrases(index, seqs, parsed.phrases);
  const isFound = ({ agent }: Scored) => found.has(agent.seq);
  const corrected = candidates.slice(0, full.length + planned.corrected).filter(isFound).length;
  return { ...planned, text, all: nothing, extras: candidates.filter(isFound), corrected, isUnderstood };
}

/** Plans a search for agents with the capabilities and telling words of the agent with a name, which comes last. */
async function planAlike(index: TokenReader, parsed: ParsedText, name: string, vocabulary: Vocabulary | undefined) {
  if (!vocabulary) return { ...emptyPlan, isProvisional: true };
  const named = await findNamed(index, name);
  // Of several agents with the name, the oldest: newer ones may only use it.
  const [agent] = await index.readTermsOf(named.slice(-1));
  const words = agent ? chooseWords(agent.terms.split(' '), name, vocabulary) : [];
  const left = Math.max(0, ranking.maxTerms - analyze(parsed.words).length);
  const query = readQuery([parsed.words, ...words.slice(0, left)].join(' '), vocabulary);
  const { agents } = vocabulary;
  const scoring = createScoring(query ?? NO_QUERY, { vocabulary, hasSynonyms: false, agents });
  const restricted = query && { ...query, restriction: toRestriction(parsed) };
  const found = restricted ? await collectSome(index, restricted, scoring, nothing) : [];
  const scored = await scoreSeqs(index, [...new Set([...found, ...named])], scoring, false);
  const [others, own] = [false, true].map((isNamed) =>
    scored.filter((each) => named.includes(each.agent.seq) === isNamed),
  );
  const extras = [...(others ?? []).slice(0, ranking.maxPartial), ...(own ?? [])];
  return { ...emptyPlan, scoring, extras, corrected: extras.length };
}

/** The words that tell most of what an agent does: those of its capabilities first, then rare ones. */
function chooseWords(terms: readonly string[], name: string, vocabulary: Vocabulary): string[] {
  const own = new Set(analyze(name).flatMap(({ terms: parts }) => parts.map(({ text }) => text)));
  const isTelling = (word: string) => !own.has(word) && !isFiller(word) && vocabulary.countAgents(word) > 1;
  const isOther = (term: string) => Number(!term.startsWith(levels.capabilities));
  const count = (term: string) => vocabulary.countAgents(toWord(term));
  return terms
    .filter((term) => isTelling(toWord(term)))
    .toSorted((a, b) => isOther(a) - isOther(b) || count(a) - count(b))
    .slice(0, ranking.maxTerms)
    .map(toWord);
}

/** Plans a search for words, and for what the operators of its text demand. */
async function planWords(index: TokenReader, text: string, correct: boolean, vocabulary: Vocabulary | undefined) {
  const query = readQuery(text, vocabulary);
  if (!query) return emptyPlan;
  const typed = await find(index, matchAll(query, 'typed'));
  const agents = vocabulary?.agents ?? typed.total;
  const known = { ...emptyPlan, telling: listTellingWords(query), isTyped: typed.total > 0 };
  const canWiden = typed.total < ranking.widenBelow && query.chunks.length > 0;
  if (!vocabulary || !canWiden) {
    const scoring = createScoring(query, { vocabulary, hasSynonyms: correct, agents });
    return { ...known, query, scoring, all: typed, isProvisional: canWiden };
  }
  const widened = await addForms(query, vocabulary, { hasSynonyms: correct });
  const anywhere = matchAll(widened, 'forms');
  const all = isDeepStrictEqual(anywhere, typed.query) ? typed : await find(index, anywhere);
  const hasExtras = all.total < ranking.partialBelow || (await areAllOfFewOwners(index, all, text));
  // A long text was pasted, and hardly misspelled.
  const canCorrect = correct && !isLong(text) && typed.total < ranking.correctBelow;
  const { corrected, unknownTerms } =
    hasExtras && canCorrect ? await addCorrections(widened, vocabulary) : { corrected: widened, unknownTerms: 0 };
  const scoring = createScoring(corrected, { vocabulary, hasSynonyms: correct, agents });
  const extras = hasExtras ? await findExtras(index, corrected, scoring, all) : {};
  return { ...known, query: corrected, scoring, all, ...extras, unknownTerms };
}

/** Whether the latest of the agents with all words are of few owners: others follow them even if they are enough. */
async function areAllOfFewOwners(index: TokenReader, { seqs, total }: Found, text: string): Promise<boolean> {
  if (total > seqs.length) return false;
  const latest = await index.readTexts(seqs.slice(0, ranking.partialBelow), ranking.maxRead);
  return areOfFewOwners(latest, text);
}

async function findExtras(index: TokenReader, query: SearchQuery, scoring: Scoring, all: Found) {
  const anyway = matchAll(query, 'corrected');
  const hasCorrections = !isDeepStrictEqual(anyway, matchAll(query, 'forms'));
  const withAll = hasCorrections ? await index.match(anyway, { limit: ranking.maxScored }) : [];
  const full = new Set(all.seqs);
  const unlisted = withAll.filter((seq) => !full.has(seq));
  const corrected = (await scoreSeqs(index, unlisted, scoring, true)).slice(0, ranking.maxCorrected);
  for (const { agent } of corrected) full.add(agent.seq);
  const tools = await find(index, matchAll(query, 'typed', TOOLS));
  const offering = tools.seqs.filter((seq) => !full.has(seq));
  const byTools = (await scoreSeqs(index, offering, scoring, true)).slice(0, ranking.maxPartial);
  for (const { agent } of byTools) full.add(agent.seq);
  const some = (await collectSome(index, query, scoring, all)).filter((seq) => !full.has(seq));
  const partial = (await scoreSeqs(index, some, scoring, false)).slice(0, ranking.maxPartial);
  return { extras: [...corrected, ...byTools, ...partial], corrected: corrected.length + byTools.length };
}

/** Every agent has a token of its category. */
const everyAgent: TokenQuery = { token: toFieldToken('category', ''), isPrefix: true };

export type Ranked = Awaited<ReturnType<typeof rank>>;

/**
 * Ranks the agents of a plan that filters leave. A filter never adds a result.
 * @param index a reader within the filters that are texts
 */
export async function rank(index: TokenReader, plan: Plan, filters: AgentFilters) {
  const { query, scoring, extras } = plan;
  // The agents that each filter leaves: those with any of its values.
  const conditions = optionFilters.flatMap(({ name }) => {
    const values = filters[name];
    return values ? { any: values.map((value) => ({ token: toFieldToken(name, value), isPrefix: false })) } : [];
  });
  if (conditions.some(({ any }) => any.length === 0) || (plan.all.total === 0 && extras.length === 0)) {
    return { first: [], groups: [], rest: undefined, total: 0, full: 0 };
  }
  const isFiltered = conditions.length > 0 || Object.keys(pickFilters(filters, 'text')).length > 0;
  const narrow = (query: TokenQuery): TokenQuery => (conditions.length === 0 ? query : { all: [query, ...conditions] });
  const all = plan.all.total === 0 ? nothing : isFiltered ? await find(index, narrow(plan.all.query)) : plan.all;
  const seqs = query ? await collectAll(index, { query, found: all, narrow }) : [];
  const scored = scoring ? await scoreSeqs(index, seqs, scoring, true) : [];
  const found = extras.map(({ agent }) => agent.seq);
  const kept = new Set(isFiltered && found.length > 0 ? await index.filter(narrow(everyAgent), found) : found);
  const isKept = ({ agent }: Scored) => kept.has(agent.seq);
  const corrected = extras.slice(0, plan.corrected).filter(isKept);
  const partial = extras.slice(plan.corrected).filter(isKept);
  const some = new Set(partial);
  const first = spreadOwners([...scored, ...corrected, ...partial], plan);
  const firstPartial = first.findIndex((each) => some.has(each));
  return {
    first,
    /** The same before owners are limited, by what they have of the search. */
    groups: [
      { label: 'all words', agents: scored },
      { label: 'all words, corrected', agents: corrected },
      { label: 'some words', agents: partial },
    ],
    /** Finds the results that follow, latest first, beside those that are among the first. */
    rest: all.total > scored.length ? all.query : undefined,
    total: all.total + corrected.length + partial.length,
    /** The number of results with all words before the first with some. */
    full: firstPartial === -1 ? all.total + corrected.length : firstPartial,
  };
}
