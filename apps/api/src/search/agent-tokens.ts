import { getCategory, type Agent } from '@agent-registry/contracts';
import { analyze, cut, type Chunk } from './analyze.ts';

/**
 * The fields of an agent as levels of a word, closest to the name first. A level includes the words of the levels
 * before it.
 */
export const levels = { name: '@', capabilities: '&', category: '%', description: '' } as const;

/** The prefix of the tokens of a level. */
export type Level = (typeof levels)[keyof typeof levels];

/** For each level, the levels that include its words: itself and the levels after it. */
const levelsFrom = Object.fromEntries(
  Object.values(levels).map((level, index, all) => [level, all.slice(index)]),
) as Record<Level, Level[]>;

/** The tokens and terms of an agent. */
export type AgentTokens = {
  /** Its words, at every level that includes them, and its name as one token. */
  tokens: string[];
  /** Its words for the vocabulary, which parts of words and misspellings are looked up in. */
  terms: string[];
};

/** Most terms of one agent; terms of the name and the capabilities come first. */
const MAX_TERMS = 100;
/** The length of terms, in UTF-16 units. */
const TERM_LENGTH = { min: 3, max: 40 };
/** The length of the longest name token: folding can turn one letter into two, and words are joined by `_`. */
const MAX_NAME_TOKEN_LENGTH = 200;
/** Text without blanks is indexed as overlapping windows of this many characters. */
export const WINDOW = 3;

/** The fields of an agent that are searched. */
export type SearchedText = Pick<Agent, 'name' | 'capabilities' | 'category' | 'description'>;

/** Makes the tokens and terms of an agent. */
export function toTokens(agent: SearchedText): AgentTokens {
  const tokens = new Set<string>();
  const terms = new Set<string>();
  const name = analyze(agent.name);
  add(levels.name, name);
  for (const capability of agent.capabilities) add(levels.capabilities, analyze(capability));
  add(levels.category, analyze(`${agent.category} ${getCategory(agent.category).name}`));
  add(levels.description, analyze(agent.description));
  if (name.length > 0) tokens.add(toNameToken(name));
  return { tokens: [...tokens], terms: [...terms] };

  function add(level: Level, chunks: readonly Chunk[]): void {
    for (const { parts, joined } of chunks) {
      for (const { text, isRun, subwords } of parts) {
        if (isRun) {
          for (const window of toWindows(text)) addToken(level, window);
          continue;
        }
        addWord(level, text);
        for (const subword of subwords) if (isSubwordToken(subword)) addWord(level, subword);
      }
      if (joined !== undefined) addWord(level, joined);
    }
  }

  function addWord(level: Level, word: string): void {
    if (addToken(level, word) && terms.size < MAX_TERMS && isTerm(word)) terms.add(word);
  }

  /** Adds a token to its level and the levels that include it; false if the level had it already. */
  function addToken(level: Level, token: string): boolean {
    if (tokens.has(level + token)) return false;
    for (const mark of levelsFrom[level]) tokens.add(mark + token);
    return true;
  }
}

/** The terms of agents in order of appearance, each with whether several of these agents use it. */
export function findSharedTerms(agents: readonly { terms: readonly string[] }[]): [term: string, isShared: boolean][] {
  const terms = new Map<string, boolean>();
  for (const agent of agents) for (const term of agent.terms) terms.set(term, terms.has(term));
  return [...terms];
}

/** A whole name as one token. */
export function toNameToken(name: readonly Chunk[]): string {
  return `${toNameBeginning(name)}$`;
}

/** The prefix of the name tokens of all names that begin with this text. */
export function toNameBeginning(name: readonly Chunk[]): string {
  const text = name.flatMap(({ parts }) => parts.map((part) => part.text)).join('_');
  return `^${cut(text, MAX_NAME_TOKEN_LENGTH)}`;
}

/** The windows of a text without blanks: one per character, shorter at the end. */
export function toWindows(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((_, index) => characters.slice(index, index + WINDOW).join(''));
}

/** Whether a word within a word is a token: nobody searches for a single letter, such as the e of eBay. */
export function isSubwordToken(subword: string): boolean {
  return subword.length > 1 || /\p{N}/u.test(subword);
}

function isTerm(word: string): boolean {
  return word.length >= TERM_LENGTH.min && word.length <= TERM_LENGTH.max && /\p{L}/u.test(word);
}
