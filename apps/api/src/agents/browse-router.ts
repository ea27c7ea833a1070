import {
  agentSchema,
  CORRECTION_HEADER,
  endpoints,
  facetsSchema,
  FULL_MATCHES_HEADER,
  formatCount,
  HELD_STATUS,
  historySchema,
  listedAgentSchema,
  MATCHED_WORDS_HEADER,
  MAX_MATCHED_WORDS_LENGTH,
  MAX_PAGE_SIZE,
  MAX_SEARCH_RESULTS,
  POSITION_HEADER,
  type Agent,
  type AgentListRequest,
  type Facets,
  type ListedAgent,
  type ReadRequests,
  REFUSAL_HEADER,
  UNDERSTOOD_HEADER,
} from '@agent-registry/contracts';
import type { z } from 'zod';
import { RegistryError } from '../registry-error.ts';
import { NO_STORE, procedureFor, router, send, type Context, type Reply } from '../trpc.ts';
import type { AgentPage, FoundAgents, PageRequest } from './agent-store.ts';
import { describePage, isPage } from './describe-page.ts';
import { toEtagHeader } from './expected-version.ts';
import { getAgent, toOwnerError } from './get-agent.ts';
import { toFacets } from './to-facets.ts';

/** The requests of the reads, parsed. */
type Requests = { [Name in keyof ReadRequests]: z.output<ReadRequests[Name]> };

const agentListSchema = listedAgentSchema.array();

/** Creates the procedures that list, find and read agents. */
export function createBrowseRouter(readRequests: ReadRequests) {
  return router({
    list: procedureFor('agents.list')
      .input(readRequests['agents.list'].optional())
      .output(agentListSchema)
      .query(async ({ ctx, input }) => send(ctx, await list(ctx, endpoints['agents.list'].path, input))),

    byCategory: procedureFor('agents.byCategory')
      .input(readRequests['agents.byCategory'])
      .output(agentListSchema)
      .query(async ({ ctx, input }) =>
        send(ctx, await list(ctx, endpoints['agents.byCategory'].path.replace('{category}', input.category), input)),
      ),

    search: procedureFor('agents.search')
      .input(readRequests['agents.search'])
      .output(agentListSchema)
      .query(async ({ ctx, input }) => send(ctx, await search(ctx, input))),

    facets: procedureFor('agents.facets')
      .input(readRequests['agents.facets'].optional())
      .output(facetsSchema)
      .query(async ({ ctx, input }) => send(ctx, await countFacets(ctx, input))),

    get: procedureFor('agents.get')
      .input(readRequests['agents.get'])
      .output(agentSchema)
      .query(async ({ ctx, input }) => send(ctx, await get(ctx, input))),

    history: procedureFor('agents.history')
      .input(readRequests['agents.history'])
      .output(historySchema)
      .query(async ({ ctx, input: { id } }) => {
        await getAgent(ctx.agents, id);
        return send(ctx, { body: await ctx.changes.history(id) });
      }),
  });
}

/** The full list, or the requested page with its headers. */
async function list(
  { agents, pageBytes: maxBytes }: Context,
  path: string,
  request: Partial<PageRequest> = {},
): Promise<Reply<ListedAgent[]>> {
  if (!isPage(request)) return { body: await agents.list({ ...request, maxBytes }) };
  const { category: _inPath, limit = MAX_PAGE_SIZE, ...rest } = request;
  const page = await agents.page({ ...request, limit, maxBytes });
  if (!page) throw toCursorError(request, 'list');
  return { body: page.agents, headers: describePage(page, path, { ...rest, limit }) };
}

async function search(ctx: Context, { q, ...request }: Requests['agents.search']): Promise<Reply<ListedAgent[]>> {
  const limit = isPage(request) ? (request.limit ?? MAX_PAGE_SIZE) : undefined;
  const found = await ctx.agents.search({ ...request, text: q, limit, maxBytes: ctx.pageBytes });
  if (!found) {
    const isBest = request.sort === undefined && request.before !== undefined;
    throw toCursorError(request, isBest ? `best ${formatCount(MAX_SEARCH_RESULTS)} results` : 'results');
  }
  const page = describePage(found, endpoints['agents.search'].path, { ...request, q, limit: limit ?? MAX_PAGE_SIZE });
  return { body: found.agents, headers: { ...page, ...describeMatches(found) } };
}

/** A whole list or the results of a search as a stream with their headers, for REST. */
export async function streamWhole(
  { agents }: Context,
  { q, ...request }: AgentListRequest & { q?: string },
): Promise<{ body: AsyncIterable<ListedAgent[]>; headers: Record<string, string> }> {
  if (q === undefined) return { body: agents.stream(request), headers: {} };
  const { last, length, agents: body, ...found } = await agents.searchWhole({ ...request, text: q });
  const end = { total: found.total, agents: last ? [last] : [], hasMore: last !== undefined, hasPrevious: false };
  const links = describePage({ ...end, position: length }, endpoints['agents.search'].path, {
    ...request,
    q,
    limit: MAX_PAGE_SIZE,
  });
  const position = request.position === true && { [POSITION_HEADER]: '1' };
  return { body, headers: { ...links, ...position, ...describeMatches(found) } };
}

/** The headers of a search besides those of every page. */
function describeMatches({
  full,
  correction,
  understood,
  words,
  isProvisional,
}: Omit<FoundAgents, keyof AgentPage>): Record<string, string> {
  const matched = encodeWords(words);
  return {
    ...(isProvisional && { 'Cache-Control': NO_STORE }),
    [FULL_MATCHES_HEADER]: String(full),
    ...(correction !== undefined && { [CORRECTION_HEADER]: encodeURIComponent(correction) }),
    ...(understood !== undefined && { [UNDERSTOOD_HEADER]: encodeURIComponent(understood) }),
    ...(matched !== '' && { [MATCHED_WORDS_HEADER]: matched }),
  };
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

async function countFacets(
  { agents }: Context,
  { category, q, correct, ...filters }: Requests['agents.facets'] = {},
): Promise<Reply<Facets>> {
  const counted = await agents.countFacets({ category, text: q, correct, ...filters });
  return { body: toFacets(counted, filters), ...(counted.isProvisional && { headers: { 'Cache-Control': NO_STORE } }) };
}

async function get(ctx: Context, { id }: Requests['agents.get']): Promise<Reply<Agent>> {
  const { agents, key } = ctx;
  if (key === undefined) return { body: await getAgent(agents, id), viewOf: id };
  const owned = await agents.findOwned(id, key);
  if (typeof owned === 'string') throw await toOwnerError(ctx, id, owned);
  const { agent, isHeld, refusal } = owned;
  return {
    body: agent,
    headers: {
      'Cache-Control': `private, ${NO_STORE}`,
      Vary: 'Authorization',
      ETag: toEtagHeader(agent),
      ...(refusal !== undefined && { [REFUSAL_HEADER]: encodeURIComponent(refusal) }),
    },
    status: isHeld ? HELD_STATUS : undefined,
  };
}

function toCursorError({ before }: Partial<PageRequest>, list: string): RegistryError {
  const name = before === undefined ? 'after' : 'before';
  return new RegistryError('invalid', `${name} must be the id of an agent in the ${list}, or a cursor of its order`);
}
