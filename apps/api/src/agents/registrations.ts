import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { editableFields, type Agent, type ChangeActor, type NewAgent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { groupCommits } from '../db/group-commit.ts';
import type { PreparedCall } from '../rate-limit/rate-limiter.ts';
import { createRateLimitStore, type RateLimitUsage } from '../rate-limit/rate-limit-store.ts';
import type { Tables } from '../db/tables.ts';
import { writeAgents } from './agent-rows.ts';
import { findHeld, hasKey, hashKey } from './find-owned.ts';
import { claimKeys, type Registration } from './registration-keys.ts';
import { tell, type OwnedAgent, type Registry } from './registry.ts';
import { addUnlisted } from './unlisted-agents.ts';

/** How an agent is registered. */
type RegisterOptions = {
  /** Its management key, of which the hash is stored. */
  key?: string | undefined;
  /** Whether it is held: not listed until the operator releases it. */
  isHeld?: boolean | undefined;
  /** The call, if it is counted in the transaction of the registration. */
  prepared?: PreparedCall | undefined;
};

/** A registered agent, whether it still waits for its release, and the `RateLimit` headers of its call. */
export type Registered = { agent: Agent; isHeld: boolean; limits?: Record<string, string> };

/** A registration with its call, and what becomes of them: no agent is registered if a limit is used up. */
type CountedRegistration = Registration & { prepared: PreparedCall | undefined };
type CountedResult = { registered: Registered | undefined; usages: RateLimitUsage[] };

/** Agents that `load` writes with one statement. */
const BATCH_SIZE = 200;

/**
 * Creates the part of an agent store that adds agents.
 * @param onRegistered called for each registered agent, after its commit
 */
export function createRegistrations(registry: Registry, now: () => number, onRegistered: () => void) {
  const { db } = registry;
  const { countCalls } = createRateLimitStore(registry, now);
  const commit = groupCommits<CountedRegistration, CountedResult>(db, async (transaction, registrations) => {
    const usages = await countCalls(
      transaction,
      registrations.map(({ prepared }) => prepared?.counts ?? []),
    );
    const isLeft = registrations.map(({ prepared }, index) =>
      (usages[index] ?? []).every(({ used }, limit) => used <= (prepared?.counts[limit]?.limit ?? 0)),
    );
    const written = await writeRegistrations(
      registry,
      transaction,
      registrations.filter((_, index) => isLeft[index]),
      now(),
    );
    return registrations.map((_, index) => ({
      registered: isLeft[index] ? written.shift() : undefined,
      usages: usages[index] ?? [],
    }));
  });
  return { register, registerOnce, load };

  /** Stores a new agent under a new id; it is on disk when this resolves. */
  async function register(newAgent: NewAgent, options?: RegisterOptions): Promise<Registered> {
    const registered = await countAndCommit(toRegistration(newAgent, options), options);
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
    const first = await countAndCommit({ ...registration, key: idempotencyKey }, options);
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
  async function countAndCommit(registration: Registration, { prepared }: RegisterOptions = {}): Promise<Registered> {
    const { registered, usages } = await commit({ ...registration, prepared });
    const limits = prepared?.check(usages);
    return { ...(registered as Registered), ...(limits && { limits }) };
  }

  /** Stores complete agents in one transaction. */
  function load(agents: readonly Agent[]): Promise<void> {
    return db.transaction().execute(async (transaction) => {
      // Oldest first, since a search ranks equally good agents by `seq`, latest first.
      const sorted = agents.toSorted(byCreation);
      for (let begin = 0; begin < sorted.length; begin += BATCH_SIZE) {
        const batch = sorted.slice(begin, begin + BATCH_SIZE).map((agent) => ({ agent }));
        await writeNewAgents(registry, transaction, batch, 'import');
      }
    });
  }

  function toRegistration(newAgent: NewAgent, { key, isHeld = false }: RegisterOptions = {}): Registration {
    const createdAt = new Date(now()).toISOString();
    const agent = { id: randomUUID(), ...newAgent, rating: 0, reviewCount: 0, createdAt };
    return { agent, isHeld, ...(key !== undefined && { keyHash: hashKey(key) }) };
  }
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
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
  const [held, listed] = [added.filter(({ isHeld }) => isHeld), added.filter(({ isHeld }) => !isHeld)];
  const [owned, unowned] = [
    listed.filter(({ keyHash }) => keyHash !== undefined),
    listed.filter(({ keyHash }) => keyHash === undefined),
  ];
  if (owned.length > 0) await writeNewAgents(registry, transaction, owned, 'owner');
  if (unowned.length > 0) await writeNewAgents(registry, transaction, unowned, 'anyone');
  for (const { agent, ...owned } of held) {
    const unlisting = { state: 'held', reason: '', since: agent.createdAt } as const;
    await addUnlisted(registry, transaction, [{ agent, ...owned }], unlisting);
  }
  await tell(registry, transaction, { type: 'held', agents: held });
  await tell(registry, transaction, { type: 'registered', agents: added });
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
