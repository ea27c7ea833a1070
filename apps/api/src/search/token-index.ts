import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** An agent with its tokens and terms, as `toTokens` makes them. */
export type IndexedAgent = { seq: number; tokens: readonly string[]; terms: readonly string[] };

/** Writes the token index. A token is a text of letters, digits and the signs `+ # @ & % ^ $ _`. */
export type TokenWriter = {
  /** Adds agents, in the transaction that has stored them. */
  add(db: Kysely<Tables>, agents: readonly IndexedAgent[]): Promise<void>;
  /**
   * Removes agents with their tokens, in the transaction that has removed their rows; a term goes with the last agent that
   * has its token.
   */
  remove(db: Kysely<Tables>, agents: { seqs: readonly number[]; tokens: readonly string[] }): Promise<void>;
  /** Removes all agents and terms. */
  clear(db: Kysely<Tables>): Promise<void>;
};

/** Reads the token index. Agents are identified by their `seq`. */
export type TokenReader = {
  /** The number of agents that match, and the latest `limit` of them, latest first. */
  find(query: TokenQuery, limit: number): Promise<{ total: number; seqs: number[] }>;
  /**
   * The latest `limit` agents that match, latest first; with `before`, only agents older than it.
   * `atMost` is an upper bound of the number of agents that match.
   */
  match(query: TokenQuery, page: { limit: number; before?: number | undefined; atMost: number }): Promise<number[]>;
  /** Whether one agent matches. */
  includes(query: TokenQuery, seq: number): Promise<boolean>;
  /** The id of the newest term; 0 if there is none. A term that is committed later has a higher id. */
  lastTermId(): Promise<number>;
  /** The first terms after an id, in the order of their ids. */
  readTerms(request: TermRequest): Promise<StoredTerm[]>;
};

/** Matches agents that have a token, or a token with this prefix; all, any, or one query without another. */
export type TokenQuery =
  | { token: string; isPrefix: boolean }
  | { all: readonly TokenQuery[] }
  | { any: readonly TokenQuery[] }
  | { find: TokenQuery; without: TokenQuery };

/** A part of the stored terms. */
export type TermRequest = {
  after: number;
  limit: number;
  /** Only terms that several agents have used, or only the others; all if not given. */
  isShared?: boolean;
};

/** A term, numbered in the order in which terms were added. */
export type StoredTerm = { id: number; term: string };
