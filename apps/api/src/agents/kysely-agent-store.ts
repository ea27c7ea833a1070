import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  categoryIds,
  IDEMPOTENCY_KEY_LIFETIME,
  MAX_SEARCH_RESULTS,
  type Agent,
  type CategoryId,
  type NewAgent,
} from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import type { Engine } from '../db/engine.ts';
import { groupCommits } from '../db/group-commit.ts';
import type { AgentRow, Tables } from '../db/tables.ts';
import { toAgent, writeAgents } from './agent-rows.ts';
import { totalOf, type AgentStore, type PageRequest } from './agent-store.ts';

/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** Agents that a stream reads, and `load` writes, with one statement. */
export const BATCH_SIZE = 200;

/** An agent to store, once per idempotency key. */
type Registration = { agent: Agent; key?: string };

/** Options of an agent store. */
export type AgentStoreOptions = {
  /** The time, in milliseconds since 1970. */
  now?: () => number;
  /** Called for each registered agent, after its commit. */
  onRegistered?: (() => void) | undefined;
};

/** Creates the agent store over a database. */
export function createKyselyAgentStore(
  engine: Engine,
  { now = () => Date.now(), onRegistered = () => {} }: AgentStoreOptions = {},
): AgentStore {
  const { db } = engine;
  const commit = groupCommits(db, registerAll);

  const store: AgentStore = {
    async list(category) {
      const agents: Agent[] = [];
      for await (const chunk of store.stream(category)) agents.push(...chunk);
      return agents;
    },

    async *stream(category) {
      let last: AgentRow | undefined;
      for (;;) {
        const rows = await readRows({ category, limit: BATCH_SIZE }, last);
        for (let begin = 0; begin < rows.length; begin += CHUNK_SIZE) {
          yield rows.slice(begin, begin + CHUNK_SIZE).map(toAgent);
          // SQLite reads are synchronous: without this pause the stream would block the event loop.
          await setImmediate();
        }
        if (rows.length < BATCH_SIZE) return;
        last = rows.at(-1);
      }
    },

    async page({ category, limit, after }) {
      const last = after === undefined ? undefined : await findRow(after);
      const isListed = last && (category === undefined || last.category === category);
      if (after !== undefined && !isListed) return undefined;
      const rows = await readRows({ category, limit: limit + 1 }, last);
      return {
        agents: rows.slice(0, limit).map(toAgent),
        total: await store.count(category),
        hasMore: rows.length > limit,
      };
    },

    async count(category) {
      const counts = await store.countByCategory();
      return category ? counts[category] : totalOf(counts);
    },

    version: () => engine.version(),

    async countByCategory() {
      const rows = await db
        .selectFrom('agent_counts')
        .select(['category', (select) => select.fn.sum<number>('agents').as('agents')])
        .groupBy('category')
        .execute();
      const counts = new Map(rows.map(({ category, agents }) => [category, agents]));
      return Object.fromEntries(categoryIds.map((id) => [id, counts.get(id) ?? 0])) as Record<CategoryId, number>;
    },

    async search({ text, limit = MAX_SEARCH_RESULTS, after }) {
      const cursor = after === undefined ? undefined : await findRow(after);
      if (after !== undefined && !cursor) return undefined;
      const hits = await engine.search({ text, limit, after: cursor?.seq });
      if (!hits) return undefined;
      const { seqs, ...rest } = hits;
      if (seqs.length === 0) return { agents: [], ...rest };
      const rows = await db.selectFrom('agents').selectAll().where('seq', 'in', seqs).execute();
      const rowsBySeq = new Map(rows.map((row) => [row.seq, row]));
      const found = seqs.flatMap((seq) => rowsBySeq.get(seq) ?? []);
      return { agents: found.map(toAgent), ...rest };
    },

    async find(id) {
      const row = await findRow(id);
      return row && toAgent(row);
    },

    async register(newAgent) {
      const agent = toNewlyRegistered(newAgent);
      await commit({ agent });
      onRegistered();
      return agent;
    },

    async registerOnce(key, newAgent) {
      const agent = toNewlyRegistered(newAgent);
      const first = await commit({ agent, key });
      if (first === agent) onRegistered();
      return isDeepStrictEqual({ ...first, ...newAgent }, first) ? first : undefined;
    },

    async load(agents) {
      await db.transaction().execute(async (transaction) => {
        // Oldest first, since a search ranks equally good agents by `seq`, latest first.
        const sorted = agents.toSorted(byCreation);
        for (let begin = 0; begin < sorted.length; begin += BATCH_SIZE) {
          await write(transaction, sorted.slice(begin, begin + BATCH_SIZE));
        }
      });
    },
  };
  return store;

  function toNewlyRegistered(newAgent: NewAgent): Agent {
    return { id: randomUUID(), ...newAgent, rating: 0, reviewCount: 0, createdAt: new Date(now()).toISOString() };
  }

  /** Writes a group of registrations; returns each agent, or the earlier agent with the same key. */
  async function registerAll(transaction: Kysely<Tables>, registrations: readonly Registration[]): Promise<Agent[]> {
    const firsts = await claimKeys(transaction, registrations);
    const results = registrations.map(({ agent, key }) => (key === undefined ? agent : (firsts.get(key) as Agent)));
    const added = registrations.flatMap(({ agent }, index) => (results[index] === agent ? [agent] : []));
    if (added.length > 0) await write(transaction, added);
    return results;
  }

  /** Stores new keys with their agents; returns the agent of each key, which may have been registered before. */
  async function claimKeys(
    transaction: Kysely<Tables>,
    registrations: readonly Registration[],
  ): Promise<Map<string, Agent>> {
    const agents = new Map<string, Agent>();
    for (const { agent, key } of registrations) if (key !== undefined && !agents.has(key)) agents.set(key, agent);
    if (agents.size === 0) return agents;
    await transaction
      .deleteFrom('registration_keys')
      .where('created_at', '<=', new Date(now() - IDEMPOTENCY_KEY_LIFETIME).toISOString())
      .execute();
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
      .onConflict((conflict) => conflict.column('key').doNothing())
      .returning('key')
      .execute();
    const known = new Set(agents.keys());
    for (const { key } of claimed) known.delete(key);
    if (known.size === 0) return agents;
    const firsts = await transaction
      .selectFrom('registration_keys')
      .select(['key', 'agent'])
      .where('key', 'in', [...known])
      .execute();
    // Another process may have deleted an expired key since.
    if (firsts.length < known.size) throw new Error('An idempotency key expired during its registration.');
    for (const { key, agent } of firsts) agents.set(key, JSON.parse(agent) as Agent);
    return agents;
  }

  async function write(transaction: Kysely<Tables>, agents: readonly Agent[]): Promise<void> {
    const { size } = await writeAgents(engine, transaction, agents);
    if (size < agents.length) throw new Error('The id of an agent is taken.');
  }

  /** The first rows of a list, or the first rows after a row (keyset paging). */
  function readRows({ category, limit }: PageRequest, after: AgentRow | undefined): Promise<AgentRow[]> {
    return db
      .selectFrom('agents')
      .selectAll()
      .$if(category !== undefined, (query) => query.where('category', '=', category as CategoryId))
      .$if(after !== undefined, (query) => {
        const { created_at, id } = after as AgentRow;
        // Two conditions instead of one OR, so that the index gives the start.
        return query
          .where('created_at', '<=', created_at)
          .where((where) => where.or([where('created_at', '<', created_at), where('id', '>', id)]));
      })
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
  }

  function findRow(id: string): Promise<AgentRow | undefined> {
    return db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  }
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}
