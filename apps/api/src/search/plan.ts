import { isDeepStrictEqual } from 'node:util';
import { hasOperators, type ParsedText, parseText } from '@agent-registry/contracts';
import { addCorrections, addForms, listTellingWords, listUnknownTerms } from './forms.ts';
import { collectSome, find, nothing, type Found, checkPhrases, findAlike, matchAll } from './candidates.ts';
import { areOfFewOwners } from './owners.ts';
import { ranking } from './ranking.ts';
import { isLong, readQuery, type SearchQuery, toRestriction } from './read-query.ts';
import { scoreSeqs, type Scored } from './score.ts';
import { createScoring, type Scoring } from './scoring.ts';
import type { TokenReader } from './agent-tokens.ts';
import { isOverlong, understand } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The results of a search as data, before its filters and its page. */
export type Plan = {
  query: SearchQuery | undefined;
  scoring: Scoring | undefined;
  /** The agents with all words, in some form. */
  all: Found;
  /** The agents that follow them, best first: some with all words after a correction, and others with some of the words. */
  extras: readonly Scored[];
  /** How many of the extras have all words. */
  corrected: number;
  /** Whether an agent has all words as they were typed. */
  isTyped: boolean;
  /** The number of agents, as far as it is known. */
  agents: number;
  /** The text as it was understood, with its sentences as operators. */
  text: string;
  /** Whether it has operators, from sentences or as they were typed (`understand`), or was cut to its telling words. */
  isUnderstood: boolean;
  /** The words of the text that tell most (`listTellingWords`). */
  telling: readonly string[];
  /** How many terms that no agent uses were looked up for corrections, which costs most of a search. */
  unknownTerms: number;
  /** Whether the vocabulary was not read yet: a later search may find more. */
  isProvisional: boolean;
};

type SearchText = {
  text: string;
  /** Whether corrections and synonyms count. */
  correct: boolean;
};

const emptyPlan: Omit<Plan, 'text'> = {
  query: undefined,
  scoring: undefined,
  all: nothing,
  extras: [],
  corrected: 0,
  isTyped: false,
  agents: 0,
  isUnderstood: false,
  telling: [],
  unknownTerms: 0,
  isProvisional: false,
};

/**
 * Plans a search: the agents with all words, then, if they are few, agents with all words after corrections, and agents
 * with some words. Filters do not matter here, so a filter never adds results.
 */
export async function plan(
  index: TokenReader,
  { text, correct }: SearchText,
  readVocabulary: () => Promise<Vocabulary | undefined>,
): Promise<Plan> {
  const written = await understand(index, text);
  const parsed = parseText(written);
  const isUnderstood = hasOperators(parsed);
  const like = parsed.conditions.find(({ field }) => field === 'like');
  const vocabulary = like || parsed.words.trim() !== '' ? await readVocabulary() : undefined;
  const whole = like
    ? await planAlike(index, { text: written, parsed, name: like.values.join(' ') }, vocabulary)
    : await planWords(index, { text: written, correct }, vocabulary);
  if (isOverlong(written)) return { ...whole, text: whole.telling.join(' '), isUnderstood: true };
  if (parsed.phrases.length === 0 || !whole.scoring) return { ...whole, isUnderstood };
  const full = await scoreSeqs(index, whole.all.seqs, whole.scoring, { total: whole.agents, hasAll: true });
  const candidates = [...full, ...whole.extras];
  const found = await checkPhrases(
    index,
    candidates.map(({ agent }) => agent.seq),
    parsed.phrases,
  );
  const extras = candidates.filter(({ agent }) => found.has(agent.seq));
  const kept = full.length + whole.corrected;
  const corrected = candidates.slice(0, kept).filter(({ agent }) => found.has(agent.seq)).length;
  return { ...whole, all: nothing, extras, corrected, isUnderstood };
}

