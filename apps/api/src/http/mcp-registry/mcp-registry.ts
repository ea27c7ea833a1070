import { agentIdSchema, isStorable } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { RefusalError, toHttpError, type HttpError } from '../../http-error.ts';
import { inTime } from '../../database-error.ts';
import { RegistryError } from '../../registry-error.ts';
import { toSecond, type NamedServer, type ServerPlace, type ServerStore } from '../../servers/server-store.ts';
import { searchAgents, type ReadsOf } from '../api/public-reads.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { refusingRoute, setErrorFormat } from '../plugins/error-handler.ts';
import { REVALIDATE } from '../cache/entries.ts';
import { toEarlierResponse, toOwnServer, toServerResponse } from './describe-servers.ts';
import { SERVER_CARD_TYPE, toCard, toServerCardPath } from '../mcp/server-card.ts';
import { registerOpenApiYaml, parseServersRequest, writeCursor, type ServersRequest } from './requests.ts';
import type { Surface } from '../api/surface.ts';

type McpRegistryOptions = Surface & { servers: ServerStore };

const PATH = '/v0.1';
const JSON_TYPE = 'application/json; charset=utf-8';
const CORS = { methods: ['GET', 'OPTIONS'], headers: 'Authorization, Content-Type' };
const NOT_FOUND = 'Server not found';
/** Longest name of a server by its schema. */
const MAX_NAME_LENGTH = 200;
/** How long a server stands in for one that the database does not give, in milliseconds. */
const KNOWN_FOR = 3_600_000;
/** The most characters of all such servers together. */
const MAX_KNOWN = 16_777_216;
const NOT_PUBLISHED: HttpError = {
  status: 501,
  detail: 'Publishing is not supported by this registry',
  isIntended: true,
};

/**
 * Serves the agents that are MCP servers by the MCP registry API, version 0.1, which editors read. Clients take every error
 * of a look-up for a server that is not in the registry, and disable it.
 */
export function registerMcpRegistry(app: FastifyInstance, options: McpRegistryOptions): void {
  const { publicUrl } = options;
  if (publicUrl === undefined || !publicUrl.startsWith('https:')) {
    const detail = 'There is an MCP registry here only with an https PUBLIC_URL';
    app.all(
      `${PATH}/*`,
      refusingRoute(() => new RegistryError('not-found', detail)),
    );
    return;
  }
  app.register(async (scope) => {
    setErrorFormat(scope, options.rateLimiter, ({ detail }) => ({
      type: JSON_TYPE,
      body: JSON.stringify({ error: detail }),
    }));
    // On every answer, not only on that of a preflight.
    scope.addHook('onRequest', async (_request, reply) => {
      reply.header('Access-Control-Allow-Origin', '*');
      reply.header('Access-Control-Allow-Methods', CORS.methods.join(', '));
      reply.header('Access-Control-Allow-Headers', CORS.headers);
    });
    registerCard(scope, options);
    registerOpenApiYaml(scope, options.cache);
    registerList(scope, { ...options, publicUrl });
    registerLookUps(scope, { ...options, publicUrl });
    const config = { rateLimit: false, isAlwaysServed: true, cors: CORS } as const;
    for (const [path, answer] of [
      ['ping', { pong: true }],
      ['health', { status: 'ok' }],
    ] as const) {
      scope.get(`${PATH}/${path}`, { config }, (_request, reply) =>
        reply.header('Cache-Control', NO_STORE).type(JSON_TYPE).send(JSON.stringify(answer)),
      );
    }
    const refused = refusingRoute(({ method }) =>
      ['GET', 'HEAD', 'OPTIONS'].includes(method)
        ? new RegistryError('not-found', 'There is nothing at this address')
        : new RefusalError(NOT_PUBLISHED),
    );
    for (const url of [PATH, `${PATH}/*`]) {
      scope.route({ method: app.supportedMethods, url, config: { cors: CORS }, ...refused });
    }
  });
}

function registerCard(scope: FastifyInstance, { servers, cache, readVersion }: McpRegistryOptions): void {
  const route = cache.route<string>({
    readVersion,
    parse: ({ params }) => agentIdSchema.safeParse((params as { id: string }).id).data ?? '',
    async produce(_request, id) {
      const found = (await servers.ofAgents([id])).get(id);
      if (!found) throw new RegistryError('not-found', NOT_FOUND);
      return { headers: { 'content-type': SERVER_CARD_TYPE }, body: JSON.stringify(toCard(found.strict)) };
    },
  });
  scope.get(toServerCardPath(':id'), { ...route, config: { ...route.config, cors: CORS } });
}

type SurfaceOptions = McpRegistryOptions & { publicUrl: string };

function registerList(scope: FastifyInstance, options: SurfaceOptions): void {
  const { cache, readVersion, readsOf } = options;
  const route = cache.route<ServersRequest>({
    readVersion,
    parse: ({ query }) => parseServersRequest(query),
    produce: async (request, page) => ({
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(await readPage(options, readsOf(request), page)),
    }),
  });
  // Editors probe the registry so.
  const rateLimit = ({ query }: FastifyRequest) => JSON.stringify(query) !== '{"limit":"1"}' && ('read' as const);
  scope.get(`${PATH}/servers`, { ...route, config: { ...route.config, rateLimit, cors: CORS } });
}

