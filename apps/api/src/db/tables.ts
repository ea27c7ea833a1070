import type { Agent, ChangeActor, ChangeKind, FieldFilter, ReportReason } from '@agent-registry/contracts';
import type { Generated, Selectable } from 'kysely';
import type {
  ConnectionChecksTable,
  DailyFiguresTable,
  ExpiryClockTable,
  OperatorActionsTable,
  OperatorEventsTable,
  RefusedEventsTable,
  ServerTables,
  SourceTables,
  WebhookTable,
  WebsiteHostsTable,
} from './operator-tables.ts';

/** The tables as Kysely sees them. The token index is not among them: each engine has its own. */
export type Tables = {
  agents: AgentsTable;
  agent_capabilities: AgentCapabilitiesTable;
  agent_changes: AgentChangesTable;
  agent_counts: AgentCountsTable;
  agent_terms: AgentTermsTable;
  agent_views: AgentViewsTable;
  capability_counts: CapabilityCountsTable;
  change_log: ChangeLogTable;
  connection_checks: ConnectionChecksTable;
  daily_figures: DailyFiguresTable;
  daily_views: DailyViewsTable;
  expiry_clock: ExpiryClockTable;
  name_starts: NameStartsTable;
  operator_actions: OperatorActionsTable;
  operator_events: OperatorEventsTable;
  proposed_versions: ProposedVersionsTable;
  rate_limits: RateLimitsTable;
  registration_keys: RegistrationKeysTable;
  refused_events: RefusedEventsTable;
  reports: ReportsTable;
  secrets: SecretsTable;
  unlisted_agents: UnlistedAgentsTable;
  webhook: WebhookTable;
  website_hosts: WebsiteHostsTable;
} & ServerTables &
  SourceTables;

/** A column in snake_case for each field of an agent; a list is a JSON array as text, an optional field can be null. */
type AgentsTable = {
  /** The number of the row, upwards in the order of insertion; the token index refers to it. */
  seq: Generated<number>;
  sort_name: string;
  /** The key of the website, from `toWebsiteKey`. */
  website_key: string | null;
  /** The time of being listed or of the last edit, whichever is later: ISO 8601 in UTC with milliseconds. */
  changed_at: string;
  /** The time of being listed for the first time, as the change log has it: ISO 8601 in UTC with milliseconds. */
  listed_at: string;
  /** The hash of the management key (`hashKey`); null without a key. */
  key_hash: string | null;
  /** The ways to connect: the sum of the powers of 2 by their places in `connectsOptions`. */
  connects: Generated<number>;
} & {
  [Field in keyof Agent as SnakeCase<Field>]-?: undefined extends Agent[Field]
    ? ToColumn<Exclude<Agent[Field], undefined>> | null
    : ToColumn<Agent[Field]>;
};

type ToColumn<Value> = Value extends readonly unknown[] ? string : Value;

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** A column of the filters by a field. */
export type FieldColumn = SnakeCase<FieldFilter['field']>;

/** One row per category and values of the filters by a field, kept by triggers. */
type AgentCountsTable = Record<'category' | FieldColumn, string> & {
  agents: number;
  /** The number of times that such an agent was added, changed or removed. */
  changes: number;
  /** The time of the last change: ISO 8601 in UTC with milliseconds. */
  changed_at: string;
};

type AgentTermsTable = {
  /** Upwards in the order of commits. */
  id: Generated<number>;
  /** The agent. */
  seq: number;
  /** Its terms for the vocabulary, with a blank between two. */
  terms: string;
};

/** The capabilities of listed agents as they are spelled, for suggestions. */
type CapabilityCountsTable = {
  label: string;
  /** The folded label (`toKey`). */
  key: string;
  agents: number;
};

type AgentCapabilitiesTable = {
  /** The agent. */
  seq: number;
  /** The folded capability (`toKey`). */
  key: string;
};

/** The starts of the names of listed agents, for suggestions. */
type NameStartsTable = {
  /** The agent. */
  seq: number;
  /** The folded name from one of its words on (`toStarts`). */
  key: string;
  /** 0 for the whole name, 1 from a later word on. */
  is_inner: 0 | 1;
};

type AgentChangesTable = {
  /** Upwards in the order of commits. */
  number: Generated<number>;
  agent_id: string;
  /** ISO 8601 in UTC with milliseconds. */
  at: string;
  kind: ChangeKind;
  actor: ChangeActor;
  /** The fields that changed, as the JSON of a `FieldChanges`; null where nothing changed or the values are forgotten. */
  fields: string | null;
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

/** The states of agents that are not listed. */
export const unlistedStates = ['hidden', 'held', 'refused', 'withdrawn'] as const;

/**
 * Why an agent is not listed: hidden by the operator, held until its release, refused in place of a release, or
 * withdrawn by its owner.
 */
export type UnlistedState = (typeof unlistedStates)[number];

/** The agents that are not listed. Of an agent that was withdrawn long ago only id, state and time are left. */
type UnlistedAgentsTable = {
  id: string;
  state: UnlistedState;
  /** ISO 8601 in UTC with milliseconds. */
  since: string;
  /** The `seq` of its row in `agents`, which it gets back when it is listed. */
  seq: number | null;
  agent: string | null;
  /** As in `agents`. */
  key_hash: string | null;
  /** Why it is hidden, for operators only, or why it was refused, for its owner; empty in other states. */
  reason: string;
  /** The state in which it was before it was hidden or withdrawn, to which it returns; null if it was listed. */
  former_state: UnlistedState | null;
};

/** The states of proposed versions. */
export const proposalStates = ['waiting', 'refused', 'released'] as const;

/** Edits of listed agents by their owners that wait for the operator's review, or were reviewed. One per agent. */
type ProposedVersionsTable = {
  agent_id: string;
  state: (typeof proposalStates)[number];
  /** The time of the last edit, or of the decision: ISO 8601 in UTC with milliseconds. */
  since: string;
  /** The changed fields with their new values, as the JSON of an `AgentPatch`. */
  patch: string;
  /** The values that the fields had before the release, as the JSON of an `AgentPatch`; null before it. */
  former: string | null;
  /** Why it was refused, for its owner; empty in other states. */
  reason: string;
};

type DailyViewsTable = {
  /** The UTC day, such as 2026-11-21. */
  day: string;
  views: number;
};

/** The views of an agent by day: kept 400 days, gone with the agent. */
type AgentViewsTable = {
  agent_id: string;
  /** The UTC day, such as 2026-11-21. */
  day: string;
  views: number;
};

type RateLimitsTable = {
  /** A hash of the key. */
  id: string;
  /** Calls in the current window. */
  used: number;
  /** The end of the window: ISO 8601 in UTC with milliseconds. */
  resets_at: string;
};

type RegistrationKeysTable = {
  /** The idempotency key of a registration. */
  key: string;
  agent_id: string;
  /** The agent as it was registered, as JSON. */
  agent: string;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
};

type ReportsTable = {
  /** Upwards in the order of the reports. */
  number: Generated<number>;
  agent_id: string;
  reason: ReportReason;
  text: string | null;
  /** ISO 8601 in UTC with milliseconds. */
  created_at: string;
};

/** The secrets that the processes of this registry share. */
type SecretsTable = {
  name: 'website-challenges';
  /** As base64url. */
  value: string;
};

export type UnlistedAgentRow = Selectable<UnlistedAgentsTable>;

export type AgentChangeRow = Selectable<AgentChangesTable>;

export type AgentRow = Selectable<AgentsTable>;
