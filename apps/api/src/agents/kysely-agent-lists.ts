import { MAX_PAGE_BYTES, type Agent } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { takeWithin } from '../db/take-within.ts';
import { RegistryError } from '../registry-error.ts';
import { findSuggestions } from '../suggestions/find-suggestions.ts';
import { toAgent } from '../db/records.ts';
import type { AgentLists } from './agent-store.ts';
import { createAgentCounts } from './kysely-agent-counts.ts';
import { createAgentSearches } from './kysely-agent-searches.ts';
import { createListPages } from './kysely-list-pages.ts';
import { toConditions } from './list-conditions.ts';
import { createListSelection, type SelectedList } from './list-selection.ts';

const TOO_LONG = 'The list is too long for one response; please ask for pages of it with limit';

/** Creates the lists, counts and searches of an agent store over a database. */
export function createKyselyAgentLists(engine: Engine): AgentLists {
  const { db } = engine;
  const selection = createListSelection(engine);
  const { select, run } = selection;
  const pages = createListPages(engine, selection);
  const lists: AgentLists = {
    ...createAgentCounts(engine, selection),
    ...createAgentSearches(engine, pages),

    async list({ maxBytes = MAX_PAGE_BYTES, ...list } = {}) {
      const agents: Agent[] = [];
      let bytes = 0;
      for await (const chunk of pages.streamList(list)) {
        bytes += Buffer.byteLength(JSON.stringify(chunk));
        if (bytes > maxBytes) throw new RegistryError('invalid', TOO_LONG);
        agents.push(...chunk);
      }
      return agents;
    },

    stream: (request = {}) => pages.streamList(request),

    page: (request) => pages.readPage(request, request, () => lists.count(request)),

    async findAll(ids, maxBytes) {
      const keys = await pages.findKeys('id', ids);
      const first = takeWithin(keys, maxBytes);
      return { agents: await pages.readAgents(first), leftOut: keys[first.length]?.id };
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
