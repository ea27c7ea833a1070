import { setTimeout } from 'node:timers/promises';
import { IDEMPOTENCY_KEY_LIFETIME, type Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { OwnedAgent } from './registry.ts';

/** Keys that are deleted with one statement, few enough that registrations do not wait long. */
const BATCH_SIZE = 200;
/** The pause for registrations between two batches, in milliseconds. */
const PAUSE = 30;

/** An agent to store, once per idempotency key. */
export type Registration = OwnedAgent & { key?: string; isHeld: boolean };

/**
 * Stores new and expired keys with their agents, as part of a transaction; returns the agent of each key, which may have
 * been registered before.
 * @param time the time, in milliseconds since 1970
 */
export async function claimKeys(
  transaction: Kysely<Tables>,
  registrations: readonly Registration[],
  time: number,
): Promise<Map<string, Agent>> {
  const agents = new Map<string, Agent>();
  for (const { agent, key } of registrations) if (key !== undefined && !agents.has(key)) agents.set(key, agent);
  if (agents.size === 0) return agents;
  // The insert waits for a transaction that has just written one of these keys; sorting prevents deadlocks.
  const rows = [...agents].map(([key, agent]) => ({
    key,
    agent_id: agent.id,
    agent: JSON.stringify(agent),
    created_at: agent.createdAt,
  }));
  const claimed = await transaction
    .insertInto('registration_keys')
    .values(rows.toSorted((one, other) => (one.key < other.key ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet((update) => ({
          agent_id: update.ref('excluded.agent_id'),
          agent: update.ref('excluded.agent'),
          created_at: update.ref('excluded.created_at'),
        }))
        .where('registration_keys.created_at', '<=', toExpiry(time)),
    )
    .returning('key')
    .execute();
  const known = new Set(agents.keys());
  for (const { key } of claimed) known.delete(key);
  if (known.size === 0) return agents;
  const firsts = await transaction
    .selectFrom('registration_keys')
    .select(['key', 'agent'])
    .where('key', 'in', [...known])
    .execute();
  for (const { key, agent } of firsts) agents.set(key, JSON.parse(agent) as Agent);
  return agents;
}

/** Removes the keys of agents, as part of a transaction, so that no repeated registration shows them. */
export async function removeRegistrationKeys(transaction: Kysely<Tables>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await transaction.deleteFrom('registration_keys').where('agent_id', 'in', ids).execute();
}

/**
 * Deletes the expired keys in batches, until the signal. Without expired keys it only reads.
 * @param time the time, in milliseconds since 1970
 */
export async function deleteExpiredKeys(db: Kysely<Tables>, time: number, signal?: AbortSignal): Promise<void> {
  const expiry = toExpiry(time);
  for (;;) {
    const rows = await db
      .selectFrom('registration_keys')
      .select('key')
      .where('created_at', '<=', expiry)
      .orderBy('created_at')
      .limit(BATCH_SIZE)
      .execute();
    if (rows.length === 0) return;
    const keys = rows.map(({ key }) => key);
    // A registration may have claimed one of them since.
    await db.deleteFrom('registration_keys').where('key', 'in', keys).where('created_at', '<=', expiry).execute();
    await setTimeout(PAUSE, undefined, { signal });
  }
}

function toExpiry(time: number): string {
  return new Date(time - IDEMPOTENCY_KEY_LIFETIME).toISOString();
}
