import {
  IDEMPOTENCY_KEY_HEADER,
  MANAGEMENT_KEY_HEADER,
  MAX_PAGE_BYTES,
  agentIdSchema,
} from '@agent-registry/contracts';
import type { FastifyBaseLogger, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { signalOf } from '../plugins/connection.ts';
import type { SearchSession } from '../../search/search.ts';
import { AGENTS_PER_READ, READS_PER_SEARCH, READS_PER_UNKNOWN_TERM } from '../../rate-limit/check-usages.ts';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import type { RateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import type { RateLimiter } from '../../rate-limit/rate-limiter.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { createDescriptionReader } from '../../prefill/read-descriptions.ts';
import { createReadInTurn } from '../../prefill/read-in-turn.ts';
import type { PublicationStore } from '../../publisher/publication-store.ts';
import type { ServerStore } from '../../servers/server-store.ts';
import type { ViewCounter } from '../../stats/view-store.ts';
import type { Context, Services } from '../../trpc.ts';
import type { Websites } from '../../website-check/check-website.ts';
import { createWebsiteClaims } from '../../website-check/website-claims.ts';
import { readIfMatch, readIfNoneMatch } from '../cache/send-entry.ts';
import { createPathNotFoundError } from '../../http-error.ts';

export type CreateContext = (request: FastifyRequest) => Context;

export type ServiceOptions = Pick<Services, 'agents' | 'changes' | 'sources'> &
  Partial<Pick<Services, 'connectionChecks'>> & {
    servers: ServerStore;
    publications: PublicationStore;
    views: ViewCounter;
    rateLimitStore: RateLimitStore;
    /** How websites are checked; by default they are not. */
    websites?: Websites | undefined;
    metrics?: Metrics | undefined;
  };

export function createServices(
  options: ServiceOptions & Pick<Config, 'REGISTRATION' | 'HELD_EDITS_EXCEPT'>,
  rateLimiter: RateLimiter,
  log: FastifyBaseLogger,
): Services {
  const {
    agents,
    changes,
    sources,
    servers,
    publications,
    views,
    connectionChecks,
    websites,
    rateLimitStore,
    metrics,
  } = options;
  return {
    agents,
    changes,
    sources,
    servers,
    publications,
    views,
    connectionChecks,
    rateLimiter,
    registration: options.REGISTRATION,
    heldEditsExcept: new Set(options.HELD_EDITS_EXCEPT),
    websiteClaims:
      websites &&
      createWebsiteClaims({
        ...websites,
        rateLimitStore,
        onChecked: (check) => {
          metrics?.websiteChecks.inc({ result: check.result });
          log.info(check, 'Checked a website.');
        },
      }),
    readDescriptions: websites && createReadInTurn(createDescriptionReader(websites), rateLimiter, rateLimitStore),
  };
}

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
    const agents = chargeReads(services.agents, charge);
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
      agents: {
        ...agents,
        search: (search) => inTurn(() => agents.search({ ...search, session })),
        // These search, too.
        searchWhole: (search) => inTurn(() => agents.searchWhole({ ...search, session })),
        countFacets: (list) => inTurn(() => agents.countFacets({ ...list, session })),
        latest: (list) => inTurn(() => agents.latest({ ...list, session })),
      },
      origin: toOrigin(request),
      address: request.ip,
      pageBytes: MAX_PAGE_BYTES,
      deadline: request.deadline,
      idempotencyKey: readHeader(request, IDEMPOTENCY_KEY_HEADER),
      key: readKey(request),
      newKey: readHeader(request, MANAGEMENT_KEY_HEADER),
      expected: etags || otherEtags ? { etags, otherEtags } : undefined,
      prepared: countedOnce(request),
      response: { views: [] },
    };
  };
}

/** The call that a procedure counts; an error after that is not counted again. */
function countedOnce(request: FastifyRequest): Context['prepared'] {
  const { prepared } = request;
  if (!prepared) return undefined;
  return {
    ...prepared,
    check(usages) {
      request.isCounted = true;
      return prepared.check(usages);
    },
  };
}

/** The reads of a store of which a client may get many agents; each is charged for those that were read. */
function chargeReads(agents: Services['agents'], charge: (calls: number) => Promise<void>): Services['agents'] {
  return {
    ...agents,
    list: (list) => charged(agents.list(list), (found) => found.length),
    latest: (list) => charged(agents.latest(list), (found) => found.latest.length),
    stream: (list) => chargedStream(agents.stream(list)),
    page: (page) => charged(agents.page(page), (found) => found?.agents.length),
    findAll: (ids, maxBytes) => charged(agents.findAll(ids, maxBytes), (found) => found.agents.length),
    search: (search) => charged(agents.search(search), (found) => found?.agents.length),
    async searchWhole(search) {
      const found = await agents.searchWhole(search);
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
