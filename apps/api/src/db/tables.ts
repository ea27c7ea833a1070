import type { Agent } from '@agent-registry/contracts';
import type { Generated, Selectable } from 'kysely';

/** The tables as both Kysely and the migrations know them. */
export type Tables = {
  agents: AgentsTable;
  agent_counts: AgentCountsTable;
  budgets: BudgetsTable;
  daily_views: DailyViewsTable;
  hidden_agents: HiddenAgentsTable;
  registration_keys: RegistrationKeysTable;
};

/** A column in snake_case for each field of an agent; a list is a JSON array as text. */
type AgentsTable = {
  /** The row's own number, by which a search index knows it. */
  seq: Generated<number>;
} & {
  [Field in keyof Agent as SnakeCase<Field>]: Agent[Field] extends readonly unknown[] ? string : Agent[Field];
};

type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

/** Kept by the database itself, whoever writes agents. */
type AgentCountsTable = {
  category: string;
  agents: number;
  /** How often an agent of this category was added, changed or removed. */
  changes: number;
  /** When it was last: ISO 8601 in UTC, to the millisecond. */
  changed_at: string;
};

type HiddenAgentsTable = {
  /** The number that its row had, and has again once it is shown. */
  seq: number;
  id: string;
  /** The agent as it was, as JSON. */
  agent: string;
  /** Why it is hidden, for operators only. */
  reason: string;
  /** ISO 8601 in UTC, to the millisecond. */
  hidden_at: string;
};

type DailyViewsTable = {
  /** The UTC day, such as 2026-11-21. */
  day: string;
  views: number;
};

type BudgetsTable = {
  /** A hash of the budget's name. */
  id: string;
  spent: number;
  /** When its window ends: ISO 8601 in UTC, to the millisecond. */
  resets_at: string;
};

type RegistrationKeysTable = {
  key: string;
  /** The agent as it was registered, as JSON. */
  agent: string;
  /** ISO 8601 in UTC, to the millisecond. */
  created_at: string;
};

/** A hidden agent as a row. */
export type HiddenAgentRow = Selectable<HiddenAgentsTable>;

/** An agent as a row. */
export type AgentRow = Selectable<AgentsTable>;
