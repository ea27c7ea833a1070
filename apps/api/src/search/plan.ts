import { hasOperators, parseText } from '@agent-registry/contracts';
import { addForms } from './add-forms.ts';
import { collectFirst, type Ranked } from './collect.ts';
import { listUnknownTerms } from './correct-query.ts';
import { findExtras, noExtras, type Extras } from './find-extras.ts';
import { find, type Found } from './found.ts';
import { toMatchedWords } from './matched-words.ts';
import { nameSynonyms } from './name-synonyms.ts';
import { levels, toFieldToken } from './agent-tokens.ts';
import { findAlike } from './find-alike.ts';
import { checkPhrases } from './check-phrases.ts';
import { ranking } from './ranking.ts';
import { isLong, listTerms, readQuery, type SearchQuery } from './read-query.ts';
import { toRestriction } from './restriction.ts';
import { listTellingWords } from './telling-words.ts';
import { matchAnywhere, toTiers } from './tiers.ts';
import type { TokenReader } from './token-index.ts';
import { understand } from './understand.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The results of a search as data, before its filters and its page. */
export type Plan = Ranked & {
  /** The agents after those of the tiers. */
  extras: Extras;
  /** The text with the corrections or synonyms that led to the first result, if it was not found as typed. */
  correction: string | undefined;
  /** The text as it was understood, with its sentences as operators; undefined if it has none (`understand`). */
  understood: string | undefined;
  /** The words by which the results were found (`toMatchedWords`). */
  words: string[];
  /** The words of the text itself, in the same form. */
  typedWords: string[];
  /** The words of the text that tell most (`listTellingWords`). */
  telling: readonly string[];
  /** How many terms that no agent uses were looked up for corrections, which costs most of a search. */
  unknownTerms: number;
  /** Whether the vocabulary was not read yet: a later search may find more. */
  isProvisional: boolean;
};

/** The text of a search. */
export type SearchText = {
  text: string;
  /** Whether corrections and synonyms count. */
  correct: boolean;
};

// Never sent to an index: what found no agent is not asked again.
const nothing: Found = { query: { any: [] }, total: 0, seqs: [] };

/** No results. */
export const noResults: Pick<Plan, 'tiers' | 'terms' | 'typed' | 'all' | 'extras'> = {
  tiers: [],
  terms: [],
  typed: nothing,
  all: nothing,
  extras: noExtras.extras,
};

/** The plan of a text without words. */
const emptyPlan: Plan = {
  ...noResults,
  correction: undefined,
  understood: undefined,
  words: [],
  typedWords: [],
  telling: [],
  unknownTerms: 0,
  isProvisional: false,
};

/**
 * Plans a search: the agents with all words in tiers, then, if they are few, agents with all words after corrections, and
 * agents with some words. Filters do not matter here, so a filter never adds results.
 */
export async function plan(
  index: TokenReader,
  { text, correct }: SearchText,
  readVocabulary: () => Promise<Vocabulary | undefined>,
): Promise<Plan> {
  const written = await understand(index, text);
  const parsed = parseText(written);
  if (!hasOperators(parsed)) return planWords(index, { text: written, correct }, readVocabulary);
  const like = parsed.conditions.find(({ field }) => field === 'like');
  const whole = like
    ? await planAlike(index, { text: written, name: like.values.join(' ') }, readVocabulary)
    : await planWords(index, { text: written, correct }, readVocabulary);
  if (parsed.phrases.length === 0) return { ...whole, understood: written };
  const { corrected, partial } = whole.extras;
  const full = [...(await collectFirst(index, whole, ranking.maxChecked)), ...corrected];
  const found = new Set(await checkPhrases(index, [...full, ...partial], parsed.phrases));
  const keep = (seqs: readonly number[]) => seqs.filter((seq) => found.has(seq));
  return { ...whole, ...noResults, extras: { corrected: keep(full), partial: keep(partial) }, understood: written };
}

