import { isDeepStrictEqual } from 'node:util';
import {
  fieldNames,
  rowOf,
  type Agent,
  type ChangeActor,
  type ChangeKind,
  MAX_PAGE_BYTES,
  publicHistoryFields,
  toHistoryValue,
  type ChangesCursor,
  type FieldChange,
  type HistoryEntry,
  type ListedAgent,
  type ToolsChange,
} from '@agent-registry/contracts';
import { type Kysely, expressionBuilder, sql } from 'kysely';
import type { Tables, AgentChangeRow } from '../db/tables.ts';
import { takeWithin } from '../db/records.ts';

/** More bytes than an entry takes besides the values of its fields. */
const ENTRY_SIZE = 1_000;
const entrySize = sql<number>`${sql.lit(ENTRY_SIZE)} + coalesce(octet_length(fields), 0) + coalesce(octet_length(tools), 0)`;

export type ChangeStore = ReturnType<typeof createChangeStore>;
/** The former and new values of changed fields; null for no value, and in place of both after they were forgotten. */
type FieldChanges = Partial<Record<keyof Agent, readonly [from: unknown, to: unknown] | null>>;

type LoggedChange = {
  kind: ChangeKind;
  actor: ChangeActor;
  /** ISO 8601 in UTC with milliseconds; now by default. */
  at?: string | undefined;
  /** Whether the agents have no earlier change, since their ids are new. */
  isFirst?: boolean;
};

const loggedFields = fieldNames.filter((name) => rowOf(name)?.history);
/** The fields whose values take much space. */
const longFields = loggedFields.filter(
  (name) => rowOf(name)?.history === 'long' || rowOf(name)?.kind === 'connections',
);
/** The changes of long fields of an agent whose values are kept: the latest ones. */
const KEPT_VALUES = 10;

/** Whether changes have the values of long fields: 1 or 0, as the log stores it. */
export function hasTexts(fields: FieldChanges = {}): 0 | 1 {
  return longFields.some((field) => fields[field]) ? 1 : 0;
}

export function compareAgents(before: Agent, after: Agent): FieldChanges {
  const changed = loggedFields.filter((field) => !isDeepStrictEqual(before[field], after[field]));
  return Object.fromEntries(changed.map((field) => [field, [before[field] ?? null, after[field] ?? null]]));
}

/**
 * Logs a change of agents, after their rows were changed in the same transaction: the lock of that change lets the numbers
 * of the log ascend in the order of commits.
 * @param agents by their ids; an updated agent with its changed fields, or what changed of its tools
 */
export async function logChange(
  transaction: Kysely<Tables>,
  { kind, actor, at = new Date().toISOString(), isFirst = false }: LoggedChange,
  agents: readonly { id: string; fields?: FieldChanges; tools?: ToolsChange }[],
): Promise<void> {
  if (agents.length === 0) return;
  const ids = agents.map(({ id }) => id);
  const earlier = transaction.updateTable('agent_changes').where('agent_id', 'in', ids).where('is_latest', '=', 1);
  if (!isFirst) await earlier.set({ is_latest: 0 }).execute();
  const rows = agents.map(({ id, fields, tools }) => ({
    agent_id: id,
    at,
    kind,
    actor,
    fields: fields ? JSON.stringify(fields) : null,
    tools: tools ? JSON.stringify(tools) : null,
    is_latest: 1 as const,
    has_texts: hasTexts(fields),
  }));
  await transaction.insertInto('agent_changes').values(rows).execute();
  for (const row of rows) if (row.has_texts === 1) await forgetTexts(transaction, row.agent_id);
}

/** Forgets the values of long fields of an agent, but those of its latest changes. */
async function forgetTexts(transaction: Kysely<Tables>, id: string): Promise<void> {
  const changes = transaction.selectFrom('agent_changes').where('agent_id', '=', id).where('has_texts', '=', 1);
  const oldest = await changes
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .offset(KEPT_VALUES)
    .executeTakeFirst();
  if (!oldest) return;
  for (const { number, fields } of await changes
    .select(['number', 'fields'])
    .where('number', '<=', oldest.number)
    .execute()) {
    const kept = JSON.parse(fields ?? '{}') as FieldChanges;
    for (const field of longFields) if (kept[field]) kept[field] = null;
    await transaction
      .updateTable('agent_changes')
      .set({ fields: JSON.stringify(kept), has_texts: 0 })
      .where('number', '=', number)
      .execute();
  }
}

