import type { Category } from '@agent-registry/contracts';
import {
  HandleEmptyInListsPlugin,
  replaceWithNoncontingentExpression,
  type Compilable,
  type Kysely,
  type KyselyConfig,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import type { AgentSearch } from '../search/search.ts';
import type { IndexedAgent, TokenQuery } from '../search/agent-tokens.ts';
import type { Tables } from './tables.ts';

/** Reads the version of the registry: the number of changes and the time of the last one, as one text. */
export const READ_VERSION = `SELECT sum(changes) || ' ' || max(changed_at) AS version FROM agent_counts`;

/** Reads the version of a category in the same way; the row without one has the times at which versions began. */
export const READ_CATEGORY_VERSION = `${READ_VERSION} WHERE category IN ('', $1)`;

/** How the agents that match a query are selected. */
export type MatchOptions = {
  /** Only so many of the latest. */
  latest?: number | undefined;
  /** Whether so many match that agents are read in the order of a list, and each is checked. */
  areMany?: boolean | undefined;
};

/** An open database: Kysely and the operations that each engine implements in its own way. */
export type Engine = {
  name: 'sqlite' | 'postgres';
  db: Kysely<Tables>;
  /** The categories of the registry, whose names are searched. */
  categories: readonly Category[];
  /** The namespace of the names of MCP servers; undefined without an https address, when none is formed. */
  serverNamespace: string | undefined;
  tokens: TokenWriter;
  search: AgentSearch;
  /** The condition of rows of `agents` that match, or are among the latest that do. */
  isMatch(query: TokenQuery, options: MatchOptions): RawBuilder<SqlBool>;
  /** Runs a query that may read much, without blocking the event loop. */
  readMuch<Row>(query: Compilable<Row>): Promise<Row[]>;
  /**
   * The version of the registry: differs after every change of agents that was committed before the call, by any process.
   * It holds the time of the last change, so that a copy of the database that is put back does not repeat versions.
   * Synchronous where the database is in the same process.
   * @param category of its agents only
   */
  version(category?: string): string | Promise<string>;
  /** Whether the database is a standby, which only its primary can write, until its promotion. */
  isStandby(): Promise<boolean>;
  /** Takes row numbers of `agents`, ascending and for no other row, as part of a transaction. */
  takeSeqs(transaction: Kysely<Tables>, count: number): Promise<number[]>;
  /** Makes all other writers wait until a transaction ends; they can go on reading. */
  lockWrites(transaction: Kysely<Tables>): Promise<void>;
  /** Makes other processes that create the tables wait until a transaction ends. */
  lockSchema(transaction: Kysely<Tables>): Promise<void>;
  /**
   * Removes what deleted agents have left in a SQLite file: their words in the token index, and their rows in the
   * write-ahead log. PostgreSQL does both by itself.
   * @throws {DatabaseBusyError} when somebody reads an older snapshot of the file for longer than a minute.
   */
  purge(): Promise<void>;
  close(): Promise<void>;
};

export type TokenWriter = {
  /** Adds agents, in the transaction that has stored them. */
  add(db: Kysely<Tables>, agents: readonly IndexedAgent[]): Promise<void>;
  /** Removes the tokens of agents, in the transaction that has removed their rows; their terms go with the rows. */
  remove(db: Kysely<Tables>, seqs: readonly number[]): Promise<void>;
  clear(db: Kysely<Tables>): Promise<void>;
};

export type EngineOptions = {
  /** The categories of the registry; those of the product by default. */
  categories?: readonly Category[] | undefined;
  serverNamespace?: string | undefined;
  onQuery?: QueryListener | undefined;
  /** Called with an error of work in the background, which is tried again later. */
  onError?: ((error: unknown) => void) | undefined;
};

/** Called with the duration of each statement, in milliseconds. */
type QueryListener = (duration: number) => void;

/** The Kysely options of every engine. A condition on an empty list is false, which PostgreSQL cannot parse as `in ()`. */
export function kyselyOptions(onQuery: QueryListener | undefined): Pick<KyselyConfig, 'log' | 'plugins'> {
  return {
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
    ...(onQuery && { log: ({ queryDurationMillis }) => onQuery(queryDurationMillis) }),
  };
}

/**
 * Raises the version of the registry above every earlier one, after the agents were replaced. The new version is the
 * time in microseconds, which no registry reaches by counting changes, so versions of two databases differ too.
 */
export async function beginVersions(db: Kysely<Tables>): Promise<void> {
  const begin = { changes: Date.now() * 1_000, changed_at: new Date().toISOString() };
  const key = { category: '', pricing_model: '', api_access: '', connects: 0, is_proved: 0 } as const;
  await db
    .insertInto('agent_counts')
    .values({ ...key, agents: 0, ...begin })
    .onConflict((conflict) => conflict.columns(Object.keys(key) as (keyof typeof key)[]).doUpdateSet(begin))
    .execute();
}
