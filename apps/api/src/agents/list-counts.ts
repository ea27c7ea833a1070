import { listCategoryIds, pickFilters } from '@agent-registry/contracts';
import type { Engine } from '../db/engine.ts';
import { toKey } from '../suggestions/suggestion-keys.ts';
import type { AgentLists } from './agent-store.ts';
import { createFacetCounts } from './count-facets.ts';
import { countCapability, isCounted, namesOf, toConditions } from './list-conditions.ts';
import type { ListSelection, SelectedList } from './list-selection.ts';
import { findOftenListed } from './often-listed.ts';

/** Creates the counts of an agent store over a database. */
export function createAgentCounts(
  engine: Engine,
  { selectUnordered }: ListSelection,
): Pick<AgentLists, 'count' | 'countByCategory' | 'countFacets'> {
  const { db } = engine;
  const facets = createFacetCounts(engine, selectUnordered);
  return {
    async count(filters = {}) {
      const { capability } = filters;
      const isOnly = namesOf(filters).length === 1;
      if (capability !== undefined && isOnly) return countCapability(db, toKey(capability));
      if (!isCounted(filters)) {
        const counted = selectUnordered(filters).select((agents) => agents.fn.countAll<number>().as('agents'));
        return (await counted.executeTakeFirstOrThrow()).agents;
      }
      const { agents } = await db
        .selectFrom('agent_counts')
        .select((select) => select.fn.coalesce(select.fn.sum<number>('agents'), select.lit(0)).as('agents'))
        .where((where) => where.and(toConditions(filters)))
        .executeTakeFirstOrThrow();
      return agents;
    },

    async countByCategory() {
      const rows = await db
        .selectFrom('agent_counts')
        .select(['category', (select) => select.fn.sum<number>('agents').as('agents')])
        .groupBy('category')
        .having((having) => having.fn.sum('agents'), '>', 0)
        .execute();
      const counts = [
        ...listCategoryIds(engine.categories).map((id) => [id, 0]),
        ...rows.map(({ category, agents }) => [category, agents]),
      ];
      return Object.fromEntries(counts) as Record<string, number>;
    },

    async countFacets({ category, text, correct, session, ...list }) {
      const indexed = pickFilters(list, 'text');
      const { capability: _own, ...filters } = pickFilters(list);
      const isFiltered = Object.keys(filters).length > 0;
      const findCapabilities = (subject: SelectedList, total?: number) =>
        findOftenListed(engine, selectUnordered, {
          list: { ...filters, ...subject },
          total: isFiltered ? undefined : total,
        });
      if (category !== undefined || text === undefined) {
        const [counts, capabilities] = await Promise.all([
          facets.countListed({ category, ...indexed }),
          findCapabilities({ category }),
        ]);
        return { counts, capabilities, isProvisional: false };
      }
      const hits = await engine.search({ text, correct, session, limit: 1 });
      if (!hits || hits.total === 0)
        return { counts: [], capabilities: [], isProvisional: hits?.isProvisional ?? false };
      const { matching, isProvisional } = hits;
      const [counts, capabilities] = await Promise.all([
        facets.countMatches({ matching, ...indexed }),
        findCapabilities({ matching }, hits.total),
      ]);
      return { counts, capabilities, isProvisional };
    },
  };
}
