import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import {
  editableFields,
  type Agent,
  type ChangeActor,
  type NewAgent,
  IDEMPOTENCY_KEY_LIFETIME,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { groupCommits } from '../db/group-commit.ts';
import type { PreparedCall } from '../rate-limit/rate-limiter.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import type { Tables } from '../db/tables.ts';
import { writeAgents, tell, type OwnedAgent, type Registry } from './agent-rows.ts';
import { findHeld, hasKey, hashKey } from './find-owned.ts';
import { addUnlisted } from './unlisted-agents.ts';

type RegisterOptions = {
  /** Its management key, of which the hash is stored. */
  key?: string | undefined;
  isHeld?: boolean | undefined;
  /** The call, if it is counted in the transaction of the registration. */
  prepared?: PreparedCall | undefined;
};

/** An agent to store, once per idempotency key; held ones are not listed until the operator releases them. */
type Registration = OwnedAgent & { key?: string; isHeld: boolean; prepared: PreparedCall | undefined };

/** A registered agent, whether it still waits for its release, and the `RateLimit` headers of its call. */
export type Registered = { agent: Agent; isHeld: boolean; limits?: Record<string, string> };

/** Agents that `load` writes with one statement. */
const BATCH_SIZE = 200;
/** Keys that are deleted with one statement, few enough that registrations do not wait long. */
const KEYS_PER_STATEMENT = 200;
/** The pause for registrations between two batches, in milliseconds. */
const PAUSE = 30;

/**
 * Creates the part of an agent store that adds agents.
 * @param onRegistered called for each registered agent, after its commit
 */
export function createRegistrations(registry: Registry, now: () => number, onRegistered: () => void) {
  const { db } = registry;
  const { countCalls } = createRateLimitStore(registry, now);
  const commit = groupCommits(db, async (transaction, registrations: readonly Registration[]) => {
    const counts = registrations.map(({ prepared }) => prepared?.counts ?? []);
    const usages = await countCalls(transaction, counts);
    // No agent is registered if a limit is used up.
    const isLeft = counts.map((limits, index) =>
      (usages[index] ?? []).every(({ used }, at) => used <= (limits[at]?.limit ?? 0)),
    );
    const left = registrations.filter((_, index) => isLeft[index]);
    const written = await writeRegistrations(registry, transaction, left, now());
    return registrations.map((_, index) => ({
      registered: isLeft[index] ? written.shift() : undefined,
      usages: usages[index] ?? [],
    }));
  });
  return { register, registerOnce, load };

  /** Stores a new agent under a new id; it is on disk when this resolves. */
  async function register(newAgent: NewAgent, options?: RegisterOptions): Promise<Registered> {
    const registered = await countAndCommit(toRegistration(newAgent, options));
    onRegistered();
    return registered;
  }

  /**
   * Registers once per idempotency key within 24 hours, across processes: a repeated call gets the first agent as it was
   * then; undefined when the first call registered another agent, or if the agent has another management key than this call.
   */
  async function registerOnce(
    idempotencyKey: string,
    newAgent: NewAgent,
    options?: RegisterOptions,
  ): Promise<Registered | undefined> {
    const registration = toRegistration(newAgent, options);
    const first = await countAndCommit({ ...registration, key: idempotencyKey });
    if (first.agent === registration.agent) {
      onRegistered();
      return first;
    }
    const isSame = editableFields.every((field) => isDeepStrictEqual(first.agent[field], newAgent[field]));
    if (!isSame) return undefined;
    const managementKey = options?.key;
    return managementKey === undefined || (await hasKey(db, first.agent.id, managementKey)) ? first : undefined;
  }

  /** Commits a registration with its call; throws if one of its limits is used up. */
  async function countAndCommit(registration: Registration): Promise<Registered> {
    const { registered, usages } = await commit(registration);
    const limits = registration.prepared?.check(usages);
    return { ...(registered as Registered), ...(limits && { limits }) };
  }

  /** Stores complete agents in one transaction. */
  function load(agents: readonly Agent[]): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      // Oldest first, since a search ranks equally good agents by `seq`, latest first.
      const sorted = agents.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)));
      for (let begin = 0; begin < sorted.length; begin += BATCH_SIZE) {
        const batch = sorted.slice(begin, begin + BATCH_SIZE).map((agent) => ({ agent }));
        await writeNewAgents(registry, transaction, batch, 'import');
      }
    });
  }

  function toRegistration(newAgent: NewAgent, { key, isHeld = false, prepared }: RegisterOptions = {}): Registration {
    const createdAt = new Date(now()).toISOString();
    const agent = { id: randomUUID(), ...newAgent, rating: 0, reviewCount: 0, createdAt };
    return { agent, isHeld, prepared, ...(key !== undefined && { keyHash: hashKey(key) }) };
  }
}

/** Writes a group of registrations; returns each agent, or the earlier agent with the same key. */
async function writeRegistrations(
  registry: Registry,
  transaction: Kysely<Tables>,
  registrations: readonly Registration[],
  now: number,
): Promise<Registered[]> {
  if (registrations.length === 0) return [];
  const firsts = await claimKeys(transaction, registrations, now);
  const results = registrations.map(({ agent, key }) => (key === undefined ? agent : (firsts.get(key) as Agent)));
  const added = registrations.filter(({ agent }, index) => results[index] === agent);
  const held = added.filter(({ isHeld }) => isHeld);
  const owned = added.filter(({ isHeld, keyHash }) => !isHeld && keyHash !== undefined);
  const unowned = added.filter(({ isHeld, keyHash }) => !isHeld && keyHash === undefined);
  if (owned.length > 0) await writeNewAgents(registry, transaction, owned, 'owner');
  if (unowned.length > 0) await writeNewAgents(registry, transaction, unowned, 'anyone');
  const [first] = held;
  if (first) {
    await addUnlisted(registry, transaction, held, { state: 'held', reason: '', since: first.agent.createdAt });
  }
  await tell(registry, transaction, { type: 'held', agents: held });
  if (added.length === results.length) return registrations.map(({ agent, isHeld }) => ({ agent, isHeld }));
  const stillHeld = await findHeld(transaction, results);
  return results.map((agent) => ({ agent, isHeld: stillHeld.has(agent.id) }));
}

/** Writes agents whose ids must not be taken. */
async function writeNewAgents(
  registry: Registry,
  transaction: Kysely<Tables>,
  agents: readonly OwnedAgent[],
  actor: ChangeActor,
): Promise<void> {
  const { size } = await writeAgents(registry, transaction, agents, { actor });
  if (size < agents.length) throw new Error('The id of an agent is taken.');
}

/**
 * Stores new and expired keys with their agents, as part of a transaction; returns the agent of each key, which may have
 * been registered before.
 * @param time the time, in milliseconds since 1970
 */
async function claimKeys(transaction: Kysely<Tables>, registrations: readonly Registration[], time: number) {
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
  const firsts = transaction
    .selectFrom('registration_keys')
    .select(['key', 'agent'])
    .where('key', 'in', [...known]);
  for (const { key, agent } of await firsts.execute()) agents.set(key, JSON.parse(agent) as Agent);
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
      .limit(KEYS_PER_STATEMENT)
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
