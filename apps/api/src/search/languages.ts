import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as english } from 'stemmer';
import { ara, deu, eng, fra, hin, ind, ita, nld, pol, por, rus, spa, tur } from 'stopword';
import { fold, functionWords } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';
import requestWords from './words/requests.json' with { type: 'json' };
import stopWords from './words/stop-words.json' with { type: 'json' };
import synonymGroups from './words/synonyms.json' with { type: 'json' };
import tables from './words/translations.json' with { type: 'json' };

type Phrases = readonly (readonly string[])[];

const toPhrases = (phrases: string): Phrases => phrases.split(', ').map((phrase) => phrase.split(' '));

/** Topics and actions: the English phrases, the most telling first, and the folded words of each other language. */
export const translationRows = tables.rows.map((row) => {
  // No words for a language where the English one is usual.
  const [english = '', cells = ''] = fold(row).split(': ');
  const words = cells.split(' | ').map((cell, at) => [tables.languages[at] ?? '', cell === '-' ? [] : cell.split(' ')]);
  return { english: toPhrases(english), words: Object.fromEntries(words) as Record<string, string[]> };
});

const translations = new Map<string, Phrases>();
for (const { english, words } of translationRows) {
  for (const word of Object.values(words).flat()) addPhrases(translations, word, english);
}

const synonyms = new Map<string, Phrases>();
for (const phrases of synonymGroups.map(toPhrases)) {
  for (const phrase of phrases.filter(({ length }) => length === 1)) {
    addPhrases(
      synonyms,
      phrase.join(' '),
      phrases.filter((other) => other !== phrase),
    );
  }
}

/** Adds the phrases for a word that it does not have yet. */
function addPhrases(all: Map<string, Phrases>, word: string, phrases: Phrases): void {
  const known = all.get(word) ?? [];
  const texts = new Set(known.map((phrase) => phrase.join(' ')));
  all.set(word, [...known, ...phrases.filter((phrase) => !texts.has(phrase.join(' ')))]);
}

/** The English words for a folded word of another language. */
export const findTranslations = (word: string): Phrases => translations.get(word) ?? [];

export const findSynonyms = (word: string): Phrases => synonyms.get(word) ?? [];

/** What the search knows of a language. Words are folded. */
export type Language = {
  stopWords: ReadonlySet<string>;
  /** The stem that the inflections of a word share. */
  stem: (word: string) => string;
  /** The ending of nouns for who does something: `editor`, `rédacteur`. */
  doer: RegExp | undefined;
  /** The English words for the words of the tables, by their stem; none in English. */
  nouns: ReadonlyMap<string, Phrases>;
  /** What a word in it has a letter of. */
  script: RegExp;
};

const split = (words: string) => words.split(' ');

const englishStopWords = [...functionWords, ...eng.map(fold), ...split(stopWords.questions)];
const lightWords = new Set(split(stopWords.light));
/** Particles, helping words and words of requests, as they are cut out of a text without blanks. */
const particles = new Set([stopWords.chinese, stopWords.japanese, stopWords.korean].flatMap(split));

/** Polish without the endings of its cases. */
const polish = (word: string) => word.replace(/(?<=.{5})(?:ami|ach|ego|emu|owi|ow|em|om|[aeiouy]{1,2})$/u, '');

const LATIN = /\p{sc=Latn}/u;

/** English, of which a text without signs of another language is. */
export const ENGLISH: Language = {
  stopWords: new Set(englishStopWords),
  stem: english,
  doer: /(?<=..[^aeiou])(?:er|or)s?$/u,
  nouns: new Map(),
  script: LATIN,
};
/** English with words of questions about agents and of pasted mails, which tell nothing beside other words. */
const englishQuestion: Language = {
  ...ENGLISH,
  stopWords: new Set([...englishStopWords, ...split(stopWords.requests), ...split(stopWords.mails)]),
};

const romanceDoer = /(?<=...)(?:[aei]d)?or(?:as?|es)?$/u;

// In this order where a noun of the field is in several.
const others: readonly Language[] = [
  toLanguage('german', deu, german, { doer: /(?<=..[^aeiou])er(?:in(?:nen)?|n)?$/u }),
  toLanguage('french', fra, french, { doer: /(?<=...)(?:at|it)?(?:eur|euse|rice)s?$/u }),
  toLanguage('spanish', spa, spanish, { doer: romanceDoer }),
  toLanguage('portuguese', por, portuguese, { doer: romanceDoer }),
  toLanguage('italian', ita, italian),
  toLanguage('dutch', nld, dutch),
  toLanguage('russian', rus, russian, { script: /\p{sc=Cyrl}/u }),
  toLanguage('polish', pol, polish),
  toLanguage('turkish', tur, turkish),
  toLanguage('indonesian', ind, indonesian),
  toLanguage('arabic', ara, arabic, { script: /\p{sc=Arab}/u }),
  toLanguage('hindi', hin, hindi, { script: /\p{sc=Deva}/u }),
];