/** Reads when agents were listed for the first time, by their ids; without those that never were. */
export async function readFirstListings(transaction: Kysely<Tables>, ids: readonly string[]) {
  const rows = await transaction
    .selectFrom('agent_changes')
    .select(['agent_id', (select) => select.fn.min('at').as('at')])
    .where('agent_id', 'in', ids)
    .where('kind', '=', 'listed')
    .groupBy('agent_id')
    .execute();
  return new Map(rows.map(({ agent_id: id, at }) => [id, at]));
}

export function toFollowed(listed: ListedAgent): Omit<ListedAgent, 'contactEmail'> {
  const { contactEmail: _, ...agent } = listed;
  return agent;
}

export function createChangeStore(db: Kysely<Tables>) {
  return {
    /**
     * The agents that changed after a cursor, each with its latest change only, in the order of the changes; undefined when
     * the cursor is of another log, or when a removal after it was forgotten.
     * @param request without `after` from the first change
     */
    async list({ after, limit }: { after?: ChangesCursor | undefined; limit: number }) {
      const number = after?.number ?? 0;
      // Changes and log in one statement, so that they are of one moment.
      const rows = await db
        .selectFrom('agent_changes')
        .select(['number', 'agent_id', 'kind', 'at'])
        .select(selectLog())
        .where('is_latest', '=', sql.lit(1))
        .where('number', '>', number)
        .orderBy('number')
        .limit(limit + 1)
        .execute();
      const current = rows[0] ?? (await db.selectNoFrom(selectLog()).executeTakeFirstOrThrow());
      if (after && !isKnown(after, current)) return undefined;
      const page = rows.slice(0, limit);
      return {
        changes: page.map(({ agent_id: id, kind: change, at, number }) => ({ id, change, at, number })),
        log: current.log,
        hasMore: rows.length > limit,
      };
    },

    async end(): Promise<ChangesCursor> {
      const { log, forgotten, last } = await db.selectNoFrom(selectLog()).executeTakeFirstOrThrow();
      return { log, number: Math.max(last ?? 0, forgotten) };
    },

    /** The changes of an agent, latest first, as many as fit into `MAX_PAGE_BYTES` as JSON. */
    async history(id: string): Promise<HistoryEntry[]> {
      const ofAgent = db.selectFrom('agent_changes').where('agent_id', '=', id).orderBy('number', 'desc');
      const keys = await ofAgent.select(['number', entrySize.as('size')]).execute();
      const oldest = takeWithin(keys, MAX_PAGE_BYTES).at(-1);
      if (!oldest) return [];
      return (await ofAgent.selectAll().where('number', '>=', oldest.number).execute()).map(toEntry);
    },
  };
}

/** Selects what is known of the log as a whole, which is one row. */
function selectLog() {
  const select = expressionBuilder<Tables>();
  const log = select.selectFrom('change_log');
  return [
    log.select('id').$asScalar().$notNull().as('log'),
    log.select('forgotten').$asScalar().$notNull().as('forgotten'),
    select
      .selectFrom('agent_changes as every')
      .select((every) => every.fn.max('every.number').as('last'))
      .as('last'),
  ];
}

/** Whether the log still has all that follows a cursor. */
function isKnown(
  { log, number }: { log: string; number: number },
  current: { log: string; forgotten: number; last: number | null },
): boolean {
  // A database that was put back from a copy has not come that far.
  const last = Math.max(current.last ?? 0, current.forgotten);
  return log === current.log && number >= current.forgotten && number <= last;
}

function toEntry({ kind, at, actor, fields, tools }: AgentChangeRow): HistoryEntry {
  return {
    change: kind,
    at,
    actor,
    fields: fields === null ? [] : toFieldChanges(JSON.parse(fields) as FieldChanges),
    ...(tools !== null && { tools: JSON.parse(tools) as ToolsChange }),
  };
}

const publicFields: ReadonlySet<string> = new Set(publicHistoryFields);

/** Leaves out the values that only operators see. */
function toFieldChanges(fields: FieldChanges): FieldChange[] {
  return Object.entries(fields).map(([field, values]) =>
    values && publicFields.has(field)
      ? { field, from: toHistoryValue(values[0]), to: toHistoryValue(values[1]) }
      : { field },
  );
}
