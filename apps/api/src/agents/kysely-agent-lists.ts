import { setImmediate } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { findSuggestions } from '../suggestions/find-suggestions.ts';
import { toAgent } from './agent-rows.ts';
import type { AgentLists } from './agent-store.ts';
import { createAgentCounts } from './kysely-agent-counts.ts';
import { createAgentSearches } from './kysely-agent-searches.ts';
import { createListPages } from './kysely-list-pages.ts';
import { toConditions } from './list-conditions.ts';
import { createListSelection, type SelectedList } from './list-selection.ts';

/** Agents per chunk of a stream, few enough that other requests do not wait long. */
export const CHUNK_SIZE = 50;
/** Agents that a stream reads with one statement. */
export const BATCH_SIZE = 200;

/** Creates the lists, counts and searches of an agent store over a database. */
export function createKyselyAgentLists(engine: Engine): AgentLists {
  const { db } = engine;
  const selection = createListSelection(engine);
  const { select, run } = selection;
  const pages = createListPages(engine, selection);
  const lists: AgentLists = {
    ...createAgentCounts(engine, selection),
    ...createAgentSearches(engine, pages),

    async list(request) {
      const agents: Agent[] = [];
      for await (const chunk of lists.stream(request)) agents.push(...chunk);
      return agents;
    },

    async *stream(request = {}) {
      for await (const rows of pages.readBatches(request, BATCH_SIZE)) {
        for (let begin = 0; begin < rows.length; begin += CHUNK_SIZE) {
          yield rows.slice(begin, begin + CHUNK_SIZE).map(toAgent);
          // SQLite reads are synchronous: without this pause the stream would block the event loop.
          await setImmediate();
        }
      }
    },

    page: (request) => pages.readPage(request, request, () => lists.count(request)),

    async findAll(ids) {
      return (await db.selectFrom('agents').selectAll().where('id', 'in', ids).execute()).map(toAgent);
    },

    async latest({ category, text, correct, limit, session, ...filters }) {
      const list: SelectedList = { ...filters, category };
      let isProvisional = false;
      if (category === undefined && text !== undefined) {
        const hits = await engine.search({ text, correct, session, limit: 1 });
        isProvisional = hits?.isProvisional ?? false;
        if (!hits || hits.total === 0) return { latest: [], isProvisional };
        list.matching = hits.matching;
      }
      const latest = (await select(list)).selectAll().orderBy('changed_at', 'desc').orderBy('seq', 'desc').limit(limit);
      const rows = await run(list, latest);
      return { latest: rows.map((row) => ({ agent: toAgent(row), changedAt: row.changed_at })), isProvisional };
    },

    suggest: (text) => findSuggestions(db, text),

    async lastChange(category) {
      const { changedAt } = await db
        .selectFrom('agent_counts')
        .select((select) => select.fn.max<string | null>('changed_at').as('changedAt'))
        .where((where) => where.and(toConditions({ category })))
        .executeTakeFirstOrThrow();
      return changedAt ?? undefined;
    },
  };
  return lists;
}
