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
  /** The number of all agents. */
  countAgents(): Promise<number>;
  /** The terms of agents, in any order. */
  readTermsOf(seqs: readonly number[]): Promise<{ seq: number; terms: string }[]>;
  /** The texts of agents, in any order. */
  readTexts(seqs: readonly number[]): Promise<StoredTexts[]>;
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

/**
 * The texts of an agent as they are stored: `capabilities` is a JSON array. `websiteCheckedAt` is when its owner was seen
 * to control the website, or null.
 */
export type StoredTexts = {
  seq: number;
  name: string;
  capabilities: string;
  description: string;
  websiteCheckedAt: string | null;
};
