import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { applyPatch, hostOf, type Agent, type NewAgent, type ReportReason } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { groupCommits } from '../db/group-commit.ts';
import type { Tables } from '../db/tables.ts';
import { logChange } from '../changes/change-log.ts';
import { rewriteAgent, toAgent, type StoredAgent } from './agent-rows.ts';
import type { AgentStore, Authority, Refusal, Registered, RegisterOptions } from './agent-store.ts';
import { isExpected } from './expected-version.ts';
import { findOwned, findStored, hasKey } from './find-owned.ts';
import { createKyselyAgentLists } from './kysely-agent-lists.ts';
import { hashKey, isKeyOf } from './management-keys.ts';
import { removeRegistrationKeys, type Registration } from './registration-keys.ts';
import { addReports } from './reports.ts';
import { removeListed, writeUnlisted } from './unlisted-agents.ts';
import { writeNewAgents, writeRegistrations } from './write-registrations.ts';

/** Agents that `load` writes with one statement. */
const BATCH_SIZE = 200;

/** Options of an agent store. */
export type AgentStoreOptions = {
  /** The time, in milliseconds since 1970. */
  now?: () => number;
  /** Called for each registered agent, after its commit. */
  onRegistered?: (() => void) | undefined;
  /** Called with the reason of each report, after its commit. */
  onReported?: ((reason: ReportReason) => void) | undefined;
};

