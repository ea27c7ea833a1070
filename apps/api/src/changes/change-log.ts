import { isDeepStrictEqual } from 'node:util';
import { fieldNames, rowOf, type Agent, type ChangeActor, type ChangeKind } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

/**
 * The fields of an agent that changed, each with its former and its new value, where null stands for no value; null in
 * place of both after they were forgotten.
 */
export type FieldChanges = Partial<Record<keyof Agent, readonly [from: unknown, to: unknown] | null>>;

/** What became of agents, and who did it. */
export type LoggedChange = {
  kind: ChangeKind;
  actor: ChangeActor;
  /** ISO 8601 in UTC with milliseconds; now by default. */
  at?: string | undefined;
};

const loggedFields = fieldNames.filter((name) => rowOf(name)?.history);
/** The fields whose values take much space. */
const longTexts = loggedFields.filter((name) => rowOf(name)?.history === 'long');
/** The changes of long texts of an agent whose values are kept: the latest ones. */
const KEPT_TEXTS = 10;

/** Whether changes have the values of long texts: 1 or 0, as the log stores it. */
export function hasTexts(fields: FieldChanges = {}): 0 | 1 {
  return longTexts.some((field) => fields[field]) ? 1 : 0;
}

/** Finds the fields in which two versions of an agent differ. */
export function compareAgents(before: Agent, after: Agent): FieldChanges {
  const changed = loggedFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, [before[field] ?? null, after[field] ?? null]]));
}

/**
 * Logs a change of agents, after their rows were changed in the same transaction: the lock of that change lets the numbers
 * of the log ascend in the order of commits.
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
    has_texts: hasTexts(fields),
  }));
  await transaction.insertInto('agent_changes').values(rows).execute();
  for (const row of rows) if (row.has_texts === 1) await forgetTexts(transaction, row.agent_id);
}

/** Forgets the values of long texts of an agent, but those of its latest changes. */
async function forgetTexts(transaction: Kysely<Tables>, id: string): Promise<void> {
  const changes = transaction.selectFrom('agent_changes').where('agent_id', '=', id).where('has_texts', '=', 1);
  const oldest = await changes
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .offset(KEPT_TEXTS)
    .executeTakeFirst();
  if (!oldest) return;
  for (const { number, fields } of await changes
    .select(['number', 'fields'])
    .where('number', '<=', oldest.number)
    .execute()) {
    const kept = JSON.parse(fields ?? '{}') as FieldChanges;
    for (const field of longTexts) if (kept[field]) kept[field] = null;
    await transaction
      .updateTable('agent_changes')
      .set({ fields: JSON.stringify(kept), has_texts: 0 })
      .where('number', '=', number)
      .execute();
  }
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
