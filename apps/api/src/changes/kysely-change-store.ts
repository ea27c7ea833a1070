import { publicHistoryFields, type FieldChange, type HistoryEntry } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { AgentChangeRow, Tables } from '../db/tables.ts';
import type { FieldChanges } from './change-log.ts';
import type { ChangeStore } from './change-store.ts';

/** Creates the reader of the change log over a database. */
export function createKyselyChangeStore(db: Kysely<Tables>): ChangeStore {
  return {
    async list({ after, limit }) {
      const number = after?.number ?? 0;
      // One statement, so that changes and log are of one moment. A log without such changes is one row, too.
      const rows = await db
        .selectFrom('change_log as log')
        .leftJoin('agent_changes as change', (join) =>
          join.on('change.is_latest', '=', sql.lit(1)).on('change.number', '>', number),
        )
        .select((select) => [
          'log.id as log',
          'log.forgotten',
          'change.number',
          'change.agent_id',
          'change.kind',
          'change.at',
          select
            .selectFrom('agent_changes')
            .select((last) => last.fn.max('agent_changes.number').as('number'))
            .as('last'),
        ])
        .orderBy('change.number')
        .limit(limit + 1)
        .execute();
      const [first] = rows;
      if (!first || (after && !isKnown(after, first))) return undefined;
      const page = rows
        .slice(0, limit)
        .flatMap(({ number, agent_id: id, kind: change, at }) =>
          number === null || id === null || change === null || at === null ? [] : [{ number, id, change, at }],
        );
      return {
        changes: page.map(({ id, change, at }) => ({ id, change, at })),
        next: { log: first.log, number: page.at(-1)?.number ?? number },
        hasMore: rows.length > limit,
      };
    },

    async history(id) {
      const rows = await db
        .selectFrom('agent_changes')
        .selectAll()
        .where('agent_id', '=', id)
        .orderBy('number', 'desc')
        .execute();
      return rows.map(toEntry);
    },
  };
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
  return Object.entries(fields).map(([field, [from, to]]) =>
    publicFields.has(field) ? { field, from: from as string | null, to: to as string | null } : { field },
  );
}
