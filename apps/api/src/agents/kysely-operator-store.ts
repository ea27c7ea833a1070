import type { Agent } from '@agent-registry/contracts';
import type { Kysely, Selectable } from 'kysely';
import { forgetValues } from '../changes/change-log.ts';
import type { Engine } from '../db/engine.ts';
import type { Tables, UnlistedState } from '../db/tables.ts';
import { ROWS_PER_STATEMENT, chunksOf, readChunk, type AgentTable } from './agent-chunks.ts';
import { toStored, writeAgents, writeAgentsAgain, type StoredAgent } from './agent-rows.ts';
import { createMatcher, type AgentSelection } from './agent-selection.ts';
import type { Addition, NamedAgent, OperatorStore } from './operator-store.ts';
import { removeRegistrationKeys } from './registration-keys.ts';
import { readRecords, replaceRecords } from './registry-records.ts';
import { readReports, removeReports, streamReportedIds } from './reports.ts';
import { removeListed, removeUnlisted, toUnlisted, writeUnlisted, type Unlisting } from './unlisted-agents.ts';

/** Creates the operator store over a database. */
export function createKyselyOperatorStore(engine: Engine): OperatorStore {
  const { db } = engine;

  return {
    async hide(selection, reason) {
      const hiddenAt = new Date().toISOString();
      return { agents: await unlist(selection, { state: 'hidden', reason, since: hiddenAt }), hiddenAt };
    },

    show: (selection) => relist(selection, 'hidden'),

    withdraw(selection) {
      return unlist(selection, { state: 'withdrawn', reason: '', since: new Date().toISOString() });
    },

    restore: (selection) => relist(selection, 'withdrawn'),

    release: (selection) => relist(selection, 'held'),

    async setKeyHash(id, keyHash) {
      const updated = await db
        .updateTable('agents')
        .set({ key_hash: keyHash })
        .where('id', '=', id)
        .returning('seq')
        .execute();
      return updated.length > 0;
    },

    async erase(selection) {
      const selected = await collect([selectVisible(selection), selectUnlisted(selection)]);
      const erased = await inBulk(selected, async (transaction, seqs) => {
        const removed = [
          ...(await removeListed(engine, transaction, seqs, 'operator')),
          ...(await removeUnlisted(transaction, seqs)),
        ];
        const ids = removed.map(({ agent }) => agent.id);
        await removeRegistrationKeys(transaction, ids);
        await removeReports(transaction, ids);
        await forgetValues(transaction, ids);
        return removed;
      });
      await engine.emptyLog();
      return erased;
    },

    async *streamVisible(selection) {
      for await (const { agent } of selectVisible(selection)) yield agent;
    },

    async *streamUnlisted(selection, state) {
      for await (const { seq: _, ...unlisted } of selectUnlisted(selection, state)) yield unlisted;
    },

    async *streamReported({ ids: selected, ...selection } = {}) {
      for await (const reported of streamReportedIds(db, ROWS_PER_STATEMENT)) {
        const ids = new Set(reported.filter((id) => selected?.has(id) ?? true));
        const agents = new Map<string, Agent>();
        for await (const { agent } of selectVisible({ ...selection, ids })) agents.set(agent.id, agent);
        for (const { agentId, reports } of await readReports(db, [...agents.keys()])) {
          yield { agent: agents.get(agentId) as Agent, reports };
        }
      }
    },

    dismissReports: (ids) => removeReports(db, ids),

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

    replace: (records) => replaceRecords(engine, records),
  };

  async function* selectVisible(selection: AgentSelection = {}) {
    const matches = createMatcher(selection);
    for await (const row of readRows('agents', selection)) {
      const stored = toStored(row);
      if (matches(stored.agent)) yield stored;
    }
  }

  async function* selectUnlisted(selection: AgentSelection = {}, state?: UnlistedState) {
    const matches = createMatcher(selection);
    for await (const row of readRows('unlisted_agents', selection)) {
      if (row.seq === null || (state !== undefined && row.state !== state)) continue;
      const unlisted = toUnlisted(row);
      if (matches(unlisted.agent, unlisted.since)) yield { seq: row.seq, ...unlisted };
    }
  }

  /** Takes the selected visible agents off all surfaces. */
  async function unlist(selection: AgentSelection, unlisting: Unlisting): Promise<NamedAgent[]> {
    const selected = await collect([selectVisible(selection)]);
    return inBulk(selected, async (transaction, seqs) => {
      const removed = await removeListed(engine, transaction, seqs, 'operator');
      await writeUnlisted(transaction, removed, unlisting);
      if (unlisting.state === 'withdrawn') {
        await removeRegistrationKeys(
          transaction,
          removed.map(({ agent }) => agent.id),
        );
      }
      return removed;
    });
  }

  /** Lists the selected agents of a state again. */
  async function relist(selection: AgentSelection, state: UnlistedState): Promise<NamedAgent[]> {
    const selected = await collect([selectUnlisted(selection, state)]);
    const listedAt = new Date().toISOString();
    return inBulk(selected, async (transaction, seqs) => {
      const removed = await removeUnlisted(transaction, seqs, state);
      // A held agent is listed for the first time; others return to the place that they had.
      await writeAgentsAgain(engine, transaction, removed, {
        actor: 'operator',
        listedAt: state === 'held' ? listedAt : undefined,
      });
      return removed;
    });
  }

  /** Reads rows by the ids of a selection, or all rows. */
  function readRows<Table extends AgentTable>(
    table: Table,
    selection: AgentSelection,
  ): AsyncGenerator<Selectable<Tables[Table]>, void, undefined>;
  async function* readRows(table: AgentTable, { ids }: AgentSelection): AsyncGenerator<unknown, void, undefined> {
    if (ids) {
      for (const chunk of chunksOf([...ids])) {
        yield* await db.selectFrom(table).selectAll().where('id', 'in', chunk).orderBy('seq').execute();
      }
      return;
    }
    for (let last: number | null | undefined = 0; typeof last === 'number';) {
      const rows: { seq: number | null }[] = await readChunk(db, table, last);
      yield* rows;
      last = rows.at(-1)?.seq;
    }
  }

  /** Collects the row numbers of agents before the transaction during which others wait. */
  async function collect(sources: readonly AsyncIterable<StoredAgent>[]): Promise<number[]> {
    const seqs: number[] = [];
    for (const source of sources) for await (const { seq } of source) seqs.push(seq);
    return seqs;
  }

  /**
   * Changes agents in chunks, in one transaction during which other writers wait. An agent that another process has changed
   * since it was collected is skipped.
   */
  async function inBulk(
    seqs: readonly number[],
    change: (transaction: Kysely<Tables>, seqs: readonly number[]) => Promise<StoredAgent[]>,
  ): Promise<NamedAgent[]> {
    const changed: NamedAgent[] = [];
    if (seqs.length === 0) return changed;
    return db.transaction().execute(async (transaction) => {
      await engine.lockWrites(transaction);
      for (const chunk of chunksOf(seqs)) {
        const agents = await change(transaction, chunk);
        for (const { agent } of agents) changed.push({ id: agent.id, name: agent.name });
      }
      return changed;
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
    return agents.map(({ id }) => states.get(id) ?? (added.delete(id) ? 'added' : 'taken'));
  }
}