/** Plans a search for agents like another one. */
async function planAlike(
  index: TokenReader,
  { text, parsed, name }: { text: string; parsed: ParsedText; name: string },
  vocabulary: Vocabulary | undefined,
): Promise<Plan> {
  if (!vocabulary) return { ...emptyPlan, text, isProvisional: true };
  const restriction = toRestriction(parsed);
  const alike = await findAlike(index, { name, words: parsed.words, restriction, vocabulary });
  return { ...emptyPlan, ...alike, text, corrected: alike.extras.length };
}

/** Plans a search for words, and for what the operators of its text demand. */
async function planWords(
  index: TokenReader,
  { text, correct }: SearchText,
  vocabulary: Vocabulary | undefined,
): Promise<Plan> {
  const typedQuery = readQuery(text, vocabulary);
  if (!typedQuery) return { ...emptyPlan, text };
  const typed = await find(index, matchAll(typedQuery, 'typed'));
  const telling = listTellingWords(typedQuery);
  const canWiden = typed.total < ranking.widenBelow && typedQuery.chunks.length > 0;
  const known = { ...emptyPlan, text, telling, isTyped: typed.total > 0 };
  if (!vocabulary || !canWiden) {
    const scoring = createScoring(typedQuery, { vocabulary, hasSynonyms: correct });
    const agents = vocabulary?.agents ?? typed.total;
    return { ...known, query: typedQuery, scoring, all: typed, agents, isProvisional: canWiden };
  }
  const widened = await addForms(typedQuery, vocabulary, { hasSynonyms: correct });
  const anywhere = matchAll(widened, 'forms');
  const all = isDeepStrictEqual(anywhere, typed.query) ? typed : await find(index, anywhere);
  // A long text was pasted, and hardly misspelled.
  const canCorrect = correct && !isLong(text) && typed.total < ranking.correctBelow;
  const hasExtras = all.total < ranking.partialBelow || (await areAllOfFewOwners(index, all, text));
  const unknown = hasExtras && canCorrect ? await listUnknownTerms(widened, vocabulary) : [];
  const query = await addCorrections(widened, unknown, vocabulary);
  const scoring = createScoring(query, { vocabulary, hasSynonyms: correct });
  const extras = hasExtras
    ? await findExtras(index, { query, scoring, all, isCorrected: query !== widened, agents: vocabulary.agents })
    : { extras: [], corrected: 0 };
  return { ...known, query, scoring, all, ...extras, agents: vocabulary.agents, unknownTerms: unknown.length };
}

/** Whether the latest of the agents with all words are of few owners: others follow them even if they are enough. */
async function areAllOfFewOwners(index: TokenReader, { seqs, total }: Found, text: string): Promise<boolean> {
  if (total > seqs.length) return false;
  const latest = await index.readTexts(seqs.slice(0, ranking.partialBelow), ranking.maxRead);
  return areOfFewOwners(latest, text);
}

/** Finds the agents that follow those with all words. */
async function findExtras(
  index: TokenReader,
  {
    query,
    scoring,
    all,
    isCorrected,
    agents: total,
  }: { query: SearchQuery; scoring: Scoring; all: Found; isCorrected: boolean; agents: number },
): Promise<Pick<Plan, 'extras' | 'corrected'>> {
  const anyway = matchAll(query, 'corrected');
  const hasCorrections = isCorrected && !isDeepStrictEqual(anyway, all.query);
  const withAll = hasCorrections ? await index.match(anyway, { limit: ranking.maxScored }) : [];
  const full = new Set(all.seqs);
  const corrected = withAll.filter((seq) => !full.has(seq));
  const scored = await scoreSeqs(index, corrected, scoring, { total, hasAll: true });
  const best = scored.slice(0, ranking.maxCorrected);
  for (const { agent } of best) full.add(agent.seq);
  const some = [...(await collectSome(index, query, { scoring, all }))].filter((seq) => !full.has(seq));
  const partial = await scoreSeqs(index, some, scoring, { total, hasAll: false });
  return { extras: [...best, ...partial.slice(0, ranking.maxPartial)], corrected: best.length };
}
