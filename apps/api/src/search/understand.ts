import { hasOperators, MAX_PASTE_LENGTH, MAX_SEARCH_LENGTH, parseText, toPlainText } from '@agent-registry/contracts';
import { levels, toFieldToken, toNameBeginning, toNameTokens, type TokenReader } from './agent-tokens.ts';
import { analyze, type Chunk, cut } from './analyze.ts';
import { chooseLanguage } from './languages.ts';
import { ranking } from './ranking.ts';

/** Addresses of pages, words with an address of mail, and phone numbers of 7 to 15 digits. */
const LINK = /\bhttps?:\/\/\S+/giu;
const MAIL = /^[^@]+@[^@]+\.\p{L}/u;
const PHONE = /(?<![\p{L}\p{N}])\+?\d(?:[ ./()-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu;

/**
 * Writes the sentences of a search as operators: `chat without Google` as `chat -Google`. A text that is the name of an
 * agent stays words.
 */
export async function understand(index: TokenReader, text: string): Promise<string> {
  // The text becomes a header, so it must be well-formed. NFKC makes up to 18 characters of one.
  const typed = cut(text.toWellFormed().normalize('NFKC'), MAX_PASTE_LENGTH).replaceAll(/\s+/gu, ' ');
  const tidied = removeAddresses(typed);
  // A long text was pasted, so its signs are no operators.
  if (isOverlong(typed)) return toPlainText(tidied);
  const written = await writeExclusions(index, tidied);
  const parsed = parseText(written);
  if (!hasOperators(parsed)) return written === typed ? text : written;
  const name = analyze(text);
  if (name.length > 0 && (await findByName(index, name, 1)).length > 0) return toPlainText(text);
  const categories = parsed.conditions.filter(({ field }) => field === 'category').flatMap(({ values }) => values);
  for (const category of categories.slice(0, ranking.maxValues)) {
    const token = toFieldToken('category', category);
    // A value that no agent has is a word.
    if ((await index.match({ token, isPrefix: false }, { limit: 1 })).length === 0) return toPlainText(text);
  }
  return written;
}

export function isOverlong(text: string): boolean {
  return text.length > MAX_SEARCH_LENGTH && Array.from(text).length > MAX_SEARCH_LENGTH;
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
    .replaceAll(/\S+/gu, (word) => (MAIL.test(word) ? ' ' : word))
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

/** A word that does not begin another clause or operator. */
const WORD = String.raw`(?!-|\S+:|(?:and|but|for|from|in|nor|of|on|or|please|so|that|the|to|which|with)\b)[^\s,.;:!?()"]+`;
/** What a text is not about, up to the next clause. */
const NEGATION = new RegExp(
  String.raw`(?<=\S )(?:but |and |or )?(?<not>not|(?:do(?:es)?n|ca|is|are)n?['’]t(?= (?:use|have|need|want|include|contain|cost)\b(?! to\b))|nothing to do with|nothing|no|without|other than|except|excluding) (?:(?:use|using|have|having|need|needing|based on|built on|for|any|an?|the|by|from|with) )*(?:"(?<quoted>[^"]+)"|(?<what>${WORD}(?: ${WORD}){0,2})(?<others>(?:,? n?or ${WORD}){0,3}))`,
  'giu',
);
const PAYING = /^(?:paid|payment|payments|paying|subscription|subscriptions|cost|costs|fee|fees)$/iu;
/** What is done without: "without coding" says how the agent is used, not what it is about. */
const MANNER = /^\p{L}{3,}ing$/iu;

/**
 * Writes negated words as exclusions, unless agents use them with the negation as a term, such as "no code", or they say
 * how the agent is used.
 */
async function writeExclusions(index: TokenReader, text: string): Promise<string> {
  const all = text.split(' ');
  if (all.length > ranking.maxSentenceWords) return text;
  const isForeign = chooseLanguage(all.map((word) => word.toLowerCase())).nouns.size > 0;
  let written = text;
  for (const match of [...text.matchAll(NEGATION)].slice(0, ranking.maxNegations)) {
    const { not = '', quoted, what = quoted ?? '', others = '' } = match.groups ?? {};
    // In Spanish and Portuguese, it is another word.
    if (isForeign && not.toLowerCase() === 'no') continue;
    const words = what.split(' ');
    const { stopWords } = chooseLanguage(words.map((word) => word.toLowerCase()));
    const telling = words.filter((word) => !stopWords.has(word.toLowerCase()));
    if (telling.length === 0 || (await isTerm(index, `${not} ${words[0]}`))) continue;
    if (telling.some((word) => PAYING.test(word))) {
      written = written.replace(match[0], () => 'pricing:free');
      continue;
    }
    if (not === 'without' && MANNER.test(telling[0] ?? '')) continue;
    const excluded = [telling.join(' '), ...others.split(/,? n?or /iu).filter((word) => word !== '')];
    written = written.replace(match[0], () => excluded.map(writeExclusion).join(' '));
  }
  return written.replaceAll(/(?<= )-paid(?= |$)/giu, 'pricing:free');
}

const writeExclusion = (words: string) => (words.includes(' ') ? `-"${words}"` : `-${words}`);

/** Whether an agent has two words as one, such as `no-code`, or a name that begins with them. */
async function isTerm(index: TokenReader, words: string): Promise<boolean> {
  const chunks = analyze(words);
  const joined = chunks.flatMap(({ terms }) => terms.map(({ text }) => text)).join('');
  const ways = [
    { token: joined, isPrefix: false },
    { token: `${toNameBeginning(chunks)}_`, isPrefix: true },
  ];
  return (await index.match({ any: ways }, { limit: 1 })).length > 0;
}

/**
 * Finds the agents that a text names, the latest first: those with the text as their name, else the only one whose name
 * begins with it, else the only one with the text as a word of its name.
 */
export async function findNamed(index: TokenReader, text: string): Promise<number[]> {
  const name = analyze(text);
  if (name.length === 0) return [];
  const exact = await findByName(index, name, ranking.maxNamesakes);
  if (exact.length > 0) return exact;
  const [term, ...others] = name.flatMap(({ terms }) => terms);
  const isWord = term !== undefined && others.length === 0 && !term.isRun;
  const ways = [
    { token: `${toNameBeginning(name)}_`, isPrefix: true },
    ...(isWord ? [{ token: levels.name + term.text, isPrefix: false }] : []),
  ];
  for (const way of ways) {
    const found = await index.match(way, { limit: 2 });
    if (found.length === 1) return found;
  }
  return [];
}

function findByName(index: TokenReader, name: readonly Chunk[], limit: number): Promise<number[]> {
  return index.match({ any: toNameTokens(name).map((token) => ({ token, isPrefix: false })) }, { limit });
}
