import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Agent, NewAgent, ReportReason } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { addToFigures, toDay } from '../figures/daily-figures.ts';
import { addEvents } from '../webhook/operator-events.ts';
import { groupCommits } from '../db/group-commit.ts';
import { logChange } from '../changes/change-log.ts';
import { removeProposals } from '../review/proposals.ts';
import { writeOwnersEdit } from '../review/owner-edits.ts';
import { rewriteTokens, toAgent } from './agent-rows.ts';
import type { AgentStore, Registered, RegisterOptions } from './agent-store.ts';
import { changeOwned } from './change-owned.ts';
import { nextTime } from './edit-agent.ts';
import { findOwned, hasKey, toOwnVersion } from './find-owned.ts';
import { createKyselyAgentLists } from './kysely-agent-lists.ts';
import { hashKey } from './management-keys.ts';
import { removeRegistrationKeys, type Registration } from './registration-keys.ts';
import { addReports } from './reports.ts';
import { moveUnlisted, removeListed, writeUnlisted } from './unlisted-agents.ts';
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

    update: (id, authority, patch, review) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        const edited = await writeOwnersEdit(engine, transaction, owned, patch, { review, now: now() });
        await addToFigures(transaction, toDay(now()), { edits: 1 });
        return edited;
      }),

    takeBack: (id, authority) =>
      changeOwned(engine, id, authority, async (transaction, { stored, state, proposal }) => {
        if (proposal) await removeProposals(transaction, [id]);
        return { agent: stored.agent, isHeld: state !== 'listed' };
      }),

    withdraw: (id, authority) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        const since = nextTime(now());
        await removeRegistrationKeys(transaction, [id]);
        if (owned.state === 'listed') {
          await removeListed(engine, transaction, [owned.stored.seq], 'owner');
          await writeUnlisted(transaction, [owned.stored], { state: 'withdrawn', reason: '', since });
        } else {
          await moveUnlisted(transaction, [owned.stored.seq], { state: 'withdrawn', since });
        }
        return { agent: toOwnVersion(owned), isHeld: false };
      }),

    replaceKey: (id, authority, newKey) =>
      changeOwned(engine, id, authority, async (transaction, owned) => {
        await transaction
          .updateTable(owned.state === 'listed' ? 'agents' : 'unlisted_agents')
          .set({ key_hash: hashKey(newKey) })
          .where('id', '=', id)
          .execute();
        return { agent: toOwnVersion(owned), isHeld: false };
      }),

    async claim(id, { website, proof }, newKey) {
      return db.transaction().execute(async (transaction) => {
        await engine.lockWrites(transaction);
        const owned = await transaction
          .selectFrom('agents')
          .select(['id', 'website_checked_at'])
          .where('id', '=', id)
          .where('website', '=', website)
          .executeTakeFirst();
        if (!owned) return undefined;
        const at = nextTime(now());
        const row = await transaction
          .updateTable('agents')
          .set({ key_hash: hashKey(newKey), website_checked_at: at, website_proof: proof })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const agent = toAgent(row);
        await rewriteTokens(engine, transaction, { seq: row.seq, agent });
        const fields = { websiteCheckedAt: [owned.website_checked_at, at] } as const;
        await logChange(transaction, { kind: 'updated', actor: 'website', at }, [{ id, fields }]);
        return agent;
      });
    },

    async report(id, { reason, text }) {
      const report = { reason, text, createdAt: nextTime(now()) };
      const isListed = await db.transaction().execute(async (transaction) => {
        // No report is added to an agent that is being erased.
        await engine.lockWrites(transaction);
        const row = await transaction.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst();
        if (!row) return false;
        await addReports(transaction, { agentId: id, reports: [report] });
        await addEvents(transaction, 'agent.reported', [id]);
        await addToFigures(transaction, toDay(now()), { reports: 1 });
        return true;
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
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}
