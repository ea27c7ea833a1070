import {
  IDEMPOTENCY_KEY_HEADER,
  MANAGEMENT_KEY_HEADER,
  MAX_PAGE_BYTES,
  agentIdSchema,
  endpoints,
  type EndpointName,
} from '@agent-registry/contracts';
import { callTRPCProcedure } from '@trpc/server';
import type { FastifyRequest } from 'fastify';
import { signalOf } from '../plugins/connection.ts';
import type { SearchSession } from '../../search/search.ts';
import { AGENTS_PER_READ, READS_PER_SEARCH, READS_PER_UNKNOWN_TERM } from '../../rate-limit/check-usages.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import type { AppRouter, ValueOf } from '../../router.ts';
import type { Context, ResponseMeta, Services } from '../../trpc.ts';
import { readIfMatch, readIfNoneMatch } from '../cache/send-entry.ts';
import { createPathNotFoundError } from '../../http-error.ts';

export type CreateContext = (request: FastifyRequest) => Context;

const MAX_SEARCHES = 4;

/** Creates contexts over the services of the application, in which clients take turns to search. */
export function createContexts(services: Services, toOrigin: (request: FastifyRequest) => string): CreateContext {
  const searchInTurn = createTaskQueue(MAX_SEARCHES);
  const sessions = new WeakMap<FastifyRequest, SearchSession>();
  return (request) => {
    // A page creates a context for each of its calls.
    const session = sessions.get(request) ?? { plans: new Map(), unknownTerms: 0 };
    sessions.set(request, session);
    const client = { address: request.ip, signal: signalOf(request) };
    const charge = (calls: number) => {
      request.reads += calls;
      return services.rateLimiter.charge('read', request.ip, calls);
    };
    const inTurn = async <Found extends { isProvisional: boolean } | undefined>(
      search: () => Promise<Found>,
    ): Promise<Found> => {
      try {
        const found = await searchInTurn(search, client);
        // Told here, so that no surface can forget it.
        request.isProvisional ||= found?.isProvisional ?? false;
        return found;
      } finally {
        // Where a kind of read is charged, its searches are in it.
        const own = request.routeOptions.config.readKind ? 0 : READS_PER_SEARCH;
        const calls = own + session.unknownTerms * READS_PER_UNKNOWN_TERM;
        session.unknownTerms = 0;
        if (calls > 0) await charge(calls);
      }
    };
    const etags = readIfMatch(request.headers['if-match']);
    const otherEtags = readIfNoneMatch(request.headers['if-none-match']);
    return {
      ...services,
      agents: chargeReads(services.agents, { session, inTurn, charge }),
      origin: toOrigin(request),
      address: request.ip,
      pageBytes: MAX_PAGE_BYTES,
      deadline: request.deadline,
      idempotencyKey: readHeader(request, IDEMPOTENCY_KEY_HEADER),
      key: readKey(request),
      newKey: readHeader(request, MANAGEMENT_KEY_HEADER),
      expected: etags || otherEtags ? { etags, otherEtags } : undefined,
      prepared: request.prepared ?? undefined,
      response: { views: [] },
    };
  };
}

type Reader = {
  session: SearchSession;
  inTurn: <Found extends { isProvisional: boolean } | undefined>(search: () => Promise<Found>) => Promise<Found>;
  charge: (calls: number) => Promise<void>;
};

/** The store as a client reads it: searches in turn, and each read that may give many agents charged for them. */
function chargeReads(agents: Services['agents'], { session, inTurn, charge }: Reader): Services['agents'] {
  return {
    ...agents,
    list: (list) => charged(agents.list(list), (found) => found.length),
    stream: (list) => chargedStream(agents.stream(list)),
    page: (page) => charged(agents.page(page), (found) => found?.agents.length),
    findAll: (ids, maxBytes) => charged(agents.findAll(ids, maxBytes), (found) => found.agents.length),
    latest: (list) => inTurn(() => charged(agents.latest({ ...list, session }), ({ latest }) => latest.length)),
    search: (search) => inTurn(() => charged(agents.search({ ...search, session }), (found) => found?.agents.length)),
    countFacets: (list) => inTurn(() => agents.countFacets({ ...list, session })),
    async searchWhole(search) {
      const found = await inTurn(() => agents.searchWhole({ ...search, session }));
      return { ...found, stream: () => chargedStream(found.stream()) };
    },
  };

  async function chargeFor(count = 0): Promise<void> {
    if (count >= AGENTS_PER_READ) await charge(Math.floor(count / AGENTS_PER_READ));
  }

  async function charged<Found>(read: Promise<Found>, countOf: (found: Found) => number | undefined): Promise<Found> {
    const found = await read;
    await chargeFor(countOf(found));
    return found;
  }

  async function* chargedStream<Listed>(chunks: AsyncIterable<Listed[]>): AsyncGenerator<Listed[], void, undefined> {
    let count = 0;
    try {
      for await (const chunk of chunks) {
        count += chunk.length;
        yield chunk;
      }
    } finally {
      await chargeFor(count);
    }
  }
}

/** Runs a procedure by its endpoint's name, with the middleware and schemas that it has over the tRPC protocol. */
export type RunProcedure = ReturnType<typeof createRunProcedure>;

export function createRunProcedure(router: AppRouter) {
  return async <Name extends EndpointName>(path: Name, context: Context, input: unknown) => {
    const response: ResponseMeta = { views: [] };
    const value = (await callTRPCProcedure({
      router,
      path,
      type: endpoints[path].method === 'GET' ? 'query' : 'mutation',
      ctx: { ...context, response },
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    })) as ValueOf<Name>;
    return { ...response, value };
  };
}

/** Reads the management key in the `Authorization` header of a request; empty if it has the scheme only. */
export function readKey({ headers }: FastifyRequest): string | undefined {
  const [scheme = '', ...key] = (headers.authorization ?? '').split(' ');
  return scheme.toLowerCase() === 'bearer' ? key.join(' ').trim() : undefined;
}

function readHeader(request: FastifyRequest, name: string): string | undefined {
  return request.headers[name.toLowerCase()]?.toString();
}

/** @throws {RegistryError} for a text that is no id: there is nothing at that address */
export function readAgentId({ params }: FastifyRequest): string {
  const { data: id } = agentIdSchema.safeParse((params as { id: string }).id);
  if (id === undefined) throw createPathNotFoundError();
  return id;
}