/** Reads a page of a list. The server of the registry itself is the first one of all. */
async function readPage(
  options: SurfaceOptions,
  reads: ReturnType<ReadsOf>,
  { limit, place, search, since, version, after }: ServersRequest,
) {
  const { servers } = options;
  const own = place || after || since || version || search ? [] : [toOwnServer(options)];
  const room = limit - own.length;
  const part = { limit: Math.max(room, 1), after: place, version };
  let next: { place?: ServerPlace | undefined; after?: string | undefined } | undefined;
  let found: Parameters<typeof toServerResponse>[0][];
  if (search !== undefined) {
    const page = await searchServers(servers, reads, { text: search, limit, after });
    found = page.servers;
    next = page.next === undefined ? undefined : { after: page.next };
  } else {
    const page = await (since === undefined ? servers.list(part) : servers.changes({ ...part, since }));
    found = page.servers.slice(0, room);
    next = page.next && { place: page.next };
  }
  const answer = [...own, ...found.map((server) => toServerResponse(server))];
  // A page for the registry's own server alone goes on with the first one of the others.
  const cursor = room === 0 && found.length === 0 ? { place: { at: FIRST, number: 0 } } : next;
  return {
    servers: answer,
    metadata: {
      count: answer.length,
      ...(cursor && { nextCursor: writeCursor({ search, since, version, ...cursor }) }),
    },
  };
}

const FIRST = '0000-01-01T00:00:00.000Z';

/** Searches as the registry does, or finds the server whose name is the text. */
async function searchServers(
  servers: ServerStore,
  reads: ReturnType<ReadsOf>,
  search: { text: string; limit: number; after: string | undefined },
): Promise<{ servers: NamedServer[]; next: string | undefined }> {
  if (search.text.includes('/') && search.after === undefined && isStorable(search.text)) {
    const named = await servers.find(search.text);
    if (named) return { servers: [named], next: undefined };
  }
  const { agents, next } = await searchAgents(reads, { ...search, connects: ['mcp'] });
  const found = await servers.ofAgents(agents.map(({ id }) => id));
  return { servers: agents.flatMap(({ id }) => found.get(id) ?? []), next };
}

type Deadline = FastifyRequest['deadline'];
type NamedParams = { name?: string; namespace?: string; slug?: string; version?: string };

function registerLookUps(scope: FastifyInstance, options: SurfaceOptions): void {
  const { servers } = options;
  // For outages of the database: clients take an error for a server that is gone.
  const lastKnown = new LRUCache<string, NamedServer>({
    ttl: KNOWN_FOR,
    maxSize: MAX_KNOWN,
    sizeCalculation: (server) => JSON.stringify(server).length,
  });
  const own = toOwnServer(options);
  // Neither counted nor shed: an editor disables the servers of refused look-ups.
  const config = { rateLimit: false, isAlwaysServed: true, cors: CORS } as const;
  // Proxies decode the escaped slash of a name.
  for (const parameter of [':name', ':namespace/:slug']) {
    for (const end of ['', '/:version']) {
      scope.get(`${PATH}/servers/${parameter}/versions${end}`, { config }, async ({ params, deadline }, reply) => {
        const { namespace, slug, version, name = `${namespace}/${slug}` } = params as NamedParams;
        const found = await lookUp(name, version, deadline);
        const [first] = found;
        if (!first) throw new RegistryError('not-found', NOT_FOUND);
        const answer = version === undefined ? { servers: found, metadata: { count: found.length } } : first;
        return reply.header('Cache-Control', REVALIDATE).type(JSON_TYPE).send(JSON.stringify(answer));
      });
    }
  }

  /** Finds a version of a server, or all of them, the present one first. */
  async function lookUp(name: string, version: string | undefined, deadline: Deadline): Promise<object[]> {
    const isLatest = [undefined, 'latest'].includes(version);
    if (name === own.server.name) return isLatest || version === own.server.version ? [own] : [];
    if (name.length > MAX_NAME_LENGTH || !isStorable(name) || !isStorable(version ?? '')) return [];
    const found = await findServer(name, deadline);
    if (!found) return [];
    if (version === 'latest' || version === found.version) return [toServerResponse(found)];
    const earlier = found.isImported ? await findEarlier(found, deadline) : [];
    if (version === undefined) {
      return [toServerResponse(found), ...earlier.map((one) => toEarlierResponse(found, one))];
    }
    const given = earlier.find((one) => one.version === version);
    if (given) return [toEarlierResponse(found, given)];
    const second = toSecond(version);
    if (second === undefined) return [];
    // It was registered a moment before the log has it.
    const isKnown =
      found.createdAt.startsWith(second) || (await inTime(servers.changedIn(found.agentId, second), deadline));
    return isKnown ? [toServerResponse(found, version)] : [];
  }

  /** Finds the earlier versions of a server; in an outage of the database none. */
  async function findEarlier({ agentId }: NamedServer, deadline: Deadline) {
    try {
      return await inTime(servers.earlierOf(agentId), deadline);
    } catch (error) {
      if (toHttpError(error as Error).status < 500) throw error;
      return [];
    }
  }

  /** Finds a server; in an outage of the database as the last look-up found it. */
  async function findServer(name: string, deadline: Deadline): Promise<NamedServer | undefined> {
    try {
      const found = await inTime(servers.find(name), deadline);
      lastKnown.set(name, found);
      return found;
    } catch (error) {
      const known = toHttpError(error as Error).status >= 500 ? lastKnown.get(name) : undefined;
      if (!known) throw error;
      return known;
    }
  }
}