/** Creates the agent store over a database. */
export function createKyselyAgentStore(
  engine: Engine,
  { now = () => Date.now(), onRegistered = () => {}, onReported = () => {} }: AgentStoreOptions = {},
): AgentStore {
  const { db } = engine;
  const commit = groupCommits<Registration, Registered>(db, (transaction, registrations) =>
    writeRegistrations(engine, transaction, registrations, now()),
  );

  const store: AgentStore = {
    ...createKyselyAgentLists(engine),

    version: () => engine.version(),

    async find(id) {
      const row = await db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toAgent(row);
    },

    async isWithdrawn(id) {
      const row = await db
        .selectFrom('unlisted_agents')
        .select('id')
        .where('id', '=', id)
        .where('state', '=', 'withdrawn')
        .executeTakeFirst();
      return row !== undefined;
    },

    findOwned: (id, key) => findOwned(db, id, key),

    async register(newAgent, options) {
      const registered = await commit(toRegistration(newAgent, options));
      onRegistered();
      return registered;
    },

    async registerOnce(idempotencyKey, newAgent, options) {
      const registration = toRegistration(newAgent, options);
      const first = await commit({ ...registration, key: idempotencyKey });
      if (first.agent === registration.agent) {
        onRegistered();
        return first;
      }
      const isSame = Object.entries(newAgent).every(([field, value]) =>
        isDeepStrictEqual(first.agent[field as keyof NewAgent], value),
      );
      if (!isSame) return undefined;
      const managementKey = options?.key;
      return managementKey === undefined || (await hasKey(db, first.agent.id, managementKey)) ? first : undefined;
    },

    update: (id, authority, patch) =>
      change(id, authority, async (transaction, { agent, ...stored }) => {
        if (Object.keys(patch).length === 0) return agent;
        const { websiteCheckedAt, ...rest } = agent;
        const fields = applyPatch(agent, patch);
        const isSamePage = pageOf(fields.website) === pageOf(agent.website);
        const updated = {
          ...rest,
          ...fields,
          updatedAt: nextTime(agent.updatedAt),
          ...(isSamePage && websiteCheckedAt !== undefined && { websiteCheckedAt }),
        };
        await rewriteAgent(engine, transaction, { ...stored, agent: updated }, { before: agent, actor: 'owner' });
        return updated;
      }),

    withdraw: (id, authority) =>
      change(id, authority, async (transaction, stored) => {
        await removeRegistrationKeys(transaction, [id]);
        await removeListed(engine, transaction, [stored.seq], 'owner');
        await writeUnlisted(transaction, [stored], { state: 'withdrawn', reason: '', since: nextTime() });
        return stored.agent;
      }),

    replaceKey: (id, authority, newKey) =>
      change(id, authority, async (transaction, { seq, agent }) => {
        await transaction
          .updateTable('agents')
          .set({ key_hash: hashKey(newKey) })
          .where('seq', '=', seq)
          .execute();
        return agent;
      }),

    async claim(id, website, newKey) {
      return db.transaction().execute(async (transaction) => {
        await engine.lockWrites(transaction);
        const owned = await transaction
          .selectFrom('agents')
          .select(['id', 'website_checked_at'])
          .where('id', '=', id)
          .where('website', '=', website)
          .executeTakeFirst();
        if (!owned) return undefined;
        const at = nextTime();
        const row = await transaction
          .updateTable('agents')
          .set({ key_hash: hashKey(newKey), website_checked_at: at })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const fields = { websiteCheckedAt: [owned.website_checked_at, at] } as const;
        await logChange(transaction, { kind: 'updated', actor: 'website', at }, [{ id, fields }]);
        return toAgent(row);
      });
    },

    async report(id, { reason, text }) {
      const report = { reason, text, createdAt: nextTime() };
      const isListed = await db.transaction().execute(async (transaction) => {
        // No report is added to an agent that is being erased.
        await engine.lockWrites(transaction);
        const row = await transaction.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst();
        if (row) await addReports(transaction, { agentId: id, reports: [report] });
        return row !== undefined;
      });
      if (!isListed) return undefined;
      onReported(reason);
      return report;
    },

    async load(agents) {
      await db.transaction().execute(async (transaction) => {
        // Oldest first, since a search ranks equally good agents by `seq`, latest first.
        const sorted = agents.toSorted(byCreation);
        for (let begin = 0; begin < sorted.length; begin += BATCH_SIZE) {
          const batch = sorted.slice(begin, begin + BATCH_SIZE);
          const owned = batch.map((agent) => ({ agent }));
          await writeNewAgents(engine, transaction, owned, 'import');
        }
      });
    },
  };
  return store;

  function toRegistration(newAgent: NewAgent, { key, isHeld = false }: RegisterOptions = {}): Registration {
    const createdAt = new Date(now()).toISOString();
    const agent = { id: randomUUID(), ...newAgent, rating: 0, reviewCount: 0, createdAt };
    return { agent, isHeld, ...(key !== undefined && { keyHash: hashKey(key) }) };
  }

  /** The time, or a millisecond after an earlier time if that is later. */
  function nextTime(earlier?: string): string {
    return new Date(Math.max(now(), earlier === undefined ? 0 : Date.parse(earlier) + 1)).toISOString();
  }

  /** Changes an agent with its key in a transaction, unless its conditions no longer hold there. */
  async function change(
    id: string,
    { key, expected }: Authority,
    write: (transaction: Kysely<Tables>, stored: StoredAgent) => Promise<Agent>,
  ): Promise<Agent | Refusal> {
    // Checked first without a transaction, so that calls that are refused do not delay other writers.
    const refusal = check(await findStored(db, id));
    if (refusal === 'unknown' && (await store.isWithdrawn(id))) return 'withdrawn';
    if (refusal !== undefined) return refusal;
    return db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      const stored = await findStored(transaction, id);
      const refusalNow = check(stored);
      if (!stored || refusalNow !== undefined) return refusalNow ?? 'unknown';
      return write(transaction, stored);
    });

    function check(stored: StoredAgent | undefined): Refusal | undefined {
      if (!stored) return 'unknown';
      if (!isKeyOf(key, stored.keyHash)) return 'unauthorized';
      return isExpected(stored.agent, expected) ? undefined : 'unexpected';
    }
  }
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}

/** The page of a website, which its owner was seen to control: others on its host may be of somebody else. */
function pageOf(website: string | null): string | undefined {
  if (website === null) return undefined;
  const { port, pathname, search } = new URL(website);
  return [hostOf(website), port, pathname + search].join(' ');
}
