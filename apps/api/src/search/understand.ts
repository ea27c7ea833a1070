import { hasOperators, parseText, toPlainText } from '@agent-registry/contracts';
import { toFieldToken, toNameBeginning, toNameTokens } from './agent-tokens.ts';
import { analyze } from './analyze.ts';
import { chooseLanguage } from './languages.ts';
import { ranking } from './ranking.ts';
import type { TokenQuery, TokenReader } from './token-index.ts';

/** Addresses of pages and of mail, and phone numbers of seven digits or more. */
const LINK = /\bhttps?:\/\/\S+/giu;
const MAIL = /\S+@\S+\.\p{L}+/gu;
const PHONE = /(?<![\p{L}\p{N}])\+?\d(?:[ ./()-]{0,2}\d){6,}(?![\p{L}\p{N}])/gu;
/** Words between which a text may say what it is not about, up to the next clause. */
const NEGATION =
  /(?<=\S\s+)(?:but |and |or )?(?<not>not|no|without|other than|except|excluding)\s+(?:for |any |an? |the |by |from |with )?(?:"(?<quoted>[^"]+)"|(?<what>[^\s,.;:!?()"]+(?:\s+(?!-|\S+:|(?:and|but|for|from|in|of|on|or|please|that|the|to|which|with)\b)[^\s,.;:!?()"]+){0,2}))/giu;
/** Texts that ask for agents like another one. */
const ALTERNATIVES = [
  /^(?<before>.*?)\balternatives? (?:to|for|of) (?<name>.+)$/iu,
  /^(?:\S+ ){0,3}?(?:(?:something|anything|similar|agents?|apps?|tools?|bots?|services?) )*(?:like|similar to) (?<name>.+)$/iu,
  /^(?<before>)(?<name>.+) alternatives?$/iu,
];
const FREE = /\b(?:free|not paid|no cost)\b/iu;
/** The end of a text that says more about the agents that are wanted than the name. */
const ADDITION = /,? (?:but|and|that is|which is)\b.*$/iu;
/** Words for an agent that costs money. */
const PAYING = /^(?:paid|payment|payments|paying|subscription|subscriptions|cost|costs|fee|fees)$/iu;
const FREE_ONLY = 'pricing:free';

/**
 * Writes the sentences of a search as operators: `chat without Google` as `chat -Google`. A text that is the name of an
 * agent stays words.
 */
export async function understand(index: TokenReader, text: string): Promise<string> {
  // The text becomes a header, so it must be well-formed.
  const typed = text.toWellFormed().normalize('NFKC');
  const tidied = removeAddresses(typed);
  const written = (await writeAlternative(index, tidied)) ?? (await writeExclusions(index, tidied));
  const parsed = parseText(written);
  if (!hasOperators(parsed)) return written === typed ? text : written;
  if (await includesName(index, text)) return toPlainText(text);
  const categories = parsed.conditions.filter(({ field }) => field === 'category').flatMap(({ values }) => values);
  for (const category of categories.slice(0, ranking.maxValues)) {
    const token = toFieldToken('category', category);
    // A value that no agent has is a word.
    if (!(await hasAny(index, { token, isPrefix: false }))) return toPlainText(text);
  }
  return written;
}

/** A page counts by its host and its path, other addresses not at all, if other words are left. */
function removeAddresses(text: string): string {
  const left = text
    .replaceAll(LINK, (link) => {
      const url = URL.parse(link);
      if (!url) return ' ';
      const host = url.hostname.replace(/^www\./, '').replace(/\.[^.]*$/, '');
      return ` ${host} ${decodePath(url.pathname)} `.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
    })
    .replaceAll(MAIL, ' ')
    .replaceAll(PHONE, ' ');
  return /[\p{L}\p{N}]/u.test(left) ? left : text;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function writeAlternative(index: TokenReader, text: string): Promise<string | undefined> {
  for (const pattern of ALTERNATIVES) {
    const { name = '', before = '' } = pattern.exec(text.trim())?.groups ?? {};
    const [wanted, addition] = [
      name
        .replace(ADDITION, '')
        .replaceAll(/["?!.]/gu, ' ')
        .trim(),
      ADDITION.exec(name)?.[0],
    ];
    if (wanted === '' || !(await includesName(index, wanted))) continue;
    const isFree = FREE.test(`${before} ${addition ?? ''}`);
    return `like:"${wanted}"${isFree ? ` ${FREE_ONLY}` : ''}`;
  }
  return undefined;
}

/** Writes negated words as exclusions, unless agents use them with the negation as a term: "no code". */
async function writeExclusions(index: TokenReader, text: string): Promise<string> {
  if (text.split(/\s+/u).length > ranking.maxSentenceWords) return text;
  let written = text;
  for (const match of [...text.matchAll(NEGATION)].slice(0, ranking.maxNegations)) {
    const { not = '', quoted, what = quoted ?? '' } = match.groups ?? {};
    const words = what.split(/\s+/u);
    const { stopWords } = chooseLanguage(words.map((word) => word.toLowerCase()));
    const telling = words.filter((word) => !stopWords.has(word.toLowerCase()));
    if (telling.length === 0 || (await isTerm(index, `${not} ${words[0]}`))) continue;
    const isPaying = telling.some((word) => PAYING.test(word));
    const excluded = telling.length === 1 ? `-${telling[0]}` : `-"${telling.join(' ')}"`;
    written = written.replace(match[0], () => (isPaying ? FREE_ONLY : excluded));
  }
  return written.replaceAll(/(?<=\s)-paid(?=\s|$)/giu, FREE_ONLY);
}

/** Whether an agent has two words as one, such as `no-code`, or a name that begins with them. */
function isTerm(index: TokenReader, words: string): Promise<boolean> {
  const chunks = analyze(words);
  const joined = chunks.flatMap(({ terms }) => terms.map(({ text }) => text)).join('');
  return hasAny(index, {
    any: [
      { token: joined, isPrefix: false },
      { token: `${toNameBeginning(chunks)}_`, isPrefix: true },
    ],
  });
}

/** Whether a text is the name of an agent. */
function includesName(index: TokenReader, text: string): Promise<boolean> {
  const name = analyze(text);
  if (name.length === 0) return Promise.resolve(false);
  return hasAny(index, { any: toNameTokens(name).map((token) => ({ token, isPrefix: false })) });
}

async function hasAny(index: TokenReader, query: TokenQuery): Promise<boolean> {
  return (await index.match(query, { limit: 1 })).length > 0;
}
