import {
  agentRequestSchema,
  agentSchema,
  categoryRequestSchema,
  endpoints,
  listRequestSchema,
  MAX_PAGE_SIZE,
  newAgentSchema,
  searchRequestSchema,
  type Agent,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { procedureFor, router, type Context } from '../trpc.ts';
import type { PageRequest } from './agent-store.ts';

const agentListSchema = agentSchema.array();

/** The procedures that read and register agents. */
export const agentRouter = router({
  list: procedureFor('agents.list')
    .input(listRequestSchema.optional())
    .output(agentListSchema)
    .query(({ ctx, input }) => answerList(ctx, endpoints['agents.list'].path, input)),

  byCategory: procedureFor('agents.byCategory')
    .input(categoryRequestSchema)
    .output(agentListSchema)
    .query(({ ctx, input }) =>
      answerList(ctx, endpoints['agents.byCategory'].path.replace('{category}', input.category), input),
    ),

  search: procedureFor('agents.search')
    .input(searchRequestSchema)
    .output(agentListSchema)
    .query(({ ctx, input }) => ctx.agents.search(input.q)),

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

/** A list as the answer at a path: whole, or the page that is asked for, with its size and the way to the next. */
async function answerList(
  ctx: Context,
  path: string,
  { category, limit, after }: Partial<PageRequest> = {},
): Promise<Agent[]> {
  if (limit === undefined && after === undefined) return ctx.wholeList(category);
  const pageSize = limit ?? MAX_PAGE_SIZE;
  const page = await ctx.agents.page({ category, limit: pageSize, after });
  if (!page) throw new TRPCError({ code: 'BAD_REQUEST', message: 'after must be the id of an agent in the list' });
  const last = page.agents.at(-1);
  ctx.setHeader('X-Total-Count', String(page.total));
  if (page.hasMore && last) {
    const next = new URLSearchParams({ limit: String(pageSize), after: last.id });
    ctx.setHeader('Link', `<${path}?${next.toString()}>; rel="next"`);
  }
  return page.agents;
}
