import type { Agent, ReportReason } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { addToFigures, toDay } from '../figures/daily-figures.ts';
import { addEvents } from '../webhook/operator-events.ts';
import { toAgent } from '../db/records.ts';
import type { AgentStore } from './agent-store.ts';
import { nextTime } from './edit-agent.ts';
import { findOwned } from './find-owned.ts';
import { createKyselyAgentLists } from './kysely-agent-lists.ts';
import { createOwnerChanges } from './kysely-owner-changes.ts';
import { createRegistrations } from './kysely-registrations.ts';
import { addReport } from './reports.ts';
import { writeNewAgents } from './write-registrations.ts';

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
  return {
    ...createKyselyAgentLists(engine),
    ...createRegistrations(engine, now, onRegistered),
    ...createOwnerChanges(engine, now),

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

    async report(id, { reason, text }) {
      const report = { reason, text, createdAt: nextTime(now()) };
      const isListed = await db.transaction().execute(async (transaction) => {
        // No report is added to an agent that is being erased.
        await engine.lockWrites(transaction);
        const row = await transaction.selectFrom('agents').select('id').where('id', '=', id).executeTakeFirst();
        if (!row) return false;
        await addReport(transaction, id, report);
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
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}
