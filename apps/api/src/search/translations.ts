import { fold } from '@agent-registry/contracts';
import { translatedMore } from './translated-more.ts';
import { translatedNouns } from './translated-nouns.ts';
import { translatedVerbs } from './translated-verbs.ts';

/** The languages of the tables, in the order of their columns. */
const columns = [
  'german',
  'spanish',
  'french',
  'portuguese',
  'italian',
  'dutch',
  'russian',
  'chinese',
  'japanese',
  'korean',
] as const;
const moreColumns = ['polish', 'turkish', 'indonesian', 'arabic', 'hindi'] as const;
/** All languages of the tables. */
export const translatedLanguages = [...columns, ...moreColumns] as const;
export type TranslatedLanguage = (typeof translatedLanguages)[number];

/** A topic or an action in English and in the other languages. */
export type Translation = {
  /** The English words and phrases, the most telling first, each as its words. */
  english: readonly (readonly string[])[];
  /** The folded words of each language, none where the English word is usual. */
  words: Readonly<Record<TranslatedLanguage, readonly string[]>>;
};

const moreCells = new Map(readRows(translatedMore).map(({ english, cells }) => [english, cells]));

/** The rows of the tables. */
export const translationRows: readonly Translation[] = [translatedNouns, translatedVerbs]
  .flatMap(readRows)
  .map(({ english, cells }) => {
    const phrases = english.split(', ');
    const more = moreCells.get(phrases[0] ?? '') ?? [];
    return {
      english: phrases.map((phrase) => phrase.split(' ')),
      words: { ...toWords(columns, cells), ...toWords(moreColumns, more) },
    };
  });

const translations = new Map<string, readonly (readonly string[])[]>();
for (const { english, words } of translationRows) {
  for (const word of new Set(Object.values(words).flat())) {
    translations.set(word, addPhrases(translations.get(word), english));
  }
}

/** The length of the longest word of a script without blanks, in UTF-16 units. */
export const LONGEST_TRANSLATED = Math.max(
  ...translationRows.flatMap(({ words: { chinese, japanese, korean } }) =>
    [chinese, japanese, korean].flat().map(({ length }) => length),
  ),
);

/** The English words for a folded word of another language, each as its words. */
export function findTranslations(word: string): readonly (readonly string[])[] {
  return translations.get(word) ?? [];
}

/** Whether a folded word is in the tables. */
export function isTranslated(word: string): boolean {
  return translations.has(word);
}

/** Phrases with further ones that are not among them. */
export function addPhrases(
  known: readonly (readonly string[])[] | undefined,
  phrases: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  if (!known) return phrases;
  const texts = new Set(known.map((phrase) => phrase.join(' ')));
  return [...known, ...phrases.filter((phrase) => !texts.has(phrase.join(' ')))];
}

/** The rows of a table: their English phrases, and a cell of words for each language. */
function readRows(table: string): { english: string; cells: string[][] }[] {
  // One fold of the whole table is many times faster than one of each word.
  const rows = fold(table).trim().split('\n');
  return rows.map((row) => {
    const [english = '', foreign = ''] = row.split(': ');
    return { english, cells: foreign.split(' | ').map((cell) => (cell === '-' ? [] : cell.split(' '))) };
  });
}

function toWords<Language extends TranslatedLanguage>(languages: readonly Language[], cells: readonly string[][]) {
  return Object.fromEntries(languages.map((language, at) => [language, cells[at] ?? []])) as Record<Language, string[]>;
}
