import type { Agent, ChangeActor } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { logChange } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import { eraseRecords } from '../db/records.ts';
import type { UnlistedState } from '../db/states.ts';
import type { Tables, UnlistedAgentRow } from '../db/tables.ts';
import { toStored, tell, type OwnedAgent, type Registry, type StoredAgent } from './agent-rows.ts';

/** How long a withdrawn agent can be restored, in milliseconds. */
export const WITHDRAWAL_PERIOD = 30 * 86_400_000;

/** Why and since when an agent is not listed. */
export type Unlisting = {
  state: UnlistedState;
  /** Why it is hidden, for operators only, or why it was refused, for its owner; empty in other states. */
  reason: string;
  /** ISO 8601 in UTC, to the millisecond; agents that were unlisted together have the same time. */
  since: string;
  /** The state to which it returns; undefined if it was listed. */
  formerState?: UnlistedState | undefined;
};

export type UnlistedAgent = OwnedAgent & Unlisting;

/** Removes listed agents and their tokens, as part of a transaction. Returns the removed agents. */
export async function removeListed(
  registry: Registry,
  transaction: Kysely<Tables>,
  seqs: readonly number[],
  actor: ChangeActor,
): Promise<StoredAgent[]> {
  const rows = await transaction.deleteFrom('agents').where('seq', 'in', seqs).returningAll().execute();
  const removed = rows.map(toStored);
  const left = removed.map(({ seq }) => seq);
  await registry.tokens.remove(transaction, left);
  await logChange(transaction, { kind: 'removed', actor }, rows);
  await tell(registry, transaction, { type: 'removed', agents: removed });
  return removed;
}

export async function writeUnlisted(
  transaction: Kysely<Tables>,
  agents: readonly StoredAgent[],
  { state, reason, since, formerState }: Unlisting,
): Promise<void> {
  if (agents.length === 0) return;
  const rows = agents.map(({ seq, agent, keyHash = null }) => ({
    id: agent.id,
    state,
    since,
    seq,
    agent: JSON.stringify(agent),
    key_hash: keyHash,
    reason,
    former_state: formerState ?? null,
  }));
  await transaction.insertInto('unlisted_agents').values(rows).execute();
}

/**
 * Stores new agents that are not listed yet, as part of a transaction. They get the row numbers under which they are
 * listed later; the list itself does not change.
 */
export async function addUnlisted(
  engine: Engine,
  transaction: Kysely<Tables>,
  agents: readonly OwnedAgent[],
  unlisting: Unlisting,
): Promise<void> {
  const seqs = await engine.takeSeqs(transaction, agents.length);
  const stored = agents.map((owned, index) => ({ ...owned, seq: seqs[index] as number }));
  await writeUnlisted(transaction, stored, unlisting);
}

/**
 * Removes the unlisted agents with these row numbers, of one state or any, as part of a transaction. Returns the removed
 * agents.
 */
export async function removeUnlisted(transaction: Kysely<Tables>, seqs: readonly number[], state?: UnlistedState) {
  const rows = await transaction
    .deleteFrom('unlisted_agents')
    .where('seq', 'in', seqs)
    .$if(state !== undefined, (query) => query.where('state', '=', state as UnlistedState))
    .returningAll()
    .execute();
  return rows.map(toStoredUnlisted);
}

/** Moves unlisted agents from a state to another, as part of a transaction; the reason may stay. Returns them. */
export async function moveUnlisted(
  transaction: Kysely<Tables>,
  seqs: readonly number[],
  from: { state: UnlistedState; formerState?: UnlistedState },
  to: Omit<Unlisting, 'reason' | 'formerState'> & { reason?: string; formerState?: UnlistedState | null },
): Promise<StoredAgent[]> {
  const rows = await transaction
    .updateTable('unlisted_agents')
    .set({ state: to.state, since: to.since, reason: to.reason, former_state: to.formerState })
    .where('seq', 'in', seqs)
    .where('state', '=', from.state)
    .$if(from.formerState !== undefined, (query) => query.where('former_state', '=', from.formerState as UnlistedState))
    .returningAll()
    .execute();
  return rows.map(toStoredUnlisted);
}

/** Reads an unlisted agent from its row, which has an agent. */
export function toUnlisted({ state, since, agent, key_hash, reason, former_state }: UnlistedAgentRow): UnlistedAgent {
  return {
    state,
    agent: JSON.parse(agent as string) as Agent,
    ...(key_hash !== null && { keyHash: key_hash }),
    reason,
    since,
    ...(former_state !== null && { formerState: former_state }),
  };
}

function toStoredUnlisted(row: UnlistedAgentRow): StoredAgent {
  return { seq: row.seq as number, ...toUnlisted(row) };
}

/**
 * Leaves only id, state and time of the agents that were withdrawn more than 30 days ago, and of their records what an
 * erasure leaves. An entry that its source no longer had is unknown after that, so that it can come back.
 * @param time the time, in milliseconds since 1970
 */
export async function forgetWithdrawn(db: Kysely<Tables>, time: number): Promise<void> {
  await db
    .updateTable('unlisted_agents')
    .set({ seq: null, agent: null, key_hash: null, reason: '', state: 'withdrawn', former_state: null })
    // Also of those that the operator has hidden since.
    .where((where) => where.or([where('state', '=', 'withdrawn'), where('former_state', '=', 'withdrawn')]))
    .where('agent', 'is not', null)
    .where('since', '<=', new Date(time - WITHDRAWAL_PERIOD).toISOString())
    .execute();
  const forgotten = db.selectFrom('unlisted_agents').select('id').where('agent', 'is', null);
  await db.deleteFrom('agent_sources').where('gone_at', 'is not', null).where('agent_id', 'in', forgotten).execute();
  await eraseRecords(db, forgotten);
}
