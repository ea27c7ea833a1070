import type { TextFilterName } from '@agent-registry/contracts';

/**
 * An agent with its tokens and terms, as `toTokens` makes them. A token is a text of letters, digits and the signs
 * `+ # @ & % ^ $ _`.
 */
export type IndexedAgent = { seq: number; tokens: readonly string[]; terms: readonly string[] };

/** The agents that a reader is limited to: those with a capability, by its key, and those first listed since a day. */
export type Scope = { [Name in TextFilterName]?: string };

/** Reads the token index. Agents are identified by their `seq`. */
export type TokenReader = {
  /** A reader of the same index that finds the agents of a scope only. */
  within(scope: Scope): TokenReader;
  /** The number of agents that match, and the latest `limit` of them, latest first. */
  find(query: TokenQuery, limit: number): Promise<{ total: number; seqs: number[] }>;
  /** The latest `limit` agents that match, latest first; with `before`, only agents older than it. */
  match(query: TokenQuery, page: { limit: number; before?: number | undefined }): Promise<number[]>;
  /** Whether one agent matches. */
  includes(query: TokenQuery, seq: number): Promise<boolean>;
  /** The agents among these that match. */
  filter(query: TokenQuery, seqs: readonly number[]): Promise<number[]>;
  countAgents(): Promise<number>;
  /** The terms of agents, in any order. */
  readTermsOf(seqs: readonly number[]): Promise<{ seq: number; terms: string }[]>;
  /** The beginnings of the texts of agents, in any order. */
  readTexts(seqs: readonly number[], lengths?: TextLengths): Promise<StoredTexts[]>;
  /** The terms of the first agents after an id, in the order of their ids. Terms that are committed later have higher ids. */
  readTerms(page: { after: number; limit: number }): Promise<StoredTerms[]>;
};

/** Matches agents that have a token, or a token with this prefix; all, any, or one query without another. */
export type TokenQuery =
  | { token: string; isPrefix: boolean }
  | { all: readonly TokenQuery[] }
  | { any: readonly TokenQuery[] }
  | { find: TokenQuery; without: TokenQuery };

/** The terms of an agent (`toTokens`) with a blank between two, numbered in the order in which agents were added. */
export type StoredTerms = { id: number; terms: string };

/** How many characters of a text are read. */
export type TextLengths = { capabilities: number; tasks: number; description: number };

/** As much of the texts of an agent as there is. */
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

/** The query for the agents that all of these find. */
export function all(queries: readonly TokenQuery[]): TokenQuery {
  return queries.length === 1 ? (queries[0] as TokenQuery) : { all: queries };
}

/** The query for the agents that any of these finds. */
export function any(queries: readonly TokenQuery[]): TokenQuery {
  return queries.length === 1 ? (queries[0] as TokenQuery) : { any: queries };
}
