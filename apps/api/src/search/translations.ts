import { fold } from '@agent-registry/contracts';
import synonymGroups from './words/synonyms.json' with { type: 'json' };
import tables from './words/translations.json' with { type: 'json' };

/** The languages of the tables, in the order of their columns. */
export const translatedLanguages = [
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
  'polish',
  'turkish',
  'indonesian',
  'arabic',
  'hindi',
] as const;
export type TranslatedLanguage = (typeof translatedLanguages)[number];

/** A topic or an action in English and in the other languages. */
export type Translation = {
  /** The English words and phrases, the most telling first, each as its words. */
  english: readonly (readonly string[])[];
  /** The folded words of each language, none where the English word is usual. */
  words: Readonly<Record<TranslatedLanguage, readonly string[]>>;
};

export const translationRows: readonly Translation[] = tables.rows.map((row) => {
  // The English words stay as they are, and have no capitals.
  const [english = '', cells = ''] = fold(row).split(': ');
  const words = cells.split(' | ').map((cell) => (cell === '-' ? [] : cell.split(' ')));
  const byLanguage = Object.fromEntries(translatedLanguages.map((language, at) => [language, words[at] ?? []]));
  return { english: toPhrases(english), words: byLanguage as Record<TranslatedLanguage, string[]> };
});

const translations = new Map<string, readonly (readonly string[])[]>();
for (const { english, words } of translationRows) {
  for (const word of new Set(Object.values(words).flat())) {
    translations.set(word, addPhrases(translations.get(word), english));
  }
}

const synonyms = new Map<string, readonly (readonly string[])[]>();
for (const phrases of synonymGroups.map(toPhrases)) {
  for (const [word = '', ...further] of phrases) {
    const others = phrases.filter((phrase) => phrase.join(' ') !== word);
    if (further.length === 0) synonyms.set(word, addPhrases(synonyms.get(word), others));
  }
}

/** The English words for a folded word of another language, each as its words. */
export function findTranslations(word: string): readonly (readonly string[])[] {
  return translations.get(word) ?? [];
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

/** The synonyms of a folded word, each as its words. */
export function findSynonyms(word: string): readonly (readonly string[])[] {
  return synonyms.get(word) ?? [];
}

function toPhrases(phrases: string): string[][] {
  return phrases.split(', ').map((phrase) => phrase.split(' '));
}
