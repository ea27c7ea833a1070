import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as english } from 'stemmer';
import { deu, fra, ita, nld, por, rus, spa } from 'stopword';
import { fold } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';
import { englishStopWords, englishWordsOfQuestions } from './stop-words.ts';
import { findTranslations, translations } from './translations.ts';

/** What the search knows of a language. Words are folded. */
export type Language = {
  stopWords: ReadonlySet<string>;
  /** The stem that the inflections of a word share. */
  stem: (word: string) => string;
  /** The English words for the field's nouns, by the stem of the noun; none in English. */
  nouns: ReadonlyMap<string, readonly (readonly string[])[]>;
};

/** Words for agents in other languages, which tell nothing in a directory of agents. */
const fillers =
  'agent agente agenten agentes agenti agents ai bot bots ia ki tool tools агент агента агенты бот бота боты';

/** English, of which a text without signs of another language is. */
export const ENGLISH: Language = { stopWords: englishStopWords, stem: english, nouns: new Map() };
/** English in a question. */
const englishQuestion: Language = { ...ENGLISH, stopWords: englishWordsOfQuestions };

// In this order where a noun of the field is in several.
const others: readonly Language[] = [
  toLanguage(deu, german),
  toLanguage(fra, french),
  toLanguage(spa, spanish),
  toLanguage(por, portuguese),
  toLanguage(ita, italian),
  toLanguage(nld, dutch),
  toLanguage(rus, russian),
];

/** The language that most words are stop words of, or that has one of them as a noun of the field. */
export function chooseLanguage(words: readonly string[]): Language {
  const count = ({ stopWords }: Language) => words.filter((word) => stopWords.has(word)).length;
  const inEnglish = count(ENGLISH);
  const hasNoun = ({ nouns, stem }: Language) => words.some((word) => nouns.has(stem(word)));
  const isQuestion = inEnglish >= ranking.minStopWords;
  // Beside a noun of another language, a single stop word tells the language: "generador de facturas".
  const isForeign = words.some((word) => findTranslations(word).length > 0);
  let best = isQuestion ? englishQuestion : (inEnglish === 0 && others.find(hasNoun)) || ENGLISH;
  let most = Math.max(inEnglish, isForeign ? 0 : ranking.minStopWords - 1);
  for (const language of others) if (count(language) > most) [best, most] = [language, count(language)];
  return best;
}

function toLanguage(stopWords: readonly string[], stem: Language['stem']): Language {
  const nouns = new Map<string, (readonly string[])[]>();
  for (const [noun, english] of translations) {
    const key = stem(noun);
    if (key.length >= ranking.minStemmedLength) nouns.set(key, [...(nouns.get(key) ?? []), ...english]);
  }
  return { stopWords: new Set([...stopWords.map(fold), ...fillers.split(' ')]), stem, nouns };
}
