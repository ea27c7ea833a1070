import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { recordAction, streamActions } from '../actions/record-of-actions.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { createReviewStore } from './kysely-review-store.ts';
import { toStored } from '../agents/agent-rows.ts';
import type { AgentSelection } from '../agents/agent-selection.ts';
import { editListed, editUnlisted } from '../agents/edit-agent.ts';
import { eraseAgents } from './erase-agents.ts';
import { inspectAgent } from './inspect-agent.ts';
import { createAdditions } from './additions.ts';
import { createListings } from './listings.ts';
import type { OperatorStore } from './operator-store.ts';
import { readRecords, replaceRecords } from './registry-records.ts';
import { readReports, removeReports, streamReportedIds } from '../agents/reports.ts';
import { changeInBulk, collectSeqs, selectUnlisted, selectVisible } from '../agents/select-agents.ts';
import { toUnlisted } from '../agents/unlisted-agents.ts';

/**
 * Creates the operator store over a database.
 * @param acting who changes agents, for the record of actions; undefined records nothing
 */
export function createOperatorStore(engine: Engine, acting?: Acting): OperatorStore {
  const { db } = engine;

  return {
    ...createReviewStore(engine, acting),
    ...createListings(engine, acting),
    ...createAdditions(engine, acting),

    async edit(selection, patch, by = 'operator') {
      const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
      return changeInBulk({ engine, acting, actor: by }, selected, async (transaction, seqs) => {
        const listed = await transaction.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
        const unlisted = await transaction.selectFrom('unlisted_agents').selectAll().where('seq', 'in', seqs).execute();
        const editing = { actor: by, now: Date.now() };
        const edited: Agent[] = [];
        for (const row of listed) edited.push(await editListed(engine, transaction, toStored(row), patch, editing));
        for (const row of unlisted) edited.push(await editUnlisted(transaction, toUnlisted(row).agent, patch));
        return edited.map((agent) => ({ agent }));
      });
    },

    inspect: (id) => inspectAgent(db, id),

    setKeyHash(id, keyHash) {
      return db.transaction().execute(async (transaction) => {
        const updated = await transaction
          .updateTable('agents')
          .set({ key_hash: keyHash })
          .where('id', '=', id)
          .returning(['id', 'name'])
          .execute();
        await recordAction(transaction, acting, updated);
        return updated.length > 0;
      });
    },

    erase: (selection) => eraseAgents(engine, acting, selection),

    streamActions: (filter) => streamActions(db, filter),

    async *streamVisible(selection) {
      for await (const { agent } of selectVisible(db, selection)) yield agent;
    },

    async *streamUnlisted(selection, ...states) {
      for await (const { seq: _, ...unlisted } of selectUnlisted(db, selection, ...states)) yield unlisted;
    },

    streamReported: (selection) => streamReported(db, selection),

    dismissReports(ids) {
      return db.transaction().execute(async (transaction) => {
        const reported = transaction
          .selectFrom('reports')
          .leftJoin('agents', 'agents.id', 'agent_id')
          .select(['agent_id as id', 'name'])
          .distinct()
          .where('agent_id', 'in', ids);
        await recordAction(transaction, acting, await reported.execute());
        return removeReports(transaction, ids);
      });
    },

    async countUnlisted(state) {
      const { agents } = await db
        .selectFrom('unlisted_agents')
        .select((select) => select.fn.countAll<number>().as('agents'))
        .where('agent', 'is not', null)
        .$if(state !== undefined, (query) => query.where('state', '=', state as UnlistedState))
        .executeTakeFirstOrThrow();
      return agents;
    },

    read: () => readRecords(db),

    replace: (records) => replaceRecords({ engine, acting }, records),
  };
}

/** Streams the selected agents that were reported, with their reports. */
async function* streamReported(
  db: Kysely<Tables>,
  { ids: selected, ...selection }: AgentSelection = {},
): ReturnType<OperatorStore['streamReported']> {
  for await (const reported of streamReportedIds(db)) {
    const ids = new Set(reported.filter((id) => selected?.has(id) ?? true));
    const agents = new Map<string, Agent>();
    for await (const { agent } of selectVisible(db, { ...selection, ids })) agents.set(agent.id, agent);
    for (const { agentId, reports } of await readReports(db, [...agents.keys()])) {
      yield { agent: agents.get(agentId) as Agent, reports };
    }
  }
}
