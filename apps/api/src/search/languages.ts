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
import { ara, deu, fra, hin, ind, ita, nld, pol, por, rus, spa, tur } from 'stopword';
import { fold } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';
import { englishStopWords, englishWordsOfQuestions } from './stop-words.ts';
import { addPhrases, findTranslations, translationRows, type TranslatedLanguage } from './translations.ts';

/** What the search knows of a language. Words are folded. */
export type Language = {
  stopWords: ReadonlySet<string>;
  /** The stem that the inflections of a word share. */
  stem: (word: string) => string;
  /** The English words for the words of the tables, by their stem; none in English. */
  nouns: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** What a word in it has a letter of. */
  script: RegExp;
  /** Whether it writes the words of a compound as one. */
  hasCompounds: boolean;
};

/** Words for agents in other languages, which tell nothing in a directory of agents. */
const fillers =
  'agent agente agenten agentes agenti agents ai bot bots ia ki tool tools агент агента агенты бот бота боты';
/** Words of requests that the lists of stop words lack. None is a topic, and few are English words. */
const requestWords = {
  german:
    'suche gesucht brauche brauchen benötige benötigen bitte hallo danke hilfe helfen hilft hilf möchten empfiehl empfehlt kennt finde finden zeig zeige zeigen beste bester bestes mithilfe lassen künstliche künstlicher intelligenz werkzeug werkzeuge',
  french:
    'cherche cherchons besoin aide aider aidez trouver trouve bonjour merci voudrais veux souhaite peut peux pouvez permet permettant permettre existe connaissez quelqu meilleur meilleure meilleurs outil outils intelligence artificielle afin comment donne svp',
  spanish:
    'busco buscamos necesito necesitamos quiero queremos quisiera ayuda ayudar ayude ayúdame ayudarme hola gracias puede pueda pueden puedo hay haya existe existen recomiéndame recomienda alguien algún alguna algo mejor mejores herramienta herramientas inteligencia artificial es está están ser tener tiene hacer haga hace favor dame dime esta este mis tus usar',
  portuguese:
    'procuro procurando preciso precisamos quero queria gostaria ajuda ajudar ajude ajudem olá obrigado obrigada pode possa podem posso há existe existem recomenda alguém algum alguma melhor melhores ferramenta ferramentas inteligência artificial é são ser está tem ter fazer faça faz favor onde pra usar',
  italian:
    'cerco cerchiamo bisogno voglio vorrei servirebbe aiuto aiuta aiutare aiutami ciao grazie può possa possono esiste esistono consigliate qualcuno qualche qualcosa migliore migliori strumento strumenti intelligenza artificiale fare favore essere usare',
  dutch:
    'zoek gezocht hulp helpen helpt nodig graag hallo bedankt dank alsjeblieft alstublieft kunt gebruiken bestaat beste welke waarmee jullie hulpmiddel hulpmiddelen kunstmatige intelligentie',
  russian:
    'ищу нужен нужна нужно нужны хочу помощь помоги помогите помочь помогает привет здравствуйте спасибо пожалуйста посоветуйте подскажите порекомендуйте какие какая какое лучший лучшая лучшие который которая которые инструмент инструменты искусственный искусственного интеллект интеллекта ии нейросеть нейросети нейросетью сделать',
  polish:
    'szukam potrzebuję potrzebny potrzebna chcę chciałbym chciałabym pomoc pomóż pomoże pomaga proszę dziękuję cześć ktoś coś jakiś jakieś najlepszy najlepsza narzędzie narzędzia sztuczna inteligencja zrobić robić mój moja moje mojego jest są dobrze czy',
  turkish:
    'arıyorum ihtiyacım lazım istiyorum isterim yardım yardımcı olur lütfen merhaba teşekkürler biri birisi bir iyi en araç araçlar yapay zeka benim bana yapan yapmak nasıl hangi için',
  indonesian:
    'cari mencari butuh membutuhkan perlu ingin mau bantu bantuan membantu tolong terima kasih halo seseorang terbaik alat kecerdasan buatan saya aku bisa untuk',
  arabic:
    'ابحث أبحث اريد أريد احتاج أحتاج مساعدة ساعدني من فضلك شكرا مرحبا شخص افضل أفضل أداة أدوات ذكاء اصطناعي لي عن',
  hindi:
    'मुझे चाहिए चाहता चाहती खोज मदद कृपया धन्यवाद नमस्ते कोई सबसे अच्छा उपकरण कृत्रिम बुद्धि मेरा मेरे मेरी वाला वाली वाले करने करना के का की को लिए',
} satisfies Partial<Record<TranslatedLanguage, string>>;

