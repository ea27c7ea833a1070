import type { Agent } from '@agent-registry/contracts';

/** A hidden agent. */
export type HiddenAgent = {
  agent: Agent;
  /** Why it is hidden, for operators only. */
  reason: string;
  /** ISO 8601 in UTC, to the millisecond. */
  hiddenAt: string;
};

/** A part of what a registry holds that cannot be made from the rest. */
export type RegistryRecord =
  | { kind: 'agent'; agent: Agent }
  | ({ kind: 'hidden' } & HiddenAgent)
  | { kind: 'views'; day: string; views: number }
  /** A registration that is known by its key when it is sent again. */
  | { kind: 'registration'; key: string; agent: Agent; createdAt: string };

/** What became of an agent that was to be added: stored, or not because another, visible or hidden, has its id. */
export type Addition = 'added' | 'taken' | 'hidden';

/** What an operator does with a registry, while processes serve it. */
export type OperatorStore = {
  /** Takes an agent out of everything that can be read; undefined when there is no such agent to be seen. */
  hide(id: string, reason: string): Promise<HiddenAgent | undefined>;
  /** Puts a hidden agent back as it was; undefined when no hidden agent has this id. */
  show(id: string): Promise<Agent | undefined>;
  /** The hidden agents, in the order in which they were stored. */
  streamHidden(): AsyncGenerator<HiddenAgent, void, undefined>;
  /** The hidden agent with this id, if there is one. */
  findHidden(id: string): Promise<HiddenAgent | undefined>;
  /** How many agents are hidden. */
  countHidden(): Promise<number>;
  /**
   * All that is in the registry, as it is at one moment: first its agents, visible and hidden, in the order in which they
   * were stored. Nobody is held up while it is read.
   */
  read(): AsyncGenerator<RegistryRecord, void, undefined>;
  /** Adds whole agents in one transaction, in their order, and says of each what became of it. */
  add(agents: readonly Agent[]): Promise<Addition[]>;
  /**
   * Gives a way to add agents, and keeps them all together once `use` resolves to true; none otherwise. Others wait with
   * their writes, and go on reading, until then.
   */
  addTogether(use: (add: OperatorStore['add']) => Promise<boolean>): Promise<void>;
  /** Puts records, in the order of `read`, in place of all that is in the registry, at once; others wait as with `addTogether`. */
  replace(records: AsyncIterable<RegistryRecord>): Promise<void>;
};
