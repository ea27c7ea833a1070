import {
  fold,
  getCategory,
  hostOf,
  optionFilters,
  optionsOf,
  sentenceFields,
  type Agent,
  type Category,
  type OptionFilterName,
  type TextFilterName,
} from '@agent-registry/contracts';
import { analyze, analyzeSigns, cut, type Chunk } from './analyze.ts';

/**
 * The tokens and terms of an agent. A token is a text of letters, digits and the signs `+ # @ & ^ $ _`: a word, at every
 * level that includes it, or the name. A term is a word with the first level that has it: for the vocabulary, and to weigh
 * words of a search.
 */
export type AgentTokens = { tokens: readonly string[]; terms: readonly string[] };

export type IndexedAgent = Pick<AgentTokens, 'tokens'> & { seq: number };

/** The agents that a reader is limited to: those with a capability, by its key, and those first listed since a day. */
export type Scope = { [Name in TextFilterName]?: string };

/** Reads the token index. Agents are identified by their `seq`. */
export type TokenReader = {
  /** A reader of the same index that finds the agents of a scope only. */
  within(scope: Scope): TokenReader;
  /** Most agents that `find` counts. */
  maxCounted: number;
  /** The number of agents that match, or one more than are counted, and the latest `limit` of them, latest first. */
  find(query: TokenQuery, limit: number): Promise<{ total: number; seqs: number[] }>;
  /** The latest `limit` agents that match, latest first; with `before`, only agents older than it. */
  match(query: TokenQuery, page: { limit: number; before?: number | undefined }): Promise<number[]>;
  filter(query: TokenQuery, seqs: readonly number[]): Promise<number[]>;
  countAgents(): Promise<number>;
  /** The terms of agents, in any order. */
  readTermsOf(seqs: readonly number[]): Promise<{ seq: number; terms: string }[]>;
  /** The beginnings of the texts of agents, in any order. */
  readTexts(seqs: readonly number[], lengths?: TextLengths): Promise<StoredTexts[]>;
  /** The terms of agents by their latest changes after one, in the order of the changes, which is that of their commits. */
  readTerms(page: { after: number; limit: number }): Promise<StoredTerms[]>;
};

/** A token, or the tokens with this prefix; all, any, or one query without another. */
export type TokenQuery =
  | { token: string; isPrefix: boolean }
  | { all: readonly TokenQuery[] }
  | { any: readonly TokenQuery[] }
  | { find: TokenQuery; without: TokenQuery };

/** The terms of an agent (`toTokens`) with a blank between two, null once it is removed, and the number of its change. */
export type StoredTerms = { number: number; terms: string | null };

type TextLengths = { capabilities: number; tasks: number; description: number };
export const WHOLE_TEXTS: TextLengths = { capabilities: 1_000_000, tasks: 1_000_000, description: 1_000_000 };

/**
 * The texts of an agent as they are stored: `capabilities` and `tasks`, its example tasks, are JSON arrays, which may be
 * cut. `websiteCheckedAt` is when its owner was seen to control the website, or null.
 */
export type StoredTexts = {
  seq: number;
  name: string;
  capabilities: string;
  tasks: string;
  description: string;
  website: string | null;
  websiteCheckedAt: string | null;
};

/** The fields of an agent as levels of a word, by the prefix of their tokens. A level includes the words of those before it. */
export const levels = { name: '@', capabilities: '&', description: '' } as const;
/** The prefix of the tokens of words of tools, which are no text of the agent. */
export const TOOLS = '%';
export type Level = (typeof levels)[keyof typeof levels] | typeof TOOLS;

/** Most tokens of the words of one agent; those of the name come first, those of the description last. */
const MAX_TOKENS = 12_000;
/** Most terms of one agent; terms of the name and the capabilities come first. */
const MAX_TERMS = 100;
/** The length of the longest name token: folding can turn one letter into two, and words are joined by `_`. */
const MAX_NAME_TOKEN_LENGTH = 200;
/** Text without blanks is indexed as overlapping windows of this many characters. */
export const WINDOW = 3;

/**
 * Makes the tokens and terms of an agent.
 * @param toolWords words of its tools, with a blank between two
 */
