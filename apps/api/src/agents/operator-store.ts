import type { Agent } from '@agent-registry/contracts';
import type { AgentSelection } from './agent-selection.ts';

/** A hidden agent. */
export type HiddenAgent = {
  agent: Agent;
  /** Why it is hidden, for operators only. */
  reason: string;
  /** ISO 8601 in UTC, to the millisecond; agents that were hidden together have the same time. */
  hiddenAt: string;
};

/** An agent of a result, by its id and name. */
export type NamedAgent = Pick<Agent, 'id' | 'name'>;

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
  /**
   * Hides the selected visible agents from all lists, searches and counts, in one transaction. Other writers wait
   * meanwhile; readers do not. Returns the hidden agents and their `hiddenAt`.
   */
  hide(selection: AgentSelection, reason: string): Promise<{ agents: NamedAgent[]; hiddenAt: string }>;
  /** Restores the selected hidden agents unchanged, in one transaction like `hide`. Returns the restored agents. */
  show(selection: AgentSelection): Promise<NamedAgent[]>;
  /**
   * Removes the selected agents, visible and hidden, with their idempotency keys and search terms, in one transaction
   * like `hide`. Returns the removed agents.
   */
  erase(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Streams the selected visible agents, in the order in which they were stored. */
  streamVisible(selection?: AgentSelection): AsyncGenerator<Agent, void, undefined>;
  /** Streams the selected hidden agents, in the order in which they were stored. */
  streamHidden(selection?: AgentSelection): AsyncGenerator<HiddenAgent, void, undefined>;
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
