import type { CompiledQuery, Kysely, KyselyConfig, RawBuilder } from 'kysely';
import type { Tables } from './tables.ts';

/** All in which one database engine may differ from another. */
export type Engine = {
  db: Kysely<Tables>;
  /** The rows of a query that was compiled before, which Kysely itself takes as long to hand on as SQLite to find them. */
  select<Row>(query: CompiledQuery): Row[] | Promise<Row[]>;
  /** The types of columns that the engines spell in different ways. */
  columnTypes: {
    /** Numbers rows by itself, upwards, and is the primary key. */
    rowNumber: RawBuilder<unknown>;
    /** Text that is ordered by code point. */
    text: RawBuilder<unknown>;
  };
  /** What an INSERT says before VALUES to give a row the number that it is to have. */
  withGivenRowNumber: RawBuilder<unknown>;
  tokens: TokenWriter;
  /** The results of a search; undefined when `after` is none of them. */
  search(request: SearchRequest): Promise<SearchHits | undefined>;
  /** Creates anew the triggers that keep `agent_counts` in step with `agents`, as part of a migration. */
  createAgentTriggers(db: Kysely<Tables>): Promise<void>;
  /**
   * Has these triggers never make two transactions wait for each other, as part of a migration; missing where only one
   * transaction writes at a time.
   */
  orderCounts?(db: Kysely<Tables>): Promise<void>;
  /**
   * The version of what `agents` holds: another, greater number after every change that was committed before the call,
   * whoever made it. ResponseReport at once where the database is in the same process.
   */
  version(): number | Promise<number>;
  /**
   * Lets a transaction write very many agents at once: others wait with their writes, and go on reading, until it ends.
   * @param write writes them; `agent_counts` and the version are right again after it
   */
  writeInBulk(transaction: Kysely<Tables>, write: () => Promise<void>): Promise<void>;
  /** How large the database is, in bytes. */
  measure(): Promise<number>;
  /** Closes the database. */
  close(): Promise<void>;
};

/** Which results of a search: at most `limit`, from the best on or from the one after the agent with the seq `after`. */
export type SearchRequest = { text: string; limit: number; after?: number | undefined };

/** A part of the results of a search. */
export type SearchHits = {
  /** The seq of each agent, best first. */
  seqs: number[];
  /** How many results there are in all. */
  total: number;
  /** Whether results follow after these. */
  hasMore: boolean;
  /** How the search reads with the corrections that led to some of these results, if any did. */
  correction: string | undefined;
};

/** An agent with its tokens and terms, as `toTokens` makes them. */
export type IndexedAgent = { seq: number; tokens: readonly string[]; terms: readonly string[] };

/** Writes the index of agents by tokens: texts of letters, digits and the signs `+ # @ & % ^ $ _`. */
export type TokenWriter = {
  /** Creates its tables, as part of a migration. */
  create(db: Kysely<Tables>): Promise<void>;
  /** Sets how the tables that were created are kept, as part of a migration. */
  configure(db: Kysely<Tables>): Promise<void>;
  /** Adds agents, in the transaction that stores them. */
  add(db: Kysely<Tables>, agents: readonly IndexedAgent[]): Promise<void>;
  /** Removes an agent, in the transaction that removes its row; a term goes with the last agent that uses it. */
  remove(db: Kysely<Tables>, agent: Pick<IndexedAgent, 'seq' | 'terms'>): Promise<void>;
  /** Removes all agents and terms. */
  clear(db: Kysely<Tables>): Promise<void>;
};

/** Reads the index. Agents are known by their `seq`. */
export type TokenReader = {
  /** How many agents match, and the latest `limit` of them, latest first. */
  find(query: TokenQuery, limit: number): Promise<{ total: number; seqs: number[] }>;
  /**
   * The latest `limit` agents that match, latest first; of those from before the agent `before`, where one is given. It is
   * known that no more than `atMost` match.
   */
  match(query: TokenQuery, page: { limit: number; before?: number | undefined; atMost: number }): Promise<number[]>;
  /** Whether one agent matches. */
  includes(query: TokenQuery, seq: number): Promise<boolean>;
  /** The id of the newest term; 0 if there is none. A term that is committed later has a higher id. */
  lastTermId(): Promise<number>;
  /** The first terms after an id, in the order of their ids. */
  readTerms(request: TermRequest): Promise<StoredTerm[]>;
};

/** Which agents to find: those with a token, or with one that begins so; those that match all, any, or one and not the other. */
export type TokenQuery =
  | { token: string; isPrefix: boolean }
  | { all: readonly TokenQuery[] }
  | { any: readonly TokenQuery[] }
  | { find: TokenQuery; without: TokenQuery };

/** A part of the stored terms. */
export type TermRequest = {
  after: number;
  limit: number;
  /** Only terms that several agents use, or only terms that one agent uses; all if not given. */
  isShared?: boolean;
};

/** A term, numbered in the order in which terms were added. */
export type StoredTerm = { id: number; term: string };

/** Told how long each statement took, in milliseconds. */
export type QueryListener = (duration: number) => void;

/** What Kysely is told to do for a listener: nothing where there is none, so that it costs nothing. */
export function listenToQueries(onQuery: QueryListener | undefined): Pick<KyselyConfig, 'log'> {
  return onQuery ? { log: ({ queryDurationMillis }) => onQuery(queryDurationMillis) } : {};
}

/** A database that cannot be used; the message says what cannot be done, and why. */
export class DatabaseError extends Error {
  constructor(failure: string, cause: unknown) {
    super(`${failure}: ${cause instanceof Error ? cause.message : 'the reason is unknown'}.`, { cause });
  }
}

/** A database that does not answer for now. */
export class DatabaseUnavailableError extends Error {}

/** A database that can be read, and not be written for now. */
export class DatabaseUnwritableError extends DatabaseUnavailableError {}

/** A database that has more to search than it can for now. */
export class DatabaseBusyError extends DatabaseUnavailableError {}
