import type { Kysely, RawBuilder } from 'kysely';
import type { AgentRow, Tables } from './tables.ts';

/** All in which one database engine may differ from another. */
export type Engine = {
  db: Kysely<Tables>;
  /** The types of columns that the engines spell in different ways. */
  columnTypes: {
    /** Numbers rows by itself, upwards, and is the primary key. */
    rowNumber: RawBuilder<unknown>;
    /** Text that is ordered by code point. */
    text: RawBuilder<unknown>;
  };
  /** Creates what full-text search needs, as part of the first migration. */
  createSearchIndex(db: Kysely<Tables>): Promise<void>;
  /** Creates the triggers that keep `agent_counts` in step with `agents`, as part of a migration. */
  createCountTriggers(db: Kysely<Tables>): Promise<void>;
  /** Makes a stored agent findable, in the transaction that stores it. */
  indexAgent(db: Kysely<Tables>, row: AgentRow): Promise<void>;
  /**
   * The agents in which every word of the text occurs, best match first.
   * A word occurs as the beginning of a word, or, from three letters on, anywhere inside one.
   */
  search(text: string): Promise<AgentRow[]>;
  /** Closes the database. */
  close(): Promise<void>;
};

/** A database that cannot be used; the message says what cannot be done, and why. */
export class DatabaseError extends Error {
  constructor(failure: string, cause: unknown) {
    super(`${failure}: ${cause instanceof Error ? cause.message : 'the reason is unknown'}.`, { cause });
  }
}

/** A database that does not answer for now. */
export class DatabaseUnavailableError extends Error {}
