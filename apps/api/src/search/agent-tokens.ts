import { getCategory, type Agent } from '@agent-registry/contracts';
import { analyze, cut, type Chunk } from './analyze.ts';

/** How far from the name a word may stand: each level holds the words of those before it. */
export const levels = { name: '@', capabilities: '&', category: '%', description: '' } as const;

/** The mark that a level's tokens begin with. */
export type Level = (typeof levels)[keyof typeof levels];

/** The levels that hold the words of each: itself and those after it. */
const levelsFrom = Object.fromEntries(
  Object.values(levels).map((level, index, all) => [level, all.slice(index)]),
) as Record<Level, Level[]>;

/** The tokens by which an agent is found. */
export type AgentTokens = {
  /** Its words, each at every level that holds it, and its name as one token. */
  tokens: string[];
  /** Those of its words among which corrections and parts of words are looked for. */
  terms: string[];
};

/** Most terms of one agent; those of the name and the capabilities come first. */
const MAX_TERMS = 100;
/** The length of terms, in UTF-16 units. */
const TERM_LENGTH = { min: 3, max: 40 };
/** The longest token of a whole name: with what stands between its words, and letters that folding takes apart. */
const MAX_NAME_TOKEN_LENGTH = 200;
/** Pieces of text without blanks are found by their first one, two or three characters. */
export const WINDOW = 3;

/** What of an agent is searched. */
export type SearchedText = Pick<Agent, 'name' | 'capabilities' | 'category' | 'description'>;

/** Makes the tokens of an agent, in loops alone: lists in between took more of the memory than all else of a registration. */
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

  /** Says whether the token is new at its level; it then is or becomes one of the levels below. */
  function addToken(level: Level, token: string): boolean {
    if (tokens.has(level + token)) return false;
    for (const mark of levelsFrom[level]) tokens.add(mark + token);
    return true;
  }
}

/** The terms of agents in the order in which they come, each with the number of these agents that have it. */
export function countTerms(agents: readonly { terms: readonly string[] }[]): [term: string, agents: number][] {
  const counts = new Map<string, number>();
  for (const { terms } of agents) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return [...counts];
}

/** A whole name as one token; the token of each beginning of the name begins it, but for its last sign. */
export function toNameToken(name: readonly Chunk[]): string {
  return `${toNameBeginning(name)}$`;
}

/** The beginning of a name as the beginning of its token. */
export function toNameBeginning(name: readonly Chunk[]): string {
  const text = name.flatMap(({ parts }) => parts.map((part) => part.text)).join('_');
  return `^${cut(text, MAX_NAME_TOKEN_LENGTH)}`;
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