/** Plans a search for agents like another one. */
async function planAlike(
  index: TokenReader,
  { text, name }: { text: string; name: string },
  readVocabulary: () => Promise<Vocabulary | undefined>,
): Promise<Plan> {
  const vocabulary = await readVocabulary();
  if (!vocabulary) return { ...emptyPlan, isProvisional: true };
  const parsed = parseText(text);
  const { seqs, words } = await findAlike(index, {
    name,
    words: parsed.words,
    restriction: toRestriction(parsed, levels.description),
    vocabulary,
  });
  return { ...emptyPlan, extras: { corrected: seqs, partial: [] }, words };
}

/** Plans a search for words, and for what the operators of its text demand. */
async function planWords(
  index: TokenReader,
  { text, correct }: SearchText,
  readVocabulary: () => Promise<Vocabulary | undefined>,
): Promise<Plan> {
  const long = isLong(text) ? { vocabulary: await readVocabulary() } : {};
  const query = await readExcluding(index, text, long);
  if (!query) return emptyPlan;
  const typed = await find(index, matchAnywhere(query));
  const isGeneric = await isGenericWord(index, query);
  const typedWords = toMatchedWords(query);
  const telling = listTellingWords(query);
  const canWiden = typed.total < ranking.widenBelow && query.chunks.length > 0;
  const vocabulary = canWiden ? await readVocabulary() : undefined;
  if (!vocabulary) {
    const words = typedWords;
    return {
      ...emptyPlan,
      tiers: toTiers(query, isGeneric),
      terms: listTerms(query),
      typed,
      all: typed,
      words,
      typedWords,
      telling,
      isProvisional: canWiden,
    };
  }
  const widened = await addForms(query, vocabulary, { hasSynonyms: correct });
  const all = await find(index, matchAnywhere(widened));
  const canCorrect = correct && typed.total < ranking.correctBelow;
  const hasExtras = typed.total < ranking.extrasBelow && (await hasRoom(index, widened, all));
  const { extras, correction, words } = hasExtras
    ? await findExtras(index, { text, correct, canCorrect, query: widened, seqs: all.seqs, vocabulary })
    : noExtras;
  return {
    ...emptyPlan,
    tiers: toTiers(widened, isGeneric),
    terms: listTerms(widened),
    typed,
    all,
    extras,
    correction: all.total === 0 ? correction : typed.total > 0 ? undefined : await nameSynonyms(index, text, widened),
    words: [...new Set([...toMatchedWords(widened), ...words])],
    typedWords,
    telling,
    unknownTerms: hasExtras && canCorrect ? listUnknownTerms(widened, vocabulary).length : 0,
  };
}

/** Whether a query is one word that several agents have as a capability, so that it is no rare name. */
async function isGenericWord(index: TokenReader, query: SearchQuery): Promise<boolean> {
  const [word, ...others] = listTerms(query);
  if (!word || others.length > 0 || word.isRun) return false;
  const limit = ranking.genericFrom;
  const token = toFieldToken('capability', word.text);
  return (await index.match({ token, isPrefix: false }, { limit })).length === limit;
}

/** Reads a query; excluded words may stand in descriptions if no agent is left otherwise. */
async function readExcluding(
  index: TokenReader,
  text: string,
  options: { vocabulary?: Vocabulary | undefined },
): Promise<SearchQuery | undefined> {
  const strict = readQuery(text, options);
  if (!strict || strict.restriction.without.length === 0) return strict;
  const loose = readQuery(text, { ...options, excludeFrom: levels.capabilities }) ?? strict;
  const has = async (query: SearchQuery) => (await index.match(matchAnywhere(query), { limit: 1 })).length > 0;
  return !(await has(strict)) && (await has(loose)) ? loose : strict;
}

/** Whether so few agents have all words, not only inside of words, that other agents may follow. */
async function hasRoom(index: TokenReader, query: SearchQuery, { total }: Found): Promise<boolean> {
  if (total < ranking.extrasBelow) return true;
  if (total >= ranking.noExtrasFrom) return false;
  const limit = ranking.extrasBelow;
  return (await index.match(matchAnywhere(query, 'synonym'), { limit })).length < limit;
}
