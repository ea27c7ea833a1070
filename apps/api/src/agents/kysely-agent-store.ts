import { randomUUID } from 'node:crypto';
import { MAX_SEARCH_RESULTS, type Agent } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import type { AgentRow } from '../db/tables.ts';
import { createAgentSearch } from '../search/agent-search.ts';
import type { AgentStore } from './agent-store.ts';

/** Keeps agents in a database. */
export function createKyselyAgentStore(engine: Engine): AgentStore {
  const { db } = engine;
  const search = createAgentSearch(engine);
  const newestFirst = () => db.selectFrom('agents').selectAll().orderBy('created_at', 'desc').orderBy('id');

  const store: AgentStore = {
    async list() {
      return (await newestFirst().execute()).map(toAgent);
    },

    async page({ limit, after }) {
      const cursor = after === undefined ? undefined : await findRow(after);
      if (after !== undefined && !cursor) return undefined;
      let query = newestFirst().limit(limit + 1);
      if (cursor) {
        // Two conditions in place of one OR, so that the index gives the place to start at.
        query = query
          .where('created_at', '<=', cursor.created_at)
          .where((where) => where.or([where('created_at', '<', cursor.created_at), where('id', '>', cursor.id)]));
      }
      const rows = await query.execute();
      return { agents: rows.slice(0, limit).map(toAgent), total: await store.count(), hasMore: rows.length > limit };
    },

    async count() {
      const { total } = await db
        .selectFrom('agents')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow();
      return total;
    },

    async listByCategory(category) {
      return (await newestFirst().where('category', '=', category).execute()).map(toAgent);
    },

    async search({ text, limit = MAX_SEARCH_RESULTS, after }) {
      const cursor = after === undefined ? undefined : await findRow(after);
      if (after !== undefined && !cursor) return undefined;
      const hits = await search.find({ text, limit, after: cursor?.seq });
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
      const agent: Agent = {
        id: randomUUID(),
        ...newAgent,
        rating: 0,
        reviewCount: 0,
        createdAt: new Date().toISOString(),
      };
      await store.load([agent]);
      return agent;
    },

    async load(agents) {
      await db.transaction().execute(async (transaction) => {
        // Oldest first: where a search finds agents equally good, those that were stored last come first.
        for (const agent of agents.toSorted(byCreation)) {
          const row = await transaction
            .insertInto('agents')
            .values(toRow(agent))
            .returningAll()
            .executeTakeFirstOrThrow();
          await search.index(transaction, row);
        }
      });
    },
  };
  return store;

  function findRow(id: string): Promise<AgentRow | undefined> {
    return db.selectFrom('agents').selectAll().where('id', '=', id).executeTakeFirst();
  }
}

function byCreation(a: Agent, b: Agent): number {
  return a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt);
}

function toRow(agent: Agent): Omit<AgentRow, 'seq'> {
  return {
    id: agent.id,
    name: agent.name,
    description: agent.description,
    category: agent.category,
    capabilities: JSON.stringify(agent.capabilities),
    contact_email: agent.contactEmail,
    website: agent.website,
    pricing_model: agent.pricingModel,
    api_access: agent.apiAccess,
    rating: agent.rating,
    review_count: agent.reviewCount,
    created_at: agent.createdAt,
  };
}

function toAgent(row: AgentRow): Agent {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    category: row.category as Agent['category'],
    capabilities: JSON.parse(row.capabilities) as string[],
    contactEmail: row.contact_email,
    website: row.website,
    pricingModel: row.pricing_model as Agent['pricingModel'],
    apiAccess: row.api_access as Agent['apiAccess'],
    rating: row.rating,
    reviewCount: row.review_count,
    createdAt: row.created_at,
  };
}
