import {
  MAX_PAGE_BYTES,
  publicHistoryFields,
  type Change,
  type ChangesCursor,
  type FieldChange,
  type HistoryEntry,
} from '@agent-registry/contracts';
import { expressionBuilder, sql, type Kysely } from 'kysely';
import type { AgentChangeRow, Tables } from '../db/tables.ts';
import { takeWithin } from '../db/take-within.ts';
import type { FieldChanges } from './change-log.ts';

/** A page of the change log. */
type ChangePage = {
  changes: (Omit<Change, 'agent'> & { /** Its number in the log. */ number: number })[];
  /** The id of the log. */
  log: string;
  /** Whether more changes follow. */
  hasMore: boolean;
};

/** More bytes than an entry takes besides the values of its fields. */
const ENTRY_SIZE = 1_000;

/** The most bytes that an entry takes as JSON. */
const entrySize = sql<number>`${sql.lit(ENTRY_SIZE)} + coalesce(octet_length(fields), 0)`;

/** Reads the change log. */
export type ChangeStore = ReturnType<typeof createChangeStore>;

/** Creates the reader of the change log over a database. */
export function createChangeStore(db: Kysely<Tables>) {
  return {
    /**
     * The agents that changed after a cursor, each with its latest change only, in the order of the changes; undefined when
     * the cursor is of another log, or when a removal after it was forgotten.
     * @param request without `after` from the first change
     */
    async list({
      after,
      limit,
    }: {
      after?: ChangesCursor | undefined;
      limit: number;
    }): Promise<ChangePage | undefined> {
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

function toEntry({ kind, at, actor, fields }: AgentChangeRow): HistoryEntry {
  return { change: kind, at, actor, fields: fields === null ? [] : toFieldChanges(JSON.parse(fields) as FieldChanges) };
}

const publicFields: ReadonlySet<string> = new Set(publicHistoryFields);

/** Leaves out the values that only operators see. */
function toFieldChanges(fields: FieldChanges): FieldChange[] {
  return Object.entries(fields).map(([field, values]) =>
    values && publicFields.has(field)
      ? { field, from: values[0] as string | null, to: values[1] as string | null }
      : { field },
  );
}
