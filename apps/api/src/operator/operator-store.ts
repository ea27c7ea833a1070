import type { Agent, AgentPatch, ChangeActor, EditableField, Report } from '@agent-registry/contracts';
import type { OperatorAction } from '../actions/operator-action.ts';
import type { ActionFilter } from '../actions/record-of-actions.ts';
import type { FieldsOf, RegistryRecord } from '../db/record-kinds.ts';
import type { UnlistedState } from '../db/tables.ts';
import type { Proposal } from '../agents/proposals.ts';
import type { ReviewStore } from './review-store.ts';
import type { AgentSource } from '../sync/agent-sources.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import type { UnlistedAgent } from '../agents/unlisted-agents.ts';

/** An agent of a result, by its id and name. */
export type NamedAgent = Pick<Agent, 'id' | 'name'>;

/** Who changes agents: an import changes only listed ones that nobody has claimed. */
export type BulkActor = Extract<ChangeActor, 'operator' | 'import'>;

/** An agent and its reports, oldest first. */
export type ReportedAgent = { agent: Agent; reports: Report[] };

/** The result of adding an agent: stored, or skipped because a visible agent or one in that state has its id. */
export type Addition = 'added' | 'taken' | UnlistedState;

/** An agent in any state, with all that the registry knows of it. */
export type InspectedAgent = {
  agent: Agent;
  state: 'listed' | UnlistedState;
  /** The time of being hidden, held, refused or withdrawn: ISO 8601 in UTC; undefined if it is listed. */
  since?: string | undefined;
  /** Why it is hidden or was refused; undefined or empty in other states. */
  reason?: string | undefined;
  /** Whether it has a management key. */
  hasKey: boolean;
  /** Changes by its owner that wait for review, or were reviewed in the last 90 days. */
  proposal?: Proposal | undefined;
  /** The fingerprint of what waits for review; undefined if nothing does. */
  seen?: string | undefined;
  reports: Report[];
  /** The entries of sources that it came from, the origin of its texts first. */
  sources: AgentSource[];
  /** The fields that no synchronisation changes. */
  pinned: EditableField[];
  /** Its changes with all values, oldest first. */
  history: FieldsOf<'change'>[];
};

/** The operations of the command line; they run while processes serve the registry. */
export type OperatorStore = ReviewStore & {
  /**
   * Hides the selected agents from all lists, searches and counts, and from their owners, in one transaction. Other writers
   * wait meanwhile; readers do not. Returns the hidden agents and their `hiddenAt`.
   */
  hide(selection: AgentSelection, reason: string): Promise<{ agents: NamedAgent[]; hiddenAt: string }>;
  /**
   * Returns the selected hidden agents to the state in which they were, in one transaction like `hide`. Returns these agents.
   */
  unhide(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Withdraws the selected agents as their owners can, in one transaction like `hide`. */
  withdraw(selection: AgentSelection, by?: BulkActor): Promise<NamedAgent[]>;
  /** Returns the selected withdrawn agents to the state in which they were, within 30 days, in one transaction like `hide`. */
  restore(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Changes fields of the selected agents, of any state, in one transaction like `hide`. Returns the changed agents. */
  edit(selection: AgentSelection, patch: AgentPatch, by?: BulkActor): Promise<NamedAgent[]>;
  /** Reads all that is known of an agent. */
  inspect(id: string): Promise<InspectedAgent | undefined>;
  /** Gives a visible agent another management key, by its hash; false if there is no such agent. */
  setKeyHash(id: string, keyHash: string): Promise<boolean>;
  /**
   * Removes the selected agents, visible or not, with their idempotency keys, reports, proposals, views, sources, events, the
   * hosts of their websites, search terms, and their names and reasons in the record of actions, in one transaction like
   * `hide`. Returns the removed agents.
   */
  erase(selection: AgentSelection): Promise<NamedAgent[]>;
  /** Streams the record of actions, oldest first. */
  streamActions(filter?: ActionFilter): AsyncGenerator<OperatorAction, void, undefined>;
  /** Streams the selected visible agents, in the order in which they were stored. */
  streamVisible(selection?: AgentSelection): AsyncGenerator<Agent, void, undefined>;
  /** Streams the selected agents that are not listed, of some states or all, in the order in which they were stored. */
  streamUnlisted(
    selection?: AgentSelection,
    ...states: readonly UnlistedState[]
  ): AsyncGenerator<UnlistedAgent, void, undefined>;
  /** Streams the selected visible agents that were reported, with their reports. */
  streamReported(selection?: AgentSelection): AsyncGenerator<ReportedAgent, void, undefined>;
  /** Removes the reports of agents; returns their number. */
  dismissReports(ids: readonly string[]): Promise<number>;
  /** Counts the agents that are not listed, of one state or all. */
  countUnlisted(state?: UnlistedState): Promise<number>;
  /**
   * Streams all records from one snapshot: first the agents, visible or not, in the order in which they were
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
