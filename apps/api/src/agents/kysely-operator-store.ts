import type { Agent } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Acting } from '../actions/operator-action.ts';
import { forgetNames, recordAction, streamActions } from '../actions/record-of-actions.ts';
import { forgetValues } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { removeProposals } from '../review/proposals.ts';
import { createKyselyReviewStore } from '../review/kysely-review-store.ts';
import { removeEvents } from '../webhook/operator-events.ts';
import { ROWS_PER_STATEMENT } from '../db/agent-chunks.ts';
import { toStored, writeAgents, writeAgentsAgain } from './agent-rows.ts';
import { removeHosts } from '../liveness/kysely-host-store.ts';
import { toCheckedHost } from '../website-check/checked-host.ts';
import { removeViews } from '../stats/agent-views.ts';
import { removeSources } from '../sync/agent-sources.ts';
import type { AgentSelection } from './agent-selection.ts';
import { editListed, editUnlisted } from './edit-agent.ts';
import { inspectAgent } from './inspect-agent.ts';
import type { Addition, BulkActor, NamedAgent, OperatorStore } from './operator-store.ts';
import { removeRegistrationKeys } from './registration-keys.ts';
import { readRecords, replaceRecords } from './registry-records.ts';
import { readReports, removeReports, streamReportedIds } from './reports.ts';
import { changeInBulk, collectSeqs, selectUnlisted, selectVisible } from './select-agents.ts';
import {
  moveUnlisted,
  removeListed,
  removeUnlisted,
  returnUnlisted,
  toUnlisted,
  writeUnlisted,
  type Unlisting,
} from './unlisted-agents.ts';

/**
 * Creates the operator store over a database.
 * @param acting who changes agents, for the record of actions; undefined records nothing
 */
export function createKyselyOperatorStore(engine: Engine, acting?: Acting): OperatorStore {
  const { db } = engine;

  return {
    ...createKyselyReviewStore(engine, acting),

    async hide(selection, reason) {
      const hiddenAt = new Date().toISOString();
      return { agents: await unlist(selection, { state: 'hidden', reason, since: hiddenAt }), hiddenAt };
    },

    unhide: (selection) => relist(selection, 'hidden'),

    withdraw(selection, by) {
      return unlist(selection, { state: 'withdrawn', reason: '', since: new Date().toISOString() }, by);
    },

    restore: (selection) => relist(selection, 'withdrawn'),

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

    async erase(selection) {
      const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
      const erased = await changeInBulk({ engine, acting, isErasure: true }, selected, async (transaction, seqs) => {
        const removed = [
          ...(await removeListed(engine, transaction, seqs, 'operator')),
          ...(await removeUnlisted(transaction, seqs)),
        ];
        const ids = removed.map(({ agent }) => agent.id);
        await removeRegistrationKeys(transaction, ids);
        await removeReports(transaction, ids);
        await removeProposals(transaction, ids);
        await removeViews(transaction, ids);
        await removeSources(transaction, ids);
        // A host that other agents have is added again.
        const hosts = removed.flatMap(({ agent }) => toCheckedHost(agent.website) ?? []);
        await removeHosts(transaction, hosts);
        await forgetValues(transaction, ids);
        await forgetNames(transaction, ids);
        await removeEvents(transaction, ids);
        return removed;
      });
      await engine.emptyLog();
      return erased;
    },

    streamActions: (filter) => streamActions(db, filter),

    async *streamVisible(selection) {
      for await (const { agent } of selectVisible(db, selection)) yield agent;
    },

    async *streamUnlisted(selection, ...states) {
      for await (const { seq: _, ...unlisted } of selectUnlisted(db, selection, ...states)) yield unlisted;
    },

    async *streamReported({ ids: selected, ...selection } = {}) {
      for await (const reported of streamReportedIds(db, ROWS_PER_STATEMENT)) {
        const ids = new Set(reported.filter((id) => selected?.has(id) ?? true));
        const agents = new Map<string, Agent>();
        for await (const { agent } of selectVisible(db, { ...selection, ids })) agents.set(agent.id, agent);
        for (const { agentId, reports } of await readReports(db, [...agents.keys()])) {
          yield { agent: agents.get(agentId) as Agent, reports };
        }
      }
    },

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

    add(agents) {
      return db.transaction().execute(async (transaction) => {
        // An agent must not be hidden or withdrawn while its id is looked for.
        await engine.lockWrites(transaction);
        return addTo(transaction, agents);
      });
    },

    async addTogether(use) {
      const transaction = await db.startTransaction().execute();
      try {
        await engine.lockWrites(transaction);
        if (await use((agents) => addTo(transaction, agents))) await transaction.commit().execute();
      } finally {
        if (!transaction.isCommitted) await transaction.rollback().execute();
      }
    },

    replace: (records) => replaceRecords({ engine, acting }, records),
  };

  /** Takes the selected agents off all surfaces, or moves them from another state. */
  async function unlist(
    selection: AgentSelection,
    unlisting: Unlisting,
    by: BulkActor = 'operator',
  ): Promise<NamedAgent[]> {
    const selected = await collectSeqs([selectVisible(db, selection), selectUnlisted(db, selection)]);
    return changeInBulk({ engine, acting, actor: by, seen: selection.seen }, selected, async (transaction, seqs) => {
      const listed = await removeListed(engine, transaction, seqs, by);
      const moved = await moveUnlisted(transaction, seqs, unlisting);
      await writeUnlisted(transaction, listed, unlisting);
      const removed = [...listed, ...moved];
      if (unlisting.state === 'withdrawn') {
        await removeRegistrationKeys(
          transaction,
          removed.map(({ agent }) => agent.id),
        );
      }
      return removed;
    });
  }

  /** Returns the selected agents of a state to the one before: most are listed again, at the place that they had. */
  async function relist(selection: AgentSelection, state: UnlistedState): Promise<NamedAgent[]> {
    const selected = await collectSeqs([selectUnlisted(db, selection, state)]);
    const since = new Date().toISOString();
    return changeInBulk({ engine, acting, seen: selection.seen }, selected, async (transaction, seqs) => {
      const returned = await returnUnlisted(transaction, seqs, state, since);
      const removed = await removeUnlisted(transaction, seqs, state);
      await writeAgentsAgain(engine, transaction, removed, { actor: 'operator' });
      return [...returned, ...removed];
    });
  }

  async function addTo(transaction: Kysely<Tables>, agents: readonly Agent[]): Promise<Addition[]> {
    const ids = agents.map(({ id }) => id);
    const rows = await transaction
      .selectFrom('unlisted_agents')
      .select(['id', 'state'])
      .where('id', 'in', ids)
      .execute();
    const states = new Map(rows.map(({ id, state }) => [id, state]));
    const free = agents.filter(({ id }) => !states.has(id)).map((agent) => ({ agent }));
    const added =
      free.length === 0
        ? new Set<string>()
        : await writeAgents(engine, transaction, free, { actor: 'import', listedAt: new Date().toISOString() });
    // If two agents have one id, the first was added.
    const additions = agents.map(({ id }) => states.get(id) ?? (added.delete(id) ? 'added' : 'taken'));
    await recordAction(
      transaction,
      acting,
      agents.filter((_, index) => additions[index] === 'added'),
    );
    return additions;
  }
}
