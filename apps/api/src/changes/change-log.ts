import { isDeepStrictEqual } from 'node:util';
import { agentSchema, type Agent, type ChangeActor, type ChangeKind } from '@agent-registry/contracts';
import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { addEvents } from '../webhook/operator-events.ts';

/** The fields of an agent that changed, each with its former and its new value; null stands for no value. */
export type FieldChanges = Partial<Record<keyof Agent, readonly [from: unknown, to: unknown]>>;

/** What became of agents, and who did it. */
export type LoggedChange = {
  kind: ChangeKind;
  actor: ChangeActor;
  /** ISO 8601 in UTC with milliseconds; now by default. */
  at?: string | undefined;
};

/** The fields whose changes are logged: those that the registry does not set with each change, or with another field. */
const loggedFields = agentSchema.keyof().exclude(['id', 'createdAt', 'updatedAt', 'websiteProof']).options;

/** Finds the fields in which two versions of an agent differ. */
export function compareAgents(before: Agent, after: Agent): FieldChanges {
  const changed = loggedFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, [before[field] ?? null, after[field] ?? null]]));
}

/**
 * Logs a change of agents, after their rows were changed in the same transaction: the lock of that change lets the numbers
 * of the log ascend in the order of commits. Adds events for the operator.
 * @param agents by their ids; an updated agent with its changed fields
 */
export async function logChange(
  transaction: Kysely<Tables>,
  { kind, actor, at = new Date().toISOString() }: LoggedChange,
  agents: readonly { id: string; fields?: FieldChanges }[],
): Promise<void> {
  if (agents.length === 0) return;
  const ids = agents.map(({ id }) => id);
  await transaction
    .updateTable('agent_changes')
    .set({ is_latest: 0 })
    .where('agent_id', 'in', ids)
    .where('is_latest', '=', 1)
    .execute();
  const rows = agents.map(({ id, fields }) => ({
    agent_id: id,
    at,
    kind,
    actor,
    fields: fields ? JSON.stringify(fields) : null,
    is_latest: 1 as const,
  }));
  await transaction.insertInto('agent_changes').values(rows).execute();
  await addEvents(transaction, `agent.${kind}`, ids);
}

/** Reads when agents were listed for the first time, by their ids; without those that never were. */
export async function readFirstListings(
  transaction: Kysely<Tables>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await transaction
    .selectFrom('agent_changes')
    .select(['agent_id', (select) => select.fn.min('at').as('at')])
    .where('agent_id', 'in', ids)
    .where('kind', '=', 'listed')
    .groupBy('agent_id')
    .execute();
  return new Map(rows.map(({ agent_id: id, at }) => [id, at]));
}

/** Empties the logged values of agents; their ids, and what became of them when, stay for readers of the log. */
export async function forgetValues(
  transaction: Kysely<Tables>,
  ids: readonly string[] | SelectQueryBuilder<Tables, keyof Tables, { id: string }>,
): Promise<void> {
  await transaction
    .updateTable('agent_changes')
    .set({ fields: null })
    .where('agent_id', 'in', ids)
    .where('fields', 'is not', null)
    .execute();
}
