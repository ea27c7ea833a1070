/** Who runs a command of the operator, and why. */
export type Acting = {
  /** The system user, or the name that `--by` gives. */
  by: string;
  /** The name of the command, such as `hide`. */
  command: string;
  /** Why, as the operator wrote it; empty without a reason. */
  reason: string;
};

/** An action of the operator on one agent, or on the registry as a whole. */
export type OperatorAction = Acting & {
  /** Upwards in the order of the actions. A restore gives other numbers. */
  number: number;
  /** ISO 8601 in UTC with milliseconds; agents that were changed together have the same time. */
  at: string;
  /** Null for an action on the registry as a whole, such as a restore. */
  agentId: string | null;
  /** The name at the time; null after the agent was erased, and of reports about one that was not listed. */
  name: string | null;
};