/** Polish without the endings of its cases. */
const polish = (word: string) => word.replace(/(?<=.{5})(?:ami|ach|ego|emu|owi|ow|em|om|[aeiouy]{1,2})$/u, '');

const LATIN = /\p{sc=Latn}/u;
const SCRIPTS: Partial<Record<TranslatedLanguage, RegExp>> = {
  russian: /\p{sc=Cyrl}/u,
  arabic: /\p{sc=Arab}/u,
  hindi: /\p{sc=Deva}/u,
};

/** English, of which a text without signs of another language is. */
export const ENGLISH: Language = {
  stopWords: englishStopWords,
  stem: english,
  nouns: new Map(),
  script: LATIN,
  hasCompounds: false,
};
/** English in a question. */
const englishQuestion: Language = { ...ENGLISH, stopWords: englishWordsOfQuestions };

// In this order where a noun of the field is in several.
const others: readonly Language[] = [
  toLanguage('german', deu, german),
  toLanguage('french', fra, french),
  toLanguage('spanish', spa, spanish),
  toLanguage('portuguese', por, portuguese),
  toLanguage('italian', ita, italian),
  toLanguage('dutch', nld, dutch),
  toLanguage('russian', rus, russian),
  toLanguage('polish', pol, polish),
  toLanguage('turkish', tur, turkish),
  toLanguage('indonesian', ind, indonesian),
  toLanguage('arabic', ara, arabic),
  toLanguage('hindi', hin, hindi),
];

/** The language that most words are stop words of, or that has one of them as a noun of the field. */
export function chooseLanguage(words: readonly string[]): Language {
  const count = ({ stopWords }: Language) => words.filter((word) => stopWords.has(word)).length;
  const possible = others.filter(({ script }) => words.some((word) => script.test(word)));
  const inEnglish = count(ENGLISH);
  const hasNoun = (language: Language) =>
    words.some((word) => language.nouns.has(language.stem(word)) || splitCompound(word, language).length > 1);
  const isQuestion = inEnglish >= ranking.minStopWords;
  // Beside a noun of another language, a single stop word tells the language: "generador de facturas".
  const isForeign = words.some((word) => findTranslations(word).length > 0);
  let best = isQuestion ? englishQuestion : (inEnglish === 0 && possible.find(hasNoun)) || ENGLISH;
  let most = Math.max(inEnglish, isForeign ? 0 : ranking.minStopWords - 1);
  for (const language of possible) if (count(language) > most) [best, most] = [language, count(language)];
  return best;
}

/** The two words of a compound that both are in the tables, such as `Filmempfehlung`; any other word alone. */
export function splitCompound(word: string, { nouns, stem, hasCompounds }: Language): string[] {
  const { minCompound, maxCompound, minCompoundPart } = ranking;
  if (!hasCompounds || word.length < minCompound || word.length > maxCompound || nouns.has(stem(word))) return [word];
  for (let at = minCompoundPart; at <= word.length - minCompoundPart; at += 1) {
    const parts = [word.slice(0, at), word.slice(at)];
    if (parts.every((part) => nouns.has(stem(part)))) return parts;
  }
  return [word];
}

function toLanguage(name: keyof typeof requestWords, stopWords: readonly string[], stem: Language['stem']): Language {
  const nouns = new Map<string, readonly (readonly string[])[]>();
  for (const { english, words } of translationRows) {
    for (const key of new Set(words[name].map(stem))) {
      if (key.length >= ranking.minStemmedLength) nouns.set(key, addPhrases(nouns.get(key), english));
    }
  }
  const words = [...stopWords, ...fillers.split(' '), ...requestWords[name].split(' ')];
  return {
    stopWords: new Set(words.map(fold)),
    stem,
    nouns,
    script: SCRIPTS[name] ?? LATIN,
    hasCompounds: name === 'german' || name === 'dutch',
  };
}
