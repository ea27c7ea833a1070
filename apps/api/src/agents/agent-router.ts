import {
  agentRequestSchema,
  agentSchema,
  categoryRequestSchema,
  CORRECTION_HEADER,
  endpoints,
  listRequestSchema,
  MAX_PAGE_SIZE,
  MAX_SEARCH_RESULTS,
  newAgentSchema,
  searchRequestSchema,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { procedureFor, router } from '../trpc.ts';

const agentListSchema = agentSchema.array();

/** The procedures that read and register agents. */
export const agentRouter = router({
  list: procedureFor('agents.list')
    .input(listRequestSchema.optional())
    .output(agentListSchema)
    .query(async ({ ctx, input: { limit, after } = {} }) => {
      if (limit === undefined && after === undefined) return ctx.agents.list();
      const pageSize = limit ?? MAX_PAGE_SIZE;
      const page = await ctx.agents.page({ limit: pageSize, after });
      if (!page) throw new TRPCError({ code: 'BAD_REQUEST', message: 'after must be the id of an agent in the list' });
      const last = page.agents.at(-1);
      ctx.setHeader('X-Total-Count', String(page.total));
      if (page.hasMore && last) {
        const next = new URLSearchParams({ limit: String(pageSize), after: last.id });
        ctx.setHeader('Link', `<${endpoints['agents.list'].path}?${next.toString()}>; rel="next"`);
      }
      return page.agents;
    }),

  byCategory: procedureFor('agents.byCategory')
    .input(categoryRequestSchema)
    .output(agentListSchema)
    .query(({ ctx, input }) => ctx.agents.listByCategory(input.category)),

  search: procedureFor('agents.search')
    .input(searchRequestSchema)
    .output(agentListSchema)
    .query(async ({ ctx, input: { q, limit, after } }) => {
      const isWhole = limit === undefined && after === undefined;
      const pageSize = limit ?? (isWhole ? MAX_SEARCH_RESULTS : MAX_PAGE_SIZE);
      const found = await ctx.agents.search({ text: q, limit: pageSize, after });
      if (!found) {
        throw new TRPCError({ code: 'BAD_REQUEST', message: 'after must be the id of an agent in the results' });
      }
      const last = found.agents.at(-1);
      ctx.setHeader('X-Total-Count', String(found.total));
      if (found.hasMore && last) {
        const next = new URLSearchParams({ q, limit: String(Math.min(pageSize, MAX_PAGE_SIZE)), after: last.id });
        ctx.setHeader('Link', `<${endpoints['agents.search'].path}?${next.toString()}>; rel="next"`);
      }
      if (found.correction !== undefined) {
        ctx.setHeader(CORRECTION_HEADER, encodeURIComponent(found.correction));
      }
      return found.agents;
    }),

  get: procedureFor('agents.get')
    .input(agentRequestSchema)
    .output(agentSchema)
    .query(async ({ ctx, input }) => {
      const agent = await ctx.agents.find(input.id);
      if (!agent) throw new TRPCError({ code: 'NOT_FOUND', message: 'No agent has this id' });
      ctx.countView();
      return agent;
    }),

  register: procedureFor('agents.register')
    .input(newAgentSchema)
    .output(agentSchema)
    .mutation(async ({ ctx, input }) => {
      const agent = await ctx.agents.register(input);
      ctx.setHeader('Location', endpoints['agents.get'].path.replace('{id}', agent.id));
      return agent;
    }),
});
