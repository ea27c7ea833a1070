import { randomBytes } from 'node:crypto';
import type { ChangeActor, ChangeKind } from '@agent-registry/contracts';
import { sql, type Kysely } from 'kysely';
import type { AgentChangeRow, Tables } from '../db/tables.ts';
import { hasTexts, type FieldChanges } from './change-log.ts';

/** Changes per statement. */
const CHUNK_SIZE = 500;

/** A change as a backup holds it. */
export type ChangeRecord = {
  /** Upwards in the order of the changes. A restore gives other numbers. */
  number: number;
  agentId: string;
  at: string;
  change: ChangeKind;
  actor: ChangeActor;
  fields?: FieldChanges | undefined;
};

/** Streams the change log in its order. */
export async function* streamChanges(db: Kysely<Tables>): AsyncGenerator<ChangeRecord, void, undefined> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('agent_changes')
      .selectAll()
      .where('number', '>', last)
      .orderBy('number')
      .limit(CHUNK_SIZE)
      .execute();
    for (const row of rows) {
      yield toRecord(row);
      last = row.number;
    }
    if (rows.length < CHUNK_SIZE) return;
  }
}

/** Reads the changes of an agent with all values, oldest first. */
export async function readChanges(db: Kysely<Tables>, id: string): Promise<ChangeRecord[]> {
  const rows = await db.selectFrom('agent_changes').selectAll().where('agent_id', '=', id).orderBy('number').execute();
  return rows.map(toRecord);
}

function toRecord({ number, agent_id: agentId, at, kind: change, actor, fields }: AgentChangeRow): ChangeRecord {
  return {
    number,
    agentId,
    at,
    change,
    actor,
    ...(fields !== null && { fields: JSON.parse(fields) as FieldChanges }),
  };
}

/** Writes changes of a backup in their order, as part of a transaction. */
export async function writeChanges(transaction: Kysely<Tables>, changes: readonly ChangeRecord[]): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes.map(({ agentId, at, change, actor, fields }) => ({
    agent_id: agentId,
    at,
    kind: change,
    actor,
    fields: fields ? JSON.stringify(fields) : null,
    is_latest: 0 as const,
    has_texts: hasTexts(fields),
  }));
  await transaction.insertInto('agent_changes').values(rows).execute();
}

/**
 * Begins a new log with the agents and changes that a restore has written, as part of its transaction: the cursors of
 * readers were those of another log. The agents get their times of being listed first from it.
 */
export async function beginLog(transaction: Kysely<Tables>): Promise<void> {
  // An imported file may have agents without their changes.
  await sql`
    INSERT INTO agent_changes (agent_id, at, kind, actor, is_latest)
    SELECT id, created_at, 'listed', 'anyone', 0 FROM agents
    WHERE NOT EXISTS (SELECT 1 FROM agent_changes WHERE agent_id = agents.id) ORDER BY seq
  `.execute(transaction);
  await sql`
    UPDATE agent_changes SET is_latest = 1 WHERE number IN (SELECT max(number) FROM agent_changes GROUP BY agent_id)
  `.execute(transaction);
  await sql`
    UPDATE agents SET listed_at = coalesce(
      (SELECT min(at) FROM agent_changes WHERE agent_id = agents.id AND kind = 'listed'), created_at
    )
  `.execute(transaction);
  const id = randomBytes(9).toString('base64url');
  await transaction.updateTable('change_log').set({ id, forgotten: 0 }).execute();
}
