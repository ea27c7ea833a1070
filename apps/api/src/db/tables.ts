import type { Agent, CheckResult, FieldFilter, ReportReason } from '@agent-registry/contracts';
import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { SnakeCase, TableOf } from './record-kinds.ts';
import type { UnlistedState } from './states.ts';

/**
 * The tables as Kysely sees them, with times as ISO 8601 in UTC with milliseconds. The token index is not among them: each
 * engine has its own.
 */
export type Tables = {
  agents: AgentsTable;
  agent_changes: AgentChangesTable;
  agent_counts: AgentCountsTable;
  agent_sources: TableOf<'agent-source'>;
  agent_views: AgentViewsTable;
  change_log: ChangeLogTable;
  connection_checks: ConnectionChecksTable;
  connection_offers: TableOf<'offer'>;
  daily_views: TableOf<'views'>;
  hourly_jobs: HourlyRun;
  operator_actions: TableOf<'action'>;
  operator_events: TableOf<'event'>;
  pinned_fields: TableOf<'pinned'>;
  proposed_versions: TableOf<'proposal'>;
  publications: TableOf<'publication'>;
  publisher_logins: PublisherLoginsTable;
  rate_limits: RateLimitsTable;
  registration_keys: TableOf<'registration'> & { agent_id: string };
  reports: ReportsTable;
  secrets: SecretsTable;
  server_documents: TableOf<'server-document'>;
  server_name_key: TableOf<'server-name-key'>;
  server_names: TableOf<'server-name'>;
  sources: TableOf<'source'>;
  text_keys: TextKeysTable;
  unlisted_agents: UnlistedAgentsTable;
  webhook: WebhookTable;
};

/** A column in snake_case for each field of an agent; a list is a JSON array as text, an optional field can be null. */
type AgentsTable = {
  /** The number of the row, upwards in the order of insertion; the token index refers to it. */
  seq: Generated<number>;
  sort_name: string;
  /** `toWebsiteKey` */
  website_key: string | null;
  /** When it was listed or edited last, whichever is later. */
  changed_at: string;
  /** When it was listed for the first time, as the change log has it. */
  listed_at: string;
  /** The hash of the management key (`hashKey`); null without a key. */
  key_hash: string | null;
  /** Words of the tools of its MCP servers, with a blank between two. */
  tool_words: Generated<string>;
  /** The ways to connect: the sum of the powers of 2 by their places in `connectsOptions`. */
  connects: Generated<number>;
  /** 1 if its owner was seen to control the website, else 0. */
  is_proved: GeneratedAlways<0 | 1>;
  /** Its terms for the vocabulary, with a blank between two. */
  terms: string;
} & {
  [Field in keyof Agent as SnakeCase<Field>]-?: undefined extends Agent[Field]
    ? ToColumn<Exclude<Agent[Field], undefined>> | null
    : ToColumn<Agent[Field]>;
};

type ToColumn<Value> = Value extends readonly unknown[] ? string : Value;

/** A column of the filters by a field. */
export type FieldColumn = SnakeCase<FieldFilter['field']>;

/** One row per category and values of the filters that have options, kept by triggers. */
type AgentCountsTable = Record<'category' | FieldColumn, string> & {
  connects: number;
  is_proved: 0 | 1;
  agents: number;
  /** How often such an agent was added, changed or removed, and when last. */
  changes: number;
  changed_at: string;
};

/** What searches look up of listed agents: for suggestions, the filter by capability, and entries that share a connection. */
type TextKeysTable = {
  /** A capability (`toKey`), the whole name, the name from a later word on (`toStarts`), a connection without its version. */
  kind: 'capability' | 'name' | 'inner' | 'connection';
  key: string;
  seq: number;
};

type AgentChangesTable = TableOf<'change'> & {
  /** 1 for the latest change of the agent, 0 for others. */
  is_latest: 0 | 1;
  /** 1 if the fields may have the values of long texts, else 0. */
  has_texts: Generated<0 | 1>;
};

/** What is known of the change log as a whole: one row. */
type ChangeLogTable = {
  /** A random text of 12 characters; another one after a restore. */
  id: string;
  /** The number of the last removal that was forgotten: readers who have not come that far must start anew. */
  forgotten: number;
};

/** The agents that are not listed. Of an agent that was withdrawn long ago only id, state and time are left. */
type UnlistedAgentsTable = {
  id: string;
  state: UnlistedState;
  since: string;
  /** The `seq` that it gets in `agents` when it is listed. */
  seq: number | null;
  agent: string | null;
  key_hash: string | null;
  /** Why it is hidden, for operators only, or why it was refused, for its owner; empty in other states. */
  reason: string;
  /** The state in which it was before it was hidden or withdrawn, to which it returns; null if it was listed. */
  former_state: UnlistedState | null;
};

/** The views of an agent by day: kept 400 days, gone with the agent. */
type AgentViewsTable = { agent_id: string; day: string; views: number };

type RateLimitsTable = {
  /** A hash of the key. */
  id: string;
  /** Calls in the current window, and its end. */
  used: number;
  resets_at: string;
};

type ReportsTable = {
  /** Upwards in the order of the reports. */
  number: Generated<number>;
  agent_id: string;
  reason: ReportReason;
  text: string | null;
  created_at: string;
};

/** The logins of publishers that were used, until they no longer count. */
type PublisherLoginsTable = {
  /** A hash of the domain, its key and the time that was signed. */
  id: string;
  forgotten_at: string;
};

/** The secrets that the processes of this registry share, as base64url. */
type SecretsTable = { name: 'website-challenges'; value: string };

/** The delivery of the events: one row, while a webhook is configured. */
type WebhookTable = {
  name: 'webhook';
  /** The number of the last event that was delivered or dropped. */
  cursor: number;
  /** Until when a process delivers; empty while none does. */
  leased_until: string;
  /** When delivery goes on after a failure; empty before the first one. */
  due_at: string;
  /** The failures since the last delivery. */
  failures: number;
  /** How often the next event was refused. */
  refusals: Generated<number>;
};

/** The last run of a job that one process of all does each hour. It tells of the machine, and is in no backup. */
export type HourlyRun = {
  name: 'expiry' | 'connections' | 'repositories';
  /** When it began. */
  at: string;
  /** The hourly runs in a row until then, at most 24. */
  hours: number;
  /** The number of the last change that the expiry has looked at. */
  mark: number;
};

/** What connections of agents answer. */
type ConnectionChecksTable = {
  agent_id: string;
  /** The kind and address of the connection. */
  address: string;
  /** When it is asked next: ISO 8601 in UTC with milliseconds. */
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

export type UnlistedAgentRow = Selectable<UnlistedAgentsTable>;

export type AgentChangeRow = Selectable<AgentChangesTable>;

export type AgentRow = Selectable<AgentsTable>;