export function toTokens(agent: Agent, categories: readonly Category[], toolWords = ''): AgentTokens {
  const tokens = new Set<string>();
  const terms: string[] = [];
  const words = new Set<string>();
  const name = analyze(agent.name);
  add(levels.name, name);
  for (const word of joinNeighbours(name)) addToken(levels.name, word);
  for (const capability of agent.capabilities) add(levels.capabilities, analyze(capability));
  add(levels.description, analyze(`${agent.category} ${getCategory(categories, agent.category).name}`));
  for (const text of sentenceFields.flatMap((name) => agent[name] ?? [])) add(levels.description, analyze(text));
  add(levels.description, analyze(agent.description));
  add(levels.name, analyzeSigns(agent.name));
  add(levels.description, analyzeSigns([...agent.capabilities, agent.description].join(' ')));
  for (const word of toolWords.split(' ').filter(Boolean)) tokens.add(TOOLS + word);
  if (name.length > 0) for (const token of toNameTokens(name)) tokens.add(token);
  tokens.add(toFieldToken('category', agent.category));
  for (const filter of optionFilters) {
    for (const value of optionsOf(agent, filter)) tokens.add(toFieldToken(filter.name, value));
  }
  const host = agent.website === null ? undefined : hostOf(agent.website);
  if (host !== undefined) tokens.add(toHostToken(host));
  for (const { terms: parts } of agent.capabilities.flatMap(analyze)) {
    for (const { text, isRun } of parts) {
      for (const word of isRun ? toWindows(text) : [text]) {
        if (tokens.size < MAX_TOKENS) tokens.add(toFieldToken('capability', word));
      }
    }
  }
  return { tokens: [...tokens], terms };

  function add(level: Level, chunks: readonly Chunk[]): void {
    for (const chunk of chunks) {
      for (const { text, isRun, subwords } of chunk.terms) {
        if (isRun) {
          for (const window of toWindows(text)) addToken(level, window);
          continue;
        }
        addWord(level, text);
        for (const subword of subwords) if (isSubwordToken(subword)) addWord(level, subword);
      }
      if (chunk.joined !== undefined) addWord(level, chunk.joined);
    }
  }

  function addWord(level: Level, word: string): void {
    if (!addToken(level, word) || terms.length === MAX_TERMS || words.has(word)) return;
    words.add(word);
    terms.push(level + word);
  }

  /** Adds a token to its level and the levels that include it; false if the level had it already. */
  function addToken(level: Level, token: string): boolean {
    if (tokens.size >= MAX_TOKENS || tokens.has(level + token)) return false;
    const marks: Level[] = Object.values(levels);
    for (const mark of marks.slice(marks.indexOf(level))) tokens.add(mark + token);
    return true;
  }
}

/** Two and three neighbouring words of a name as one word. */
function joinNeighbours(name: readonly Chunk[]): string[] {
  const words = name.flatMap(({ terms }) => terms);
  return words
    .flatMap((_, first) =>
      [2, 3].map((count) => (first + count > words.length ? [] : words.slice(first, first + count))),
    )
    .filter((neighbours) => neighbours.length > 0 && neighbours.every(({ isRun }) => !isRun))
    .map((neighbours) => cut(neighbours.map(({ text }) => text).join('')));
}

/** The word of a term, without its level. */
export const toWord = (term: string) => (/^[@&]/.test(term) ? term.slice(1) : term);

/** A whole name as one token, and without its blanks as another. */
export function toNameTokens(name: readonly Chunk[]): string[] {
  return [...new Set([`${toNameBeginning(name)}$`, `${toNameBeginning(name, '')}$`])];
}

/** The prefix of the name tokens of all names that begin with this text. */
export function toNameBeginning(name: readonly Chunk[], blank = '_'): string {
  const text = name.flatMap(({ terms }) => terms.map((term) => term.text)).join(blank);
  return `^${cut(text, MAX_NAME_TOKEN_LENGTH)}`;
}

/** The characters that separate tokens in FTS5: a token that had one would be two there, which it cannot search. */
const SEPARATORS = /[^\w+#@&%^$\u0080-\u{10FFFF}]/gu;

/** The token of all agents with a value of a field. No word begins with `$`. */
export function toFieldToken(field: OptionFilterName | 'category' | 'capability', value: string): string {
  return `$${field}_${value}`.toLowerCase().replaceAll(SEPARATORS, '_');
}

/**
 * The token of all agents with a website at a host.
 * @example toHostToken('www.example.com') // '$by_example_com'
 */
export function toHostToken(host: string): string {
  return `$by_${fold(host)
    .replace(/^www\./, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '_')}`;
}

/** The windows of a text without blanks: one per character, shorter at the end. */
export function toWindows(run: string): string[] {
  const characters = Array.from(run);
  return characters.map((_, index) => characters.slice(index, index + WINDOW).join(''));
}

/** Whether a word within a word is a token: nobody searches for a single letter, such as the e of eBay. */
const isSubwordToken = (subword: string) => subword.length > 1 || /\p{N}/u.test(subword);

/** The query for the agents that all of these find. */
export const all = (queries: readonly TokenQuery[]): TokenQuery =>
  queries.length === 1 ? (queries[0] as TokenQuery) : { all: queries };

/** The query for the agents that any of these finds. */
export const any = (queries: readonly TokenQuery[]): TokenQuery =>
  queries.length === 1 ? (queries[0] as TokenQuery) : { any: queries };

/**
 * The query for the agents that all of these find, or all but one; there are at least two. It is made of halves, since an
 * engine reads the matches of a token each time that a query names it.
 */
export function allButOne(queries: readonly TokenQuery[]): TokenQuery {
  if (queries.length === 2) return any(queries);
  const middle = Math.floor(queries.length / 2);
  const [first, second] = [queries.slice(0, middle), queries.slice(middle)];
  const lack = (half: readonly TokenQuery[]) => (half.length === 1 ? [] : [allButOne(half)]);
  return any([all([...first, ...lack(second)]), all([...second, ...lack(first)])]);
}
