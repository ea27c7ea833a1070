import type { FieldsOf } from '../db/record-kinds.ts';

/** Who runs a command of the operator, and why. */
export type Acting = {
  /** The system user, or the name that `--by` gives. */
  by: string;
  /** The name of the command, such as `hide`. */
  command: string;
  /** Why, as the operator wrote it; empty without a reason. */
  reason: string;
};

/** An action of the operator on one agent, or on the registry as a whole. Its name is null after the agent was erased. */
export type OperatorAction = FieldsOf<'action'>;
