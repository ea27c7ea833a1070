import type { CheckResult } from '@agent-registry/contracts';
import type { Generated, Selectable } from 'kysely';

/** The events of which a webhook tells the operator. */
export const eventTypes = ['agent.held', 'agent.listed', 'agent.updated', 'agent.reported', 'agent.removed'] as const;

/** What happened to an agent. */
export type EventType = (typeof eventTypes)[number];

/** The record of actions of the operator: kept 400 days. An action on several agents has a row for each. */
export type OperatorActionsTable = {
  /** Upwards in the order of the actions. */
  number: Generated<number>;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  /** The system user, or the name that the operator gave. */
  actor: string;
  /** The command, such as `hide`. */
  command: string;
  /** Null for an action on the registry as a whole. */
  agent_id: string | null;
  /** The name of the agent at the time; null after it was erased. */
  name: string | null;
  /** Why; empty without a reason, and after the agent was erased. */
  reason: string;
};

/** The events of which a webhook tells the operator, without a webhook none: kept until the delivery, for 30 days at most. */
export type OperatorEventsTable = {
  /** Upwards in the order of commits. */
  number: Generated<number>;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  type: EventType;
  agent_id: string;
};

/** The events that the webhook refused: kept for 30 days. */
export type RefusedEventsTable = Omit<OperatorEventsTable, 'number'> & {
  /** The id of its message. */
  id: string;
  /** When it was set aside: ISO 8601 in UTC with milliseconds. */
  refused_at: string;
  /** The status with which it was refused last. */
  status: number;
};

/** The delivery of the events: one row, while a webhook is configured. */
export type WebhookTable = {
  /** The receiver: the operator, or a cache in front. */
  name: 'operator' | 'purge';
  /** The number of the last event that was delivered or set aside. */
  cursor: number;
  /** Until when a process delivers: ISO 8601 in UTC with milliseconds; empty while none does. */
  leased_until: string;
  /** When delivery goes on after a failure: ISO 8601 in UTC with milliseconds; empty before the first one. */
  due_at: string;
  /** The failures since the last delivery. */
  failures: number;
  /** How often the next event was refused. */
  refusals: Generated<number>;
};

/** The last hourly time of the job that deletes what has expired: one row. It tells of the machine, and is in no backup. */
export type ExpiryClockTable = {
  name: 'expiry';
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  /** The hourly times in a row until then, at most 24. */
  hours: number;
};

/**
 * What happened on a day: kept 400 days. Numbers only, nothing of an agent or a person, so that an erasure leaves them.
 * The views of the day are in `daily_views`.
 */
export type DailyFiguresTable = {
  /** The UTC day, such as 2026-11-21. */
  day: string;
  /** Agents registered by visitors, those that were held included. */
  registrations: Generated<number>;
  /** Edits by owners, those that wait for review included. */
  edits: Generated<number>;
  reports: Generated<number>;
  searches_without_result: Generated<number>;
  rate_limited_calls: Generated<number>;
};

/** The hosts of the websites of listed agents, and whether they answer. A host goes with the last agent that has it. */
export type WebsiteHostsTable = {
  host: string;
  /** When it is asked next: ISO 8601 in UTC with milliseconds, as all times here. */
  due_at: string;
  /** Until when a process asks it; empty while none does. */
  leased_until: Generated<string>;
  answered_at: string | null;
  /** The days on which it failed since it answered. */
  failures: Generated<number>;
  first_failed_at: string | null;
  last_failed_at: string | null;
};

/** What connections of agents answer. */
export type ConnectionChecksTable = {
  agent_id: string;
  /** The kind and address of the connection. */
  address: string;
  /** When it is asked next: ISO 8601 in UTC with milliseconds, as all times here. */
  due_at: string;
  /** Until when a process asks it; empty while none does. */
  leased_until: Generated<string>;
  checked_at: string | null;
  result: CheckResult | null;
  tools: number | null;
  reason: Generated<string>;
  /** How often in a row its address was gone. */
  refusals: Generated<number>;
};

/** The tables of `registry sync`. */
export type SourceTables = {
  agent_sources: AgentSourcesTable;
  pinned_fields: PinnedFieldsTable;
  sources: SourcesTable;
};

/** The sources of `registry sync`. A row stays until a restore: the next synchronisation goes on from it. */
type SourcesTable = {
  name: string;
  /** Its address: at another one it is read from its start. */
  address: string;
  /** How far the source was read, in its own terms; null if it is read as a whole each time. */
  mark: string | null;
  /** When it was synchronised last: ISO 8601 in UTC with milliseconds. */
  synced_at: string;
  /** What of its entries was read (`toReading`): if that is to be more, it is read from its start. */
  reading: string;
};

/** The entries of sources, and the agents that they became. A row stays as long as its agent. */
type AgentSourcesTable = {
  source: string;
  /** A hash of what the source calls the entry. */
  entry_key: string;
  /** Null after the agent was erased or forgotten: the row keeps it from being added again. */
  agent_id: string | null;
  /** 1 for the source that the texts come from, 0 for one that has the same website. */
  is_origin: 0 | 1;
  attribution: string;
  licence: string;
  /** When its texts were taken over last: ISO 8601 in UTC with milliseconds. */
  imported_at: string;
  /** When the agent was withdrawn because the source no longer has the entry; null while it does. */
  gone_at: string | null;
};

/** The fields of imported agents that no synchronisation changes. A row stays as long as its agent. */
type PinnedFieldsTable = {
  agent_id: string;
  /** The names of the fields as a JSON array. */
  fields: string;
};

export type AgentSourceRow = Selectable<AgentSourcesTable>;

/** The states of a server in a registry of MCP servers, without `deleted`. */
export const serverStatuses = ['active', 'deprecated'] as const;

/** The names of MCP servers, the key of their hashes: one row, and the descriptions of servers by their sources. */
export type ServerTables = {
  server_name_key: { value: string };
  server_names: {
    number: Generated<number>;
    /** A keyed hash of the name without letter case. Of an agent that was erased or forgotten it is all that is left. */
    hash: string;
    name: string | null;
    agent_id: string | null;
  };
  server_documents: {
    agent_id: string;
    /** The version that the source gave. */
    version: string;
    /** The name of the server in the source. */
    name: string;
    status: (typeof serverStatuses)[number];
    status_message: string | null;
    /** The description as the source gave it, as JSON; null if it is not served as a whole. */
    document: string | null;
    /** What the agent was read as (`toBasis`): the description is served as long as that is the same. */
    basis: string;
    /** 1 for the present version, else 0. */
    is_latest: 0 | 1;
    /** ISO 8601 in UTC with milliseconds. */
    kept_at: string;
  };
};
