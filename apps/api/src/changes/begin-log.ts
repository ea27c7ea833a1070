import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';

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
