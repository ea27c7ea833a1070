import {
  agentRequestSchema,
  agentSchema,
  allAgentsRequestSchema,
  agentUpdateSchema,
  categoryRequestSchema,
  CORRECTION_HEADER,
  endpoints,
  facetsRequestSchema,
  facetsSchema,
  FILTER_PARAMETERS,
  FULL_MATCHES_HEADER,
  formatCount,
  HELD_STATUS,
  IDEMPOTENCY_KEY_HEADER,
  idempotencyKeySchema,
  listedAgentSchema,
  managementKeySchema,
  MATCHED_WORDS_HEADER,
  MAX_MATCHED_WORDS_LENGTH,
  MAX_PAGE_SIZE,
  MAX_FULL_LIST,
  MAX_SEARCH_RESULTS,
  newReportSchema,
  NO_WEBSITE_CHECKS,
  ownAgentRequestSchema,
  POSITION_HEADER,
  REGISTRATION_CLOSED,
  registrationSchema,
  reportSchema,
  searchRequestSchema,
  TOTAL_HEADER,
  websiteChallengeSchema,
  WRONG_KEY,
  type Agent,
  type AgentFilters,
  type ListedAgent,
  type NewAgent,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { NO_STORE, procedureFor, router, type Context } from '../trpc.ts';
import type { ZodType } from 'zod';
import { WithdrawnError } from '../http-error.ts';
import type {
  AgentPage,
  AgentStore,
  Authority,
  ListRequest,
  PagePart,
  PageRequest,
  Refusal,
  Registered,
} from './agent-store.ts';
import { hashKey } from './management-keys.ts';
import { toFacets } from './to-facets.ts';

const TOO_LONG = `The list has more than ${formatCount(MAX_FULL_LIST)} agents; please ask for pages of it with limit`;
const agentListSchema = listedAgentSchema.array();

/** The procedures that list, find, search and register agents. */
export const agentRouter = router({
  list: procedureFor('agents.list')
    .input(allAgentsRequestSchema.optional())
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
    .query(async ({ ctx, input: { q, ...request } }) => {
      const limit = isPart(request) ? (request.limit ?? MAX_PAGE_SIZE) : undefined;
      const found = await ctx.agents.search({ ...request, text: q, limit });
      if (!found) {
        const isBest = request.sort === undefined && request.before !== undefined;
        throw cursorError(request, isBest ? `best ${formatCount(MAX_SEARCH_RESULTS)} results` : 'results');
      }
      describePage(ctx, found, endpoints['agents.search'].path, { ...request, q, limit: limit ?? MAX_PAGE_SIZE });
      if (found.isProvisional) ctx.setHeader('Cache-Control', NO_STORE);
      ctx.setHeader(FULL_MATCHES_HEADER, String(found.full));
      if (found.correction !== undefined) ctx.setHeader(CORRECTION_HEADER, encodeURIComponent(found.correction));
      const words = encodeWords(found.words);
      if (words !== '') ctx.setHeader(MATCHED_WORDS_HEADER, words);
      return found.agents;
    }),

  facets: procedureFor('agents.facets')
    .input(facetsRequestSchema.optional())
    .output(facetsSchema)
    .query(async ({ ctx, input: { category, q, correct, ...filters } = {} }) => {
      const { counts, isProvisional } = await ctx.agents.countFacets({ category, text: q, correct });
      if (isProvisional) ctx.setHeader('Cache-Control', NO_STORE);
      return toFacets(counts, filters);
    }),

  get: procedureFor('agents.get')
    .input(agentRequestSchema)
    .output(agentSchema)
    .query(async ({ ctx, input }) => {
      const agent = await getAgent(ctx.agents, input.id);
      ctx.countView();
      return agent;
    }),

  register: procedureFor('agents.register')
    // Before the input is parsed.
    .use(({ ctx, next }) => {
      if (ctx.registration !== 'closed') return next();
      throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: REGISTRATION_CLOSED });
    })
    .input(registrationSchema)
    .output(agentSchema)
    .mutation(async ({ ctx, input }) => {
      const { agent, isHeld } = await register(ctx, input);
      if (isHeld) ctx.setStatus(HELD_STATUS);
      else ctx.setHeader('Location', endpoints['agents.get'].path.replace('{id}', agent.id));
      return agent;
    }),

  update: procedureFor('agents.update')
    .input(agentUpdateSchema)
    .output(agentSchema)
    .mutation(({ ctx, input: { id, ...patch } }) =>
      change(ctx, id, (authority) => ctx.agents.update(id, authority, patch)),
    ),

  withdraw: procedureFor('agents.withdraw')
    .input(ownAgentRequestSchema)
    .output(agentSchema)
    .mutation(({ ctx, input: { id } }) => change(ctx, id, (authority) => ctx.agents.withdraw(id, authority))),

  replaceKey: procedureFor('agents.replaceKey')
    .input(ownAgentRequestSchema)
    .output(agentSchema)
    .mutation(({ ctx, input: { id } }) => {
      const newKey = parseHeader(managementKeySchema, ctx.newKey ?? '');
      return change(ctx, id, (authority) => ctx.agents.replaceKey(id, authority, newKey));
    }),

  challenge: procedureFor('agents.challenge')
    .input(ownAgentRequestSchema)
    .output(websiteChallengeSchema)
    .mutation(async ({ ctx, input: { id } }) => {
      const { claims, newKey, agent } = await beginClaim(ctx, id);
      return claims.createChallenge(agent, hashKey(newKey));
    }),

  claim: procedureFor('agents.claim')
    .input(ownAgentRequestSchema)
    .output(agentSchema)
    .mutation(async ({ ctx, input: { id } }) => {
      const { claims, newKey, agent } = await beginClaim(ctx, id);
      const website = await claims.check(agent, hashKey(newKey), ctx.origin);
      const claimed = await ctx.agents.claim(id, website, newKey);
      if (!claimed) throw toRefusalError('unexpected');
      return claimed;
    }),

  report: procedureFor('agents.report')
    .input(newReportSchema)
    .output(reportSchema)
    .mutation(async ({ ctx, input: { id, ...newReport } }) => {
      const report = await ctx.agents.report(id, newReport);
      if (!report) throw await toMissingError(ctx.agents, id);
      return report;
    }),
});

