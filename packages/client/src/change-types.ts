import type { Agent } from './agent-types.ts';

/** A page of the change log. */
export type ChangesRequest = {
  /** The cursor of an earlier answer, from `next`. Without it, from the first change. */
  after?: string | undefined;
  /** How many changes a page has at most: 1 to 1,000, the default; with agents at most 200. */
  limit?: number | undefined;
  /** `agents`: with the agents that are still listed, without their contact addresses. */
  include?: 'agents' | undefined;
};

/** What became of an agent. */
export type ChangeKind = 'listed' | 'updated' | 'removed';

/** The latest change of an agent. */
export type Change = {
  /** The id of the agent: a UUID. */
  id: string;
  /** What became of the agent. */
  change: ChangeKind;
  /** The time of the change: ISO 8601 in UTC. */
  at: string;
  /** The agent as it is now, with `include`; absent once it was removed. */
  agent?: Omit<Agent, 'contactEmail'> | undefined;
};

/** What changed, each agent at most once, in the order of the changes. */
export type Changes = {
  /** The changes. */
  changes: Change[];
  /** The cursor to go on with, now or later. */
  next: string;
  /** Whether more changes follow already; a page may be short even so. */
  hasMore: boolean;
};

/** A change of an agent. */
export type HistoryEntry = {
  /** What became of the agent. */
  change: ChangeKind;
  /** The time of the change: ISO 8601 in UTC. */
  at: string;
  /** Who changed it: `website` is its owner by way of the website, `anyone` a registration without a key. */
  actor: 'owner' | 'website' | 'operator' | 'import' | 'anyone';
  /** The fields that an update changed, with their values if they are public. */
  fields: FieldChange[];
};

/** A field that an update changed. */
export type FieldChange = {
  /** The name of the field. */
  field: string;
  /** The former value, if it is public. */
  from?: string | null | undefined;
  /** The new value, if it is public. */
  to?: string | null | undefined;
};
