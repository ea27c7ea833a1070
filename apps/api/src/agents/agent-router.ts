import {
  agentRequestSchema,
  agentSchema,
  categoryRequestSchema,
  CORRECTION_HEADER,
  endpoints,
  formatCount,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
  listRequestSchema,
  MAX_PAGE_SIZE,
  MAX_FULL_LIST,
  REGISTRATION_CLOSED,
  registrationSchema,
  searchRequestSchema,
  TOTAL_HEADER,
  type Agent,
  type CategoryId,
  type NewAgent,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { procedureFor, router, type Context } from '../trpc.ts';
import type { AgentPage, PageRequest } from './agent-store.ts';

const TOO_LONG = `The list has more than ${formatCount(MAX_FULL_LIST)} agents; please ask for pages of it with limit`;
const agentListSchema = agentSchema.array();

/** The procedures that list, find, search and register agents. */
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
    .input(agentRequestSchema)
    .output(agentSchema)
    .query(async ({ ctx, input }) => {
      const agent = await ctx.agents.find(input.id);
      if (!agent) throw new TRPCError({ code: 'NOT_FOUND', message: 'No agent has this id' });
      ctx.countView();
      return agent;
    }),

  register: procedureFor('agents.register')
    // Before the input is parsed.
    .use(({ ctx, next }) => {
      if (!ctx.isRegistrationClosed) return next();
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: REGISTRATION_CLOSED });
    })
    .input(registrationSchema)
    .output(agentSchema)
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

/** All agents, or those of one category, up to `MAX_FULL_LIST`. The REST route reads longer lists by pages. */
async function readFullList({ agents }: Context, category: CategoryId | undefined): Promise<Agent[]> {
  if ((await agents.count(category)) <= MAX_FULL_LIST) return agents.list(category);
  throw new TRPCError({ code: 'BAD_REQUEST', message: TOO_LONG });
}

/** The full list, or the requested page with its headers. */
async function answerList(
  ctx: Context,
  path: string,
  { category, limit, after }: Partial<PageRequest> = {},
): Promise<Agent[]> {
  if (limit === undefined && after === undefined) return readFullList(ctx, category);
  const pageSize = limit ?? MAX_PAGE_SIZE;
  const page = await ctx.agents.page({ category, limit: pageSize, after });
  if (!page) throw new TRPCError({ code: 'BAD_REQUEST', message: 'after must be the id of an agent in the list' });
  describePage(ctx, page, { path, limit: pageSize });
  return page.agents;
}

/** Sets the headers of a page: the size of the full list and the link to the next page. */
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