async function register(ctx: Context, newAgent: NewAgent): Promise<Registered> {
  const { agents, idempotencyKey, newKey } = ctx;
  const key = newKey === undefined ? undefined : parseHeader(managementKeySchema, newKey);
  const options = { key, isHeld: ctx.registration === 'held' };
  if (idempotencyKey === undefined) return agents.register(newAgent, options);
  const registered = await agents.registerOnce(parseHeader(idempotencyKeySchema, idempotencyKey), newAgent, options);
  if (registered) return registered;
  throw new TRPCError({
    code: 'UNPROCESSABLE_CONTENT',
    message: `This ${IDEMPOTENCY_KEY_HEADER} came with another registration before; each registration needs a key of its own`,
  });
}

/** Reads what both steps of a claim by way of a website need. */
async function beginClaim({ agents, websiteClaims: claims, newKey }: Context, id: string) {
  if (!claims) throw new TRPCError({ code: 'FORBIDDEN', message: NO_WEBSITE_CHECKS });
  const key = parseHeader(managementKeySchema, newKey ?? '');
  return { claims, newKey: key, agent: await getAgent(agents, id) };
}

async function getAgent(agents: Pick<AgentStore, 'find' | 'isWithdrawn'>, id: string): Promise<Agent> {
  const agent = await agents.find(id);
  if (!agent) throw await toMissingError(agents, id);
  return agent;
}

async function toMissingError(agents: Pick<AgentStore, 'isWithdrawn'>, id: string): Promise<TRPCError> {
  return toRefusalError((await agents.isWithdrawn(id)) ? 'withdrawn' : 'unknown');
}

function parseHeader(schema: ZodType<string>, value: string): string {
  const { data, error } = schema.safeParse(value);
  if (data === undefined) throw new TRPCError({ code: 'BAD_REQUEST', cause: error });
  return data;
}

/** Changes an agent on behalf of the sender of a request. */
async function change(
  ctx: Context,
  id: string,
  write: (authority: Authority) => Promise<Agent | Refusal>,
): Promise<Agent> {
  const result = await write({ key: ctx.key, isExpected: (agent) => ctx.isExpected(agent) });
  if (typeof result !== 'string') {
    ctx.setEtag(result);
    return result;
  }
  if (result === 'unauthorized') {
    await ctx.countWrongKey(id);
    ctx.setHeader('WWW-Authenticate', 'Bearer');
  }
  throw toRefusalError(result);
}

