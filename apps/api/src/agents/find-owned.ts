import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import { toStored, type StoredAgent } from './agent-rows.ts';
import type { Refusal, Registered } from './agent-store.ts';
import { isKeyOf } from './management-keys.ts';
import { toUnlisted } from './unlisted-agents.ts';

/** Finds a listed agent with its row number and the hash of its key. */
export async function findStored(db: Kysely<Tables>, id: string): Promise<StoredAgent | undefined> {
  const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toStored(row);
}

/** Finds an agent for its owner, also while it waits for its release. */
export async function findOwned(db: Kysely<Tables>, id: string, key: string): Promise<Registered | Refusal> {
  const listed = await findStored(db, id);
  if (listed) return isKeyOf(key, listed.keyHash) ? { agent: listed.agent, isHeld: false } : 'unauthorized';
  const row = await db.selectFrom('unlisted_agents').selectAll().where('id', '=', id).executeTakeFirst();
  if (row?.state === 'withdrawn') return 'withdrawn';
  // To everybody else there is no such agent yet.
  const isOwn = row?.state === 'held' && isKeyOf(key, row.key_hash ?? undefined);
  return isOwn ? { agent: toUnlisted(row).agent, isHeld: true } : 'unknown';
}

/** Whether an agent has a management key, in whatever state it is. */
export async function hasKey(db: Kysely<Tables>, id: string, key: string): Promise<boolean> {
  const readHash = (table: 'agents' | 'unlisted_agents') =>
    db.selectFrom(table).select('key_hash').where('id', '=', id).executeTakeFirst();
  const row = (await readHash('agents')) ?? (await readHash('unlisted_agents'));
  return isKeyOf(key, row?.key_hash ?? undefined);
}

/** The ids of those agents that wait for their release. */
export async function findHeld(db: Kysely<Tables>, agents: readonly Agent[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('unlisted_agents')
    .select('id')
    .where('state', '=', 'held')
    .where(
      'id',
      'in',
      agents.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map(({ id }) => id));
}
