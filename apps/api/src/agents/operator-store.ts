import type { Agent } from '@agent-registry/contracts';

/** A hidden agent. */
export type HiddenAgent = {
  agent: Agent;
  /** Why it is hidden, for operators only. */
  reason: string;
  /** ISO 8601 in UTC, to the millisecond. */
  hiddenAt: string;
};

/** A record of a registry's data, without anything that can be derived from other records. */
export type RegistryRecord =
  | { kind: 'agent'; agent: Agent }
  | ({ kind: 'hidden' } & HiddenAgent)
  | { kind: 'views'; day: string; views: number }
  /** An idempotency key and the agent that was registered with it. */
  | { kind: 'registration'; key: string; agent: Agent; createdAt: string };

/** The result of adding an agent: stored, or skipped because a visible or hidden agent has its id. */
export type Addition = 'added' | 'taken' | 'hidden';

/** The operations of the command line; they run while processes serve the registry. */
export type OperatorStore = {
  /** Hides an agent from all lists, searches and counts; undefined when no visible agent has this id. */
  hide(id: string, reason: string): Promise<HiddenAgent | undefined>;
  /** Restores a hidden agent unchanged; undefined when no hidden agent has this id. */
  show(id: string): Promise<Agent | undefined>;
  /** Streams the hidden agents, in the order in which they were stored. */
  streamHidden(): AsyncGenerator<HiddenAgent, void, undefined>;
  /** Finds a hidden agent by id. */
  findHidden(id: string): Promise<HiddenAgent | undefined>;
  /** Counts the hidden agents. */
  countHidden(): Promise<number>;
  /**
   * Streams all records from one snapshot: first the agents, visible and hidden, in the order in which they were
   * stored. Does not block other readers or writers.
   */
  read(): AsyncGenerator<RegistryRecord, void, undefined>;
  /** Adds complete agents in one transaction, in their order; returns the result for each. */
  add(agents: readonly Agent[]): Promise<Addition[]>;
  /**
   * Runs `use` in one transaction, which is committed if it resolves to true and rolled back otherwise. Other writers
   * wait meanwhile; readers do not.
   */
  addTogether(use: (add: OperatorStore['add']) => Promise<boolean>): Promise<void>;
  /** Replaces all records, given in the order of `read`, in one transaction; other writers wait meanwhile. */
  replace(records: AsyncIterable<RegistryRecord>): Promise<void>;
};
