import type { Kysely } from 'kysely';
import { chunksOf, walk } from '../db/walk.ts';
import { toRecord } from '../db/records.ts';
import type { Tables } from '../db/tables.ts';
import type { Acting, OperatorAction } from './operator-action.ts';

/** How long actions are kept, in milliseconds: as long as changes. */
export const ACTION_PERIOD = 400 * 86_400_000;

/** An agent that was changed; without its name if it was erased. */
type ActedOn = { id: string; name?: string | null };

/** Records an action on agents, as part of the transaction that changes them; nothing if no agent was changed. */
export async function recordAction(
  transaction: Kysely<Tables>,
  acting: Acting | undefined,
  agents: readonly ActedOn[],
): Promise<void> {
  if (!acting) return;
  const { by, command, reason } = acting;
  const at = new Date().toISOString();
  for (const chunk of chunksOf(agents)) {
    const rows = chunk.map(({ id, name = null }) => ({ at, actor: by, command, agent_id: id, name, reason }));
    await transaction.insertInto('operator_actions').values(rows).execute();
  }
}

/** Records an action on the registry as a whole, as part of the transaction that does it. */
export async function recordGlobalAction(transaction: Kysely<Tables>, acting: Acting | undefined): Promise<void> {
  if (!acting) return;
  const { by, command, reason } = acting;
  const row = { at: new Date().toISOString(), actor: by, command, agent_id: null, name: null, reason };
  await transaction.insertInto('operator_actions').values(row).execute();
}

/**
 * Deletes the actions that are 400 days old or older.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetActions(db: Kysely<Tables>, time: number): Promise<void> {
  const before = new Date(time - ACTION_PERIOD).toISOString();
  await db.deleteFrom('operator_actions').where('at', '<=', before).execute();
}

/** Which actions are read; by default all. */
export type ActionFilter = {
  /** ISO 8601 in UTC with milliseconds. */
  since?: string | undefined;
  /** The id of an agent. */
  id?: string | undefined;
};

/** Streams the record of actions, oldest first. */
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

/** Reads when a command was run last, and by whom; undefined if that is not recorded. */
export async function readLastAction(
  db: Kysely<Tables>,
  command: string,
): Promise<Pick<OperatorAction, 'at' | 'by'> | undefined> {
  return db
    .selectFrom('operator_actions')
    .select(['at', 'actor as by'])
    .where('command', '=', command)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}
