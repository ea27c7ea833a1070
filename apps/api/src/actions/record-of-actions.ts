import { userInfo } from 'node:os';
import type { Kysely } from 'kysely';
import { findTextFault, MAX_REASON_LENGTH } from '@agent-registry/contracts';
import { chunksOf, walk, toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import type { FieldsOf } from '../db/record-kinds.ts';
import { RegistryError } from '../registry-error.ts';

const MAX_NAME_LENGTH = 100;

/** Who runs a command of the operator, and why. */
export type Acting = {
  by: string;
  /** The name of the command, such as `hide`. */
  command: string;
  /** Why, as the operator wrote it; empty without a reason. */
  reason: string;
};

/** An action of the operator on one agent, or on the registry as a whole. Its name is null after the agent was erased. */
export type OperatorAction = FieldsOf<'action'>;

/** How long actions are kept, in milliseconds: as long as changes. */
export const ACTION_PERIOD = 400 * 86_400_000;

/** An agent that was changed, without its name if it was erased; null for the registry as a whole. */
type ActedOn = { id: string | null; name?: string | null };

const REGISTRY: ActedOn = { id: null };

/**
 * Records an action on agents, by default on the registry as a whole, as part of the transaction that does it; nothing if
 * no agent was changed.
 */
export async function recordAction(
  transaction: Kysely<Tables>,
  acting: Acting | undefined,
  agents: readonly ActedOn[] = [REGISTRY],
): Promise<void> {
  if (!acting) return;
  const { by, command, reason } = acting;
  const at = new Date().toISOString();
  for (const chunk of chunksOf(agents)) {
    const rows = chunk.map(({ id, name = null }) => ({ at, actor: by, command, agent_id: id, name, reason }));
    await transaction.insertInto('operator_actions').values(rows).execute();
  }
}

/** Deletes the actions that are 400 days old or older at a time in milliseconds since 1970. */
export async function forgetActions(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - ACTION_PERIOD).toISOString();
  await db.deleteFrom('operator_actions').where('at', '<=', before).execute();
}

/** Which actions are read; by default all. */
export type ActionFilter = {
  /** ISO 8601 in UTC with milliseconds. */
  since?: string | undefined;
  id?: string | undefined;
};

export async function* streamActions(
  db: Kysely<Tables>,
  { since, id }: ActionFilter = {},
): AsyncGenerator<OperatorAction, void, undefined> {
  const actions = db
    .selectFrom('operator_actions')
    .selectAll()
    .$if(since !== undefined, (query) => query.where('at', '>=', since as string))
    .$if(id !== undefined, (query) => query.where('agent_id', '=', id as string));
  for await (const row of walk(actions, ['number'])) yield toRecord('action', row);
}

/** @throws {RegistryError} when it is blank or too long, or has line ends or control characters */
export function parseReason(text: string): string {
  return parseLine('reason', text, MAX_REASON_LENGTH);
}

/** Reads who acts: the given name, or the user who runs the process. */
export function readActor(name: string | undefined): string {
  return name === undefined ? systemUser() : parseLine('name', name, MAX_NAME_LENGTH);
}

function parseLine(kind: string, text: string, max: number): string {
  const line = text.trim();
  const fault = findTextFault(line, { max, isLine: true });
  if (fault !== undefined) throw new RegistryError('invalid', `The ${kind} ${fault}`);
  return line;
}

/** The user who runs the process: behind sudo, the one who called it. */
function systemUser(): string {
  const { SUDO_USER } = process.env;
  if (SUDO_USER) return SUDO_USER;
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
