import { agentIdSchema, isStorable } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { etagOf } from '../../etag.ts';
import { RefusalError, toHttpError } from '../../http-error.ts';
import { inTime } from '../../database-error.ts';
import { RegistryError } from '../../registry-error.ts';
import { MAX_NAME_LENGTH } from '../../servers/server-names.ts';
import { toSecond, type NamedServer } from '../../servers/served-agents.ts';
import { NO_STORE } from '../cache/response-cache.ts';
import { refusingRoute, setErrorFormat } from '../plugins/error-handler.ts';
import { REVALIDATE } from '../cache/entries.ts';
import { matchesEtag, toEtagHeader } from '../cache/send-entry.ts';
import { toEarlierResponse, toOwnServer, toServerResponse } from './describe-servers.ts';
import { CARD_SCHEMA, SERVER_CARD_TYPE, toServerCardPath } from '../mcp/server-card.ts';
import { readPage, type McpRegistryOptions } from './read-page.ts';
import { parseLookUp, parseServersRequest, registerOpenApiYaml, type LookUp, type ServersRequest } from './requests.ts';

const PATH = '/v0.1';
const JSON_TYPE = 'application/json; charset=utf-8';
const CORS = { methods: ['GET', 'OPTIONS'], headers: 'Authorization, Content-Type' };
const NOT_FOUND = 'Server not found';
const NOT_PUBLISHED = 'Publishing is not supported by this registry';

/** Clients take every error of a look-up for a server that is not in the registry, and disable it. */
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
        : new RefusalError({ status: 501, detail: options.publishing ?? NOT_PUBLISHED, isIntended: true }),
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
      const card = { ...found.strict, $schema: CARD_SCHEMA };
      return { headers: { 'content-type': SERVER_CARD_TYPE }, body: JSON.stringify(card) };
    },
  });
  scope.get(toServerCardPath(':id'), { ...route, config: { ...route.config, cors: CORS } });
}

function registerList(scope: FastifyInstance, options: McpRegistryOptions & { publicUrl: string }): void {
  const { cache, readFactsVersion, readsOf } = options;
  const route = cache.route<ServersRequest>({
    readVersion: readFactsVersion,
    parse: ({ query }) => parseServersRequest(query),
    produce: async (request, page) => ({
      headers: { 'content-type': JSON_TYPE },
      body: JSON.stringify(await readPage(options, readsOf(request), page)),
    }),
  });
  // Some clients walk over all servers one by one.
  const readKind = ({ parsed }: FastifyRequest) => {
    const { limit, search, version } = (parsed as { value: ServersRequest }).value;
    return limit === 1 && search === undefined && version === undefined ? 'one' : undefined;
  };
  scope.get(`${PATH}/servers`, { ...route, config: { ...route.config, readKind, cors: CORS } });
}

type Deadline = FastifyRequest['deadline'];
type ServerVersion = { server: object; _meta: object };

/** Registers the look-ups of servers by their names, below a path; returns the function that finds versions. */
export function registerLookUps(
  scope: FastifyInstance,
  options: McpRegistryOptions & { publicUrl: string },
  base = PATH,
): (request: LookUp, deadline: Deadline) => Promise<ServerVersion[]> {
  const { servers, cache, readFactsVersion } = options;
  // For outages of the database: clients take an error for a server that is gone.
  const lastKnown = new LRUCache<string, NamedServer>({
    ttl: 3_600_000,
    maxSize: 16_777_216,
    sizeCalculation: (server) => JSON.stringify(server).length,
  });
  const own = toOwnServer(options);
  const versions = cache.route<LookUp>({
    readVersion: readFactsVersion,
    parse: parseLookUp,
    async produce({ deadline }, request) {
      const found = await lookUp(request, deadline);
      return {
        headers: { 'content-type': JSON_TYPE },
        body: JSON.stringify({ servers: found, metadata: { count: found.length } }),
      };
    },
  });
  // Neither counted nor shed: an editor disables the servers of refused look-ups.
  const config = { rateLimit: false, isAlwaysServed: true, cors: CORS } as const;
  // Proxies decode the escaped slash of a name.
  for (const parameter of [':name', ':namespace/:slug']) {
    const path = `${base}/servers/${parameter}/versions`;
    scope.get(path, { ...versions, config: { ...versions.config, cors: CORS } });
    scope.get(`${path}/:version`, { config }, async (request, reply) => {
      const [found] = await lookUp(parseLookUp(request), request.deadline);
      const body = JSON.stringify(found);
      const etag = etagOf(body);
      reply.header('Cache-Control', REVALIDATE).header('ETag', toEtagHeader(etag));
      if (matchesEtag(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(JSON_TYPE).send(body);
    });
  }

  return findVersions;

  /** Finds a version of a server, or all of them, the present one first. */
  async function lookUp(request: LookUp, deadline: Deadline): Promise<object[]> {
    const { name, version = '' } = request;
    const isReadable = name.length <= MAX_NAME_LENGTH && isStorable(name) && isStorable(version);
    const found = isReadable ? await findVersions(request, deadline) : [];
    if (found.length === 0) throw new RegistryError('not-found', NOT_FOUND);
    return found;
  }

  async function findVersions(
    { name, version, includesDeleted }: LookUp,
    deadline: Deadline,
  ): Promise<ServerVersion[]> {
    if (name.toLowerCase() === own.server.name)
      return [undefined, 'latest', own.server.version].includes(version) ? [own] : [];
    const found = await findServer(name, deadline);
    if (!found) {
      const removed = includesDeleted ? await inTime(servers.findRemoved(name), deadline) : undefined;
      return removed && [undefined, 'latest', removed.version].includes(version) ? [toServerResponse(removed)] : [];
    }
    if (version === 'latest' || version === found.version) return [toServerResponse(found)];
    const reading = found.isImported ? servers.earlierOf(found.agentId) : Promise.resolve([]);
    const earlier = await orKnown(inTime(reading, deadline), () => []);
    if (version === undefined) {
      return [toServerResponse(found), ...earlier.map((one) => toEarlierResponse(found, one))];
    }
    const given = earlier.find((one) => one.version === version);
    if (given) return [toEarlierResponse(found, given)];
    const second = toSecond(version);
    if (second === undefined) return [];
    // It was registered a moment before the log has it.
    const isKnown =
      found.createdAt.startsWith(second) ||
      (await inTime(servers.changedIn([found.agentId], `${second}.000Z`, `${second}.999Z`), deadline)).size > 0;
    return isKnown ? [toServerResponse(found, version)] : [];
  }

  /** Finds a server; in an outage of the database as the last look-up found it. */
  function findServer(name: string, deadline: Deadline): Promise<NamedServer | undefined> {
    const found = inTime(servers.find(name), deadline).then((server) => {
      lastKnown.set(name, server);
      return server;
    });
    return orKnown(found, () => lastKnown.get(name));
  }
}

/** What was read, or in an outage of the database what is known. */
async function orKnown<Value>(read: Promise<Value>, toKnown: () => Value | undefined): Promise<Value> {
  try {
    return await read;
  } catch (error) {
    const known = toHttpError(error as Error).status >= 500 ? toKnown() : undefined;
    if (known === undefined) throw error;
    return known;
  }
}
