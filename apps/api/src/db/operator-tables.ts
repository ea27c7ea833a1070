import type { Generated } from 'kysely';

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

/** The delivery of the events: one row, while a webhook is configured. */
export type WebhookTable = {
  name: 'operator';
  /** The number of the last delivered event. */
  cursor: number;
  /** Until when a process delivers: ISO 8601 in UTC with milliseconds; empty while none does. */
  leased_until: string;
  /** When delivery goes on after a failure: ISO 8601 in UTC with milliseconds; empty before the first one. */
  due_at: string;
  /** The failures since the last delivery. */
  failures: number;
};