/** Whether two words have the same stem, or one is the noun for who does the other: `editor` and `editing`. */
export function isSameWord(word: string, other: string, { stem, doer }: Pick<Language, 'stem' | 'doer'>): boolean {
  if (stem(word) === stem(other)) return true;
  const isDoer = doer !== undefined && (doer.test(word) || doer.test(other));
  return isDoer && stemVerb(word, { stem, doer }) === stemVerb(other, { stem, doer });
}

/** The stem of the verb of a noun for who does it, without what endings change: `edit` of `editor`, `plan` of `planner`. */
function stemVerb(word: string, { stem, doer }: Pick<Language, 'stem' | 'doer'>): string {
  return stem(doer === undefined ? word : word.replace(doer, ''))
    .replace(/e$/u, '')
    .replace(/(.)\1$/u, '$1');
}

/** The language that most words are stop words of, or that has one of them as a noun of the field. */
export function chooseLanguage(words: readonly string[]): Language {
  const count = ({ stopWords }: Language) => words.filter((word) => stopWords.has(word)).length;
  const possible = others.filter(({ script }) => words.some((word) => script.test(word)));
  const inEnglish = count(ENGLISH);
  const hasNoun = ({ nouns, stem }: Language) => words.some((word) => nouns.has(stem(word)));
  const isQuestion = inEnglish >= ranking.minStopWords;
  // Beside a noun of another language, a single stop word tells the language: "generador de facturas".
  const isForeign = words.some((word) => findTranslations(word).length > 0);
  let best = isQuestion ? englishQuestion : (inEnglish === 0 && possible.find(hasNoun)) || ENGLISH;
  let most = Math.max(inEnglish, isForeign ? 0 : ranking.minStopWords - 1);
  for (const language of possible) if (count(language) > most) [best, most] = [language, count(language)];
  return best;
}

function toLanguage(
  name: Exclude<keyof typeof requestWords, 'everywhere'>,
  known: readonly string[],
  stem: Language['stem'],
  { doer, script = LATIN }: Partial<Pick<Language, 'doer' | 'script'>> = {},
): Language {
  let nouns: Map<string, Phrases> | undefined;
  const words = [...known, ...split(requestWords.everywhere), ...split(requestWords[name])];
  return {
    stopWords: new Set(words.map(fold)),
    stem,
    doer,
    // At the first search: commands and the other threads need no stems of these thousands of words.
    get nouns() {
      if (nouns) return nouns;
      nouns = new Map();
      for (const { english, words: translated } of translationRows) {
        const keys = (translated[name] ?? []).map(stem).filter((key) => key.length >= ranking.minStemmedLength);
        for (const key of keys) addPhrases(nouns, key, english);
      }
      return nouns;
    },
    script,
  };
}

/** Whether the words of a search are taken for English, so that unknown ones are slips or names. */
export const isEnglish = ({ stem }: Language) => stem === english;

export const isLight = (word: string) => word.length === 1 || lightWords.has(word);

/** Whether a word tells nothing about an agent in English, alone or in a question. */
export const isFiller = (word: string) => englishQuestion.stopWords.has(word);

/** English words with a negation: `don't`. */
const NEGATED = /(?<!\p{L})\p{L}+n['’]t(?!\p{L})/giu;
/** Elided words of French, Italian, Catalan and Portuguese, and of English `d'you`: `l'`, `qu'`, `dell'`. */
const ELIDED =
  /(?<![\p{L}\p{N}])(?:(?:qu['’])?est-ce(?!\p{L})|(?:[cdjlmnstvy]|(?:jus|lors|puis|quel|quoi|pres)?qu|gl|un|(?:d|n)?ell|(?:d)?all|sull|coll|quell|quest|bell|sant|com|dov|cos|quand|anch|senz|tutt|mezz)['’](?=\p{L}))/giu;
/** Contracted words of English, Dutch and German (`what's`, `zo'n`), and cases of names in Turkish and Polish. */
const CONTRACTED =
  /(?<=[\p{L}\p{N}])['’](?:s|m|re|ve|ll|d|n|[dt][ae](?:n|ki)?|n?[ıiuü]n|[ny]?[aeıiuü]|y?l[ae]|l[ıiuü]|em|owi|ego|emu)(?![\p{L}\p{N}])/giu;

/** A text without its contractions and elisions, the rest of which would be words that say nothing. */
export function removeContractions(text: string): string {
  const marked = text.replaceAll(/[＇ʼ‘´`′]/gu, '’');
  return marked.replaceAll(NEGATED, ' ').replaceAll(ELIDED, ' ').replaceAll(CONTRACTED, '');
}

/** Whether a piece of a text without blanks tells nothing about an agent, as a letter of Hiragana: it is an ending. */
export function isParticle(piece: string): boolean {
  return particles.has(piece) || /^\p{sc=Hira}$/u.test(piece);
}

/** Endings of Korean nouns and requests, the longest first. */
const KOREAN_ENDING =
  /(?<=\p{sc=Hang}{2})(?:해주세요|하고싶어|해주는|해줘|하는|하기|하고|해서|에서|으로|까지|부터|을|를|이|가|은|는|에|의|로|와|과|도|만)$/u;

/** A Korean noun without its ending; other texts are returned as they are. */
export const removeEnding = (run: string) => run.replace(KOREAN_ENDING, '');
