import { getCategory, type Agent } from '@agent-registry/contracts';
import { analyze, cut, type Chunk } from './analyze.ts';

/** How far from the name a word may stand: each level holds the words of those before it. */
export const levels = { name: '@', capabilities: '&', category: '%', description: '' } as const;

/** The mark that a level's tokens begin with. */
export type Level = (typeof levels)[keyof typeof levels];

/** The tokens by which an agent is found. */
export type AgentTokens = {
  /** Its words, each at every level that holds it, and its name as one token. */
  tokens: string[];
  /** Those of its words among which corrections and parts of words are looked for. */
  terms: string[];
};

/** The length of terms, in UTF-16 units. */
const TERM_LENGTH = { min: 3, max: 40 };
/** The most characters of a name that are compared as a whole. */
const MAX_NAME_LENGTH = 200;
/** Pieces of text without blanks are found by their first one, two or three characters. */
export const WINDOW = 3;

/** What of an agent is searched. */
export type SearchedText = Pick<Agent, 'name' | 'capabilities' | 'category' | 'description'>;

/** Makes the tokens of an agent. */
export function toTokens(agent: SearchedText): AgentTokens {
  const name = analyze(agent.name);
  const texts: [Level, Chunk[]][] = [
    ['@', name],
    ['&', agent.capabilities.flatMap(analyze)],
    ['%', analyze(`${agent.category} ${getCategory(agent.category).name}`)],
    ['', analyze(agent.description)],
  ];
  const tokens = new Set<string>();
  const terms = new Set<string>();
  const order = Object.values(levels);
  for (const [level, chunks] of texts) {
    const words = new Set(chunks.flatMap(toWholeWords));
    for (const word of words) if (isTerm(word)) terms.add(word);
    for (const window of chunks.flatMap(toRunWindows)) words.add(window);
    for (const mark of order.slice(order.indexOf(level))) for (const word of words) tokens.add(mark + word);
  }
  if (name.length > 0) tokens.add(toNameToken(name));
  return { tokens: [...tokens], terms: [...terms] };
}

/** A whole name as one token; the token of each beginning of the name begins it, but for its last sign. */
export function toNameToken(name: readonly Chunk[]): string {
  return `${toNameBeginning(name)}$`;
}

/** The beginning of a name as the beginning of its token. */
export function toNameBeginning(name: readonly Chunk[]): string {
  const text = name.flatMap(({ parts }) => parts.map((part) => part.text)).join('_');
  return `^${cut(text, MAX_NAME_LENGTH)}`;
}

/** The tokens of a text without blanks: as many as it has characters, each of three characters or what is left. */
export function toWindows(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((_, index) => characters.slice(index, index + WINDOW).join(''));
}

/** Whether a word within a word is a token: a single letter (the e of eBay) is nothing that anybody looks for. */
export function isSubwordToken(subword: string): boolean {
  return subword.length > 1 || /\p{N}/u.test(subword);
}

function isTerm(word: string): boolean {
  return word.length >= TERM_LENGTH.min && word.length <= TERM_LENGTH.max && /\p{L}/u.test(word);
}

function toRunWindows({ parts }: Chunk): string[] {
  return parts.flatMap(({ isRun, text }) => (isRun ? toWindows(text) : []));
}

function toWholeWords({ parts, joined }: Chunk): string[] {
  const words = parts.flatMap(({ isRun, text, subwords }) => (isRun ? [] : [text, ...subwords.filter(isSubwordToken)]));
  return joined === undefined ? words : [...words, joined];
}