function toRefusalError(refusal: Refusal): TRPCError {
  switch (refusal) {
    case 'unknown':
      return new TRPCError({ code: 'NOT_FOUND', message: 'No agent has this id' });
    case 'withdrawn':
      return new TRPCError({ code: 'NOT_FOUND', cause: new WithdrawnError() });
    case 'unauthorized':
      return new TRPCError({ code: 'UNAUTHORIZED', message: WRONG_KEY });
    case 'unexpected':
      return new TRPCError({
        code: 'PRECONDITION_FAILED',
        message: 'The agent has changed since you read it. Read it again and repeat the change',
      });
  }
}

/** The whole list, up to `MAX_FULL_LIST`. The REST route reads longer lists by pages. */
async function readFullList({ agents }: Context, request: ListRequest): Promise<ListedAgent[]> {
  if ((await agents.count(request)) <= MAX_FULL_LIST) return agents.list(request);
  throw new TRPCError({ code: 'BAD_REQUEST', message: TOO_LONG });
}

/** The full list, or the requested page with its headers. */
async function answerList(ctx: Context, path: string, request: Partial<PageRequest> = {}): Promise<ListedAgent[]> {
  if (!isPart(request)) return readFullList(ctx, request);
  const { category: _inPath, limit = MAX_PAGE_SIZE, ...rest } = request;
  const page = await ctx.agents.page({ ...request, limit });
  if (!page) throw cursorError(request, 'list');
  describePage(ctx, page, path, { ...rest, limit });
  return page.agents;
}

/** The header of words, without those that are too many for it. */
function encodeWords(words: readonly string[]): string {
  let header = '';
  for (const word of words) {
    const longer = header === '' ? encodeURIComponent(word) : `${header},${encodeURIComponent(word)}`;
    if (longer.length <= MAX_MATCHED_WORDS_LENGTH) header = longer;
  }
  return header;
}

/**
 * Whether a request asks for a page.
 * @throws {TRPCError} when it has two cursors, or a name to start from in another order.
 */
function isPart({ limit, after, before, from, sort }: Partial<PageRequest>): boolean {
  if ([after, before, from].filter((start) => start !== undefined).length > 1) {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'Only one of after, before and from can be used' });
  }
  if (from !== undefined && sort !== 'name') {
    throw new TRPCError({ code: 'BAD_REQUEST', message: 'from needs sort=name' });
  }
  return [limit, after, before, from].some((part) => part !== undefined);
}

function cursorError({ before }: Partial<PagePart>, list: string): TRPCError {
  const name = before === undefined ? 'after' : 'before';
  return new TRPCError({ code: 'BAD_REQUEST', message: `${name} must be the id of an agent in the ${list}` });
}

/** The query parameters of a page. */
type PageQuery = AgentFilters &
  PagePart & {
    website?: string | undefined;
    q?: string;
    correct?: boolean | undefined;
    sort?: string | undefined;
  };

/** Sets the headers of a page: the size of the full list, its position and the links to the pages beside it. */
function describePage(ctx: Context, page: AgentPage<ListedAgent>, path: string, query: PageQuery): void {
  const { agents, total, hasMore, hasPrevious, position } = page;
  const [first, last] = [agents[0], agents.at(-1)];
  // Only for clients that know it: others read a `Link` with one link.
  const linksBack = query.before !== undefined || query.position === true;
  ctx.setHeader(TOTAL_HEADER, String(total));
  if (position !== undefined) ctx.setHeader(POSITION_HEADER, String(position));
  const links = [
    ...(hasMore && last ? [`<${toUrl({ after: last.id })}>; rel="next"`] : []),
    ...(linksBack && hasPrevious && first ? [`<${toUrl({ before: first.id })}>; rel="prev"`] : []),
  ];
  if (links.length > 0) ctx.setHeader('Link', links.join(', '));

  function toUrl(cursor: Pick<PagePart, 'after' | 'before'>): string {
    const { q, correct, website, sort, limit } = query;
    const filters = Object.fromEntries(FILTER_PARAMETERS.map((name) => [name, query[name]]));
    const parameters = { q, correct, ...filters, website, sort, limit };
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries({ ...parameters, ...cursor, position: query.position })) {
      if (value !== undefined) search.set(name, String(value));
    }
    return `${path}?${search.toString()}`;
  }
}
