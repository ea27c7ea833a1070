import { setTimeout } from 'node:timers/promises';
import type { Agent, AgentPatch, AgentState, Report } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { type Acting, recordAction, streamActions, type ActionFilter } from '../actions/record-of-actions.ts';
import { toStored, type Registry } from '../agents/agent-rows.ts';
import { type AgentSelection, collectSeqs, selectAgents } from '../agents/select-agents.ts';
import { editListed, editUnlisted } from '../agents/edit-agent.ts';
import { readReports, removeReports, streamReportedIds } from '../agents/reports.ts';
import { removeListed, removeUnlisted, toUnlisted } from '../agents/unlisted-agents.ts';
import type { Engine } from '../db/engine.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import type { UnlistedState } from '../db/states.ts';
import type { Tables } from '../db/tables.ts';
import { createAdditions, createListings } from './listings.ts';
import { changeInBulk, type BulkActor, type NamedAgent } from './change-in-bulk.ts';
import { inspectAgent } from './inspect-agent.ts';
import { toRegistry } from './listeners.ts';
import { readRecords, replaceRecords } from './registry-records.ts';
import { createReviews } from './reviews.ts';
import { eraseRecords, readBySeqs } from '../db/records.ts';
import { removeEvents } from '../webhook/webhook-store.ts';

export type ReportedAgent = { agent: Agent; reports: Report[] };
export type OperatorStore = ReturnType<typeof createOperatorStore>;

/** `acting` is who changes agents, for the record of actions; undefined records nothing. */
export function createOperatorStore(engine: Engine, acting?: Acting) {
  const { db } = engine;
  const registry = toRegistry(engine);
  return {
    ...createReviews(registry, acting),
    ...createListings(registry, acting),
    ...createAdditions(registry, acting),
    edit,
    inspect: (id: string) => inspectAgent(db, id),
    setKeyHash,
    erase: (selection: AgentSelection) => eraseAgents(registry, acting, selection),
    streamActions: (filter?: ActionFilter) => streamActions(db, filter),
    stream: (selection?: AgentSelection, states?: readonly AgentState[]) => selectAgents(db, selection, states),
    streamReported: (selection?: AgentSelection) => streamReported(db, selection),
    dismissReports,
    countUnlisted,
    explainSearch: (text: string) => explainSearch(engine, text),
    read: () => readRecords(db),
    replace: (records: AsyncIterable<RegistryRecord>) => replaceRecords(registry, acting, records),
  };

  async function edit(selection: AgentSelection, patch: AgentPatch, by: BulkActor = 'operator'): Promise<NamedAgent[]> {
    const selected = await collectSeqs(selectAgents(db, selection));
    return changeInBulk({ registry, acting, actor: by }, selected, async (transaction, seqs) => {
      const listed = await transaction.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
      const unlisted = await transaction.selectFrom('unlisted_agents').selectAll().where('seq', 'in', seqs).execute();
      const editing = { actor: by, now: Date.now() };
      const edited: Agent[] = [];
      for (const row of listed) edited.push(await editListed(registry, transaction, toStored(row), patch, editing));
      for (const row of unlisted) edited.push(await editUnlisted(transaction, toUnlisted(row).agent, patch));
      return edited.map((agent) => ({ agent }));
    });
  }

  /** Gives a visible agent another management key, by its hash; false if there is no such agent. */
  function setKeyHash(id: string, keyHash: string): Promise<boolean> {
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
  }

  function dismissReports(ids: readonly string[]): Promise<number> {
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
  }

  async function countUnlisted(state?: UnlistedState): Promise<number> {
    const { agents } = await db
      .selectFrom('unlisted_agents')
      .select((select) => select.fn.countAll<number>().as('agents'))
      .where('agent', 'is not', null)
      .$if(state !== undefined, (query) => query.where('state', '=', state as UnlistedState))
      .executeTakeFirstOrThrow();
    return agents;
  }
}

async function* streamReported(
  db: Kysely<Tables>,
  { ids: selected, ...selection }: AgentSelection = {},
): AsyncGenerator<ReportedAgent, void, undefined> {
  for await (const reported of streamReportedIds(db)) {
    const ids = new Set(reported.filter((id) => selected?.has(id) ?? true));
    const agents = new Map<string, Agent>();
    for await (const { agent } of selectAgents(db, { ...selection, ids }, ['listed'])) agents.set(agent.id, agent);
    for (const { agentId, reports } of await readReports(db, [...agents.keys()])) {
      yield { agent: agents.get(agentId) as Agent, reports };
    }
  }
}

/** Removes agents, visible or not, with everything that is stored of them, in one transaction like `hide`. */
async function eraseAgents(
  registry: Registry,
  acting: Acting | undefined,
  selection: AgentSelection,
): Promise<NamedAgent[]> {
  const { db } = registry;
  const selected = await collectSeqs(selectAgents(db, selection));
  const erased = await changeInBulk({ registry, acting, isErasure: true }, selected, async (transaction, seqs) => {
    const removed = [
      ...(await removeListed(registry, transaction, seqs, 'operator')),
      ...(await removeUnlisted(transaction, seqs)),
    ];
    const ids = removed.map(({ agent }) => agent.id);
    await eraseRecords(transaction, ids);
    await removeEvents(transaction, ids);
    return removed;
  });
  await registry.purge();
  return erased;
}

/** How long a search waits for the words of agents before it is asked again, in milliseconds. */
const VOCABULARY_WAIT = 50;

/** Runs a public search: its first ten results, why they stand where they do, and how the text was read. */
async function explainSearch({ search, db }: Engine, text: string) {
  let hits = await search({ text, limit: 10, explain: true });
  // A process that has just started reads the words of many agents first, without which a search finds less.
  while (hits?.isProvisional) {
    await setTimeout(VOCABULARY_WAIT);
    hits = await search({ text, limit: 10, explain: true });
  }
  const { seqs = [], explained = [], understood, correction } = hits ?? {};
  // Results past the scored ones are not explained.
  const results = (await readBySeqs(db, seqs)).map(({ seq, id, name }) => ({
    id,
    name,
    ...explained.find((other) => other.seq === seq),
  }));
  return { results, understood, correction };
}
