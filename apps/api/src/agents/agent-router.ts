import {
  agentRequestSchema,
  agentSchema,
  categoryRequestSchema,
  CORRECTION_HEADER,
  endpoints,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
  listRequestSchema,
  MAX_PAGE_SIZE,
  registrationSchema,
  searchRequestSchema,
  TOTAL_HEADER,
  type Agent,
  type NewAgent,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { atOnce, procedureFor, router, type Context } from '../trpc.ts';
import type { AgentPage, PageRequest } from './agent-store.ts';

const agentListSchema = atOnce(agentSchema.array());

/** The procedures that read and register agents. */
export const agentRouter = router({
  list: procedureFor('agents.list')
    .input(atOnce(listRequestSchema.optional()))
    .output(agentListSchema)
    .query(({ ctx, input }) => answerList(ctx, endpoints['agents.list'].path, input)),

  byCategory: procedureFor('agents.byCategory')
    .input(atOnce(categoryRequestSchema))
    .output(agentListSchema)
    .query(({ ctx, input }) =>
      answerList(ctx, endpoints['agents.byCategory'].path.replace('{category}', input.category), input),
    ),

  search: procedureFor('agents.search')
    .input(atOnce(searchRequestSchema))
    .output(agentListSchema)
    .query(async ({ ctx, input: { q, limit, after } }) => {
      const found = await ctx.agents.search({
        text: q,
        limit: limit ?? (after === undefined ? undefined : MAX_PAGE_SIZE),
        after,
      });
      if (!found) {
        throw new TRPCError({ code: 'BAD_REQUEST', message: 'after must be the id of an agent in the results' });
      }
      describePage(ctx, found, { path: endpoints['agents.search'].path, q, limit: limit ?? MAX_PAGE_SIZE });
      if (found.correction !== undefined) ctx.setHeader(CORRECTION_HEADER, encodeURIComponent(found.correction));
      return found.agents;
    }),

  get: procedureFor('agents.get')
    .input(atOnce(agentRequestSchema))
    .output(atOnce(agentSchema))
    .query(async ({ ctx, input }) => {
      const agent = await ctx.agents.find(input.id);
      if (!agent) throw new TRPCError({ code: 'NOT_FOUND', message: 'No agent has this id' });
      ctx.countView();
      return agent;
    }),

  register: procedureFor('agents.register')
    .input(atOnce(registrationSchema))
    .output(atOnce(agentSchema))
    .mutation(async ({ ctx, input }) => {
      const agent = await register(ctx, input);
      ctx.setHeader('Location', endpoints['agents.get'].path.replace('{id}', agent.id));
      return agent;
    }),
});

async function register({ agents, idempotencyKey }: Context, newAgent: NewAgent): Promise<Agent> {
  if (idempotencyKey === undefined) return agents.register(newAgent);
  const key = idempotencyKeySchema.safeParse(idempotencyKey);
  if (!key.success) throw new TRPCError({ code: 'BAD_REQUEST', cause: key.error });
  const agent = await agents.registerOnce(key.data, newAgent);
  if (agent) return agent;
  throw new TRPCError({
    code: 'UNPROCESSABLE_CONTENT',
    message: `This ${IDEMPOTENCY_KEY_HEADER} came with another registration before; each registration needs a key of its own`,
  });
}

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
  describePage(ctx, page, { path, limit: pageSize });
  return page.agents;
}

/** Says in the answer's headers how many agents there are in all, and where the next page is. */
function describePage(
  ctx: Context,
  { agents, total, hasMore }: AgentPage,
  { path, q, limit }: { path: string; q?: string; limit: number },
): void {
  const last = agents.at(-1);
  ctx.setHeader(TOTAL_HEADER, String(total));
  if (!hasMore || !last) return;
  const next = new URLSearchParams({ ...(q !== undefined && { q }), limit: String(limit), after: last.id });
  ctx.setHeader('Link', `<${path}?${next.toString()}>; rel="next"`);
}
