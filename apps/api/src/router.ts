import {
  createReadRequests,
  type Category,
  type EndpointName,
  newReportSchema,
  reportSchema,
  createStatsSchema,
  listCategoryIds,
  type ReadRequests,
  suggestionsSchema,
  suggestRequestSchema,
  type Suggestions,
  changesRequestSchema,
  changesSchema,
  MAX_CHANGES,
  MAX_PAGE_SIZE,
  parseChangesCursor,
  toChangesCursor,
  type Changes,
} from '@agent-registry/contracts';
import type { inferRouterOutputs } from '@trpc/server';
import type { z } from 'zod';
import { createBrowseRouter } from './agents/browse-router.ts';
import { createOwnerRouter } from './agents/owner-router.ts';
import { createPrefillRouter } from './prefill/prefill-router.ts';
import { factsRouter } from './stats/facts-router.ts';
import { mergeRouters, router, type Context, procedureFor } from './trpc.ts';
import { toFollowed } from './changes/change-log.ts';
import { toMissingError } from './agents/get-agent.ts';
import { totalOf } from './agents/list-counts.ts';
import { toKey, toStarts } from './agents/text-keys.ts';
import { RegistryError } from './registry-error.ts';

export const changesRouter = router({
  list: procedureFor('changes.list')
    .input(changesRequestSchema.optional())
    .output(changesSchema)
    .query(({ ctx, input }) => listChanges(ctx, input)),
});

export const reportRouter = router({
  report: procedureFor('agents.report')
    .input(newReportSchema)
    .output(reportSchema)
    .mutation(async ({ ctx, input: { id, ...newReport } }) => {
      await ctx.rateLimiter.consume('agentReport', ctx.address, { id });
      const report = await ctx.agents.report(id, newReport);
      if (!report) throw await toMissingError(ctx.agents, id);
      return report;
    }),
});

export function createAppRouter(categories: readonly Category[]) {
  const readRequests = createReadRequests(categories);
  return router({
    agents: mergeRouters(
      createBrowseRouter(readRequests),
      createSuggestRouter(categories),
      createOwnerRouter(categories),
      reportRouter,
      factsRouter,
    ),
    changes: changesRouter,
    prefill: createPrefillRouter(categories),
    stats: createStatsRouter(categories, readRequests),
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

export type ValueOf<Name extends EndpointName> = Name extends `${infer Group extends keyof Outputs}.${infer Call}`
  ? Outputs[Group][Call & keyof Outputs[Group]]
  : never;

export function createStatsRouter(categories: readonly Category[], readRequests: ReadRequests) {
  return router({
    get: procedureFor('stats.get')
      .input(readRequests['stats.get'].optional())
      .output(createStatsSchema(categories))
      .query(async ({ ctx }) => {
        const counts = await ctx.agents.countByCategory();
        return {
          totalAgents: totalOf(counts),
          categories: categories.length,
          monthlyViews: await ctx.views.monthlyViews(),
          agentsPerCategory: Object.fromEntries(listCategoryIds(categories).map((id) => [id, counts[id] ?? 0])),
        };
      }),
  });
}

export function createSuggestRouter(categories: readonly Category[]) {
  return router({
    suggest: procedureFor('agents.suggest')
      .input(suggestRequestSchema)
      .output(suggestionsSchema)
      .query(async ({ ctx, input: { q } }) => ({
        ...(await ctx.agents.suggest(q)),
        categories: suggestCategories(categories, q),
      })),
  });
}

function suggestCategories(categories: readonly Category[], text: string): Suggestions['categories'] {
  const key = toKey(text);
  if (key === '') return [];
  return categories
    .filter(({ name }) => toStarts(name).some((start) => start.startsWith(key)))
    .map(({ id, name }) => ({ id, name }));
}

async function listChanges(
  { agents, changes, pageBytes }: Context,
  { after, limit = MAX_CHANGES, include }: z.output<typeof changesRequestSchema> = {},
): Promise<Changes> {
  const cursor = after === undefined ? undefined : parseChangesCursor(after);
  const page = await changes.list({ after: cursor, limit: include ? Math.min(limit, MAX_PAGE_SIZE) : limit });
  if (!page) {
    throw new RegistryError('gone', 'after is outdated or of another log. Start anew, without after');
  }
  const ids = include ? page.changes.flatMap(({ id, change }) => (change === 'removed' ? [] : id)) : [];
  const { agents: listed, leftOut } = await agents.findAll(ids, pageBytes);
  const byId = new Map(listed.map((agent) => [agent.id, toFollowed(agent)]));
  const end = leftOut === undefined ? page.changes.length : page.changes.findIndex(({ id }) => id === leftOut);
  const sent = page.changes.slice(0, end);
  return {
    changes: sent.map(({ id, change, at }) => ({ id, change, at, ...(include && { agent: byId.get(id) }) })),
    next: toChangesCursor({ log: page.log, number: sent.at(-1)?.number ?? cursor?.number ?? 0 }),
    hasMore: page.hasMore || end < page.changes.length,
  };
}
