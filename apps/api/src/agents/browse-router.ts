import {
  agentSchema,
  facetsSchema,
  fitWords,
  formatCount,
  historySchema,
  listedAgentSchema,
  MAX_PAGE_SIZE,
  MAX_SEARCH_RESULTS,
  optionFilters,
  toCursor,
  totalBoundSchema,
  toValues,
  type Agent,
  type AgentFilters,
  type AgentListRequest,
  type CursorOrder,
  type Facets,
  type ListedAgent,
  type Page,
  type ReadRequests,
} from '@agent-registry/contracts';
import { z } from 'zod';
import { RegistryError } from '../registry-error.ts';
import { procedureFor, router, type Context } from '../trpc.ts';
import type { AgentPage } from './list-pages.ts';
import type { CountedFacets } from './list-counts.ts';
import type { FoundAgents, PageRequest } from './agent-lists.ts';
import { toEtagHeader } from './find-owned.ts';
import { getAgent, orRefuse } from './get-agent.ts';

type Requests = { [Name in keyof ReadRequests]: z.output<ReadRequests[Name]> };

const pageSchema = z.object({
  agents: listedAgentSchema.array(),
  total: z.int(),
  totalBound: totalBoundSchema.optional(),
  position: z.int().optional(),
  next: z.string().optional(),
  previous: z.string().optional(),
  full: z.int().optional(),
  correction: z.string().optional(),
  understood: z.string().optional(),
  words: z.string().array().optional(),
}) satisfies z.ZodType<Page>;

export function createBrowseRouter(readRequests: ReadRequests) {
  return router({
    list: procedureFor('agents.list')
      .input(readRequests['agents.list'].optional())
      .output(pageSchema)
      .query(({ ctx, input }) => list(ctx, input)),

    byCategory: procedureFor('agents.byCategory')
      .input(readRequests['agents.byCategory'])
      .output(pageSchema)
      .query(({ ctx, input }) => list(ctx, input)),

    search: procedureFor('agents.search')
      .input(readRequests['agents.search'])
      .output(pageSchema)
      .query(({ ctx, input }) => search(ctx, input)),

    facets: procedureFor('agents.facets')
      .input(readRequests['agents.facets'].optional())
      .output(facetsSchema)
      .query(({ ctx, input }) => countFacets(ctx, input)),

    get: procedureFor('agents.get')
      .input(readRequests['agents.get'])
      .output(agentSchema)
      .query(({ ctx, input }) => get(ctx, input)),

    history: procedureFor('agents.history')
      .input(readRequests['agents.history'])
      .output(historySchema)
      .query(async ({ ctx, input: { id } }) => {
        await getAgent(ctx.agents, id);
        return ctx.changes.history(id);
      }),
  });
}

async function list({ agents, pageBytes: maxBytes }: Context, request: Partial<PageRequest> = {}): Promise<Page> {
  if (!asksForPage(request)) {
    const all = await agents.list({ ...request, maxBytes });
    return { agents: all, total: all.length };
  }
  const found = await agents.page({ ...request, limit: request.limit ?? MAX_PAGE_SIZE, maxBytes });
  if (!found) throw toCursorError(request, 'list');
  return toPage(found, request, request.sort ?? 'newest');
}

async function search({ agents, pageBytes: maxBytes }: Context, request: Requests['agents.search']): Promise<Page> {
  const { q: text, ...options } = request;
  const limit = asksForPage(request) ? (request.limit ?? MAX_PAGE_SIZE) : undefined;
  const found = await agents.search({ ...options, text, limit, maxBytes });
  if (!found) {
    const isBest = request.sort === undefined && request.before !== undefined;
    throw toCursorError(request, isBest ? `best ${formatCount(MAX_SEARCH_RESULTS)} results` : 'results');
  }
  return { ...toPage(found, request, request.sort ?? 'best'), ...toMatches(found) };
}

/** A whole list, or the results of a search, as a stream; what is known of it as a page without agents. */
export async function streamWhole({ agents }: Context, { q, ...request }: AgentListRequest & { q?: string }) {
  if (q === undefined) return { stream: () => agents.stream(request) };
  const { stream, last, length, total, ...found } = await agents.searchWhole({ ...request, text: q });
  const end = { agents: last ? [last] : [], total, hasMore: last !== undefined, hasPrevious: false, position: length };
  const { next } = toPage(end, request, request.sort ?? 'best');
  return { page: { agents: [], total, position: request.position ? 1 : undefined, next, ...toMatches(found) }, stream };
}

function toMatches({ totalBound, full, correction, understood, words }: Omit<FoundAgents, keyof AgentPage>) {
  return { totalBound, full, correction, understood, words: fitWords(words) };
}

/** Whether a list request asks for a page, not for the full list. */
export function asksForPage({ limit, after, before }: Partial<PageRequest>): boolean {
  return [limit, after, before].some((part) => part !== undefined);
}

function toPage(found: AgentPage, request: Partial<PageRequest>, order: CursorOrder): Page {
  const { agents, total, hasMore, hasPrevious, position } = found;
  const [first, last] = [agents[0], agents.at(-1)];
  // Only for clients that know it: others read a `Link` with one link.
  const linksBack = request.before !== undefined || request.position === true;
  return {
    agents,
    total,
    position: request.position === true ? position : undefined,
    next: hasMore && last ? toPlace(last, agents.length - 1) : undefined,
    previous: linksBack && hasPrevious && first ? toPlace(first, 0) : undefined,
  };

  /** The place in a search is the position; where that is not known, the id stands for the cursor. */
  function toPlace(agent: ListedAgent, index: number): string {
    if (order === 'best' && position === undefined) return agent.id;
    return toCursor(agent, order, (position ?? 1) + index);
  }
}

async function countFacets(
  { agents }: Context,
  { category, q, correct, ...filters }: Requests['agents.facets'] = {},
): Promise<Facets> {
  return toFacets(await agents.countFacets({ category, text: q, correct, ...filters }), filters);
}

function toFacets({ counts, totalBound }: Omit<CountedFacets, 'isProvisional'>, filters: AgentFilters): Facets {
  const sum = (chosen: AgentFilters) =>
    counts
      .filter((counted) =>
        optionFilters.every(({ name }) => {
          const values: readonly string[] = counted[name];
          return chosen[name]?.some((value) => values.includes(value)) ?? true;
        }),
      )
      .reduce((total, { agents }) => total + agents, 0);
  const byFilter = optionFilters.map((filter) => {
    const left = toValues(filter).map((value) => [value, sum({ ...filters, [filter.name]: [value] })]);
    return [filter.name, Object.fromEntries(left)];
  });
  return { total: sum(filters), totalBound, ...Object.fromEntries(byFilter) } as Facets;
}

async function get(ctx: Context, { id }: Requests['agents.get']): Promise<Agent> {
  const { agents, key, response } = ctx;
  if (key === undefined) {
    const agent = await getAgent(agents, id);
    response.views.push(id);
    return agent;
  }
  const { agent, isHeld, refusal } = await orRefuse(ctx, id, await agents.findOwned(id, key));
  Object.assign(response, { isHeld, refusal, etag: toEtagHeader(agent) });
  return agent;
}

function toCursorError({ before }: Partial<PageRequest>, list: string): RegistryError {
  const name = before === undefined ? 'after' : 'before';
  return new RegistryError('invalid', `${name} must be the id of an agent in the ${list}, or a cursor of its order`);
}
