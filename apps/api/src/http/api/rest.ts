import {
  allAgentsRequestSchema,
  categoryRequestSchema,
  endpoints,
  facetsRequestSchema,
  MERGE_PATCH_MEDIA_TYPE,
  OPENAPI_PATH,
  searchRequestSchema,
  type Endpoint,
  type EndpointName,
  type ListedAgent,
} from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitKind } from '../../rate-limit/rate-limiter.ts';
import type { RunProcedure } from '../../router.ts';
import { NO_STORE } from '../../trpc.ts';
import { pickQuery } from '../cache/cache-key.ts';
import type { ProducedResponse, ReadVersion, ResponseCache } from '../cache/response-cache.ts';
import { addEmptyBodyParsers, addJsonParser } from '../plugins/body-parsers.ts';
import { earlyRoute, sendError } from '../plugins/error-handler.ts';
import type { CreateContext } from './context.ts';
import { writeFullList } from './full-list.ts';

/** Options of `registerRest`. */
export type RestOptions = {
  createContext: CreateContext;
  runProcedure: RunProcedure;
  cache: ResponseCache;
  /** The version of the data that an endpoint's responses show. */
  versionOf: (name: EndpointName) => ReadVersion;
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** The query parameters of each endpoint; all others are ignored. */
const queryParameters: Partial<Record<EndpointName, readonly string[]>> = {
  'agents.list': Object.keys(allAgentsRequestSchema.shape),
  'agents.byCategory': Object.keys(categoryRequestSchema.omit({ category: true }).shape),
  'agents.search': Object.keys(searchRequestSchema.shape),
  'agents.facets': Object.keys(facetsRequestSchema.shape),
};

/** The endpoints that send the full list when no page is requested. */
const fullLists: ReadonlySet<EndpointName> = new Set(['agents.list', 'agents.byCategory']);

/**
 * Serves each row of the contract's endpoint table as a Fastify route that runs the procedure: reads through the
 * response cache, 405 for other methods on those paths and 404 for other paths below /api.
 */
export function registerRest(app: FastifyInstance, options: RestOptions): void {
  const { createContext, runProcedure, cache, versionOf } = options;
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const url = toRoute(endpoint.path);
    if (endpoint.method === 'GET') {
      const query = queryParameters[name] ?? [];
      app.get(
        url,
        cache.route({ readVersion: versionOf(name), query, produce: (request) => read(name, query, request) }),
      );
    } else {
      // A scope of its own, since each call accepts other bodies.
      app.register(async (scope) => {
        if (!endpoint.hasBody) addEmptyBodyParsers(scope);
        if (endpoint.method === 'PATCH') addJsonParser(scope, MERGE_PATCH_MEDIA_TYPE);
        scope.route({
          method: endpoint.method,
          url,
          config: { rateLimit: rateLimitOf(name) },
          handler: async (request, reply) => {
            const context = createContext(request, {
              setHeader: (header, value) => void reply.header(header, value),
              setStatus: (status) => void reply.code(status),
              countView: () => {},
            });
            reply.code(endpoint.status);
            return runProcedure(name, context, toInput(request));
          },
        });
      });
    }
  }
  refuseOtherMethods(app);
  for (const url of ['/api', '/api/*']) app.route({ method: app.supportedMethods, url, ...earlyRoute(sendNotFound) });

  async function read(
    name: EndpointName,
    query: readonly string[],
    request: FastifyRequest,
  ): Promise<ProducedResponse> {
    const input: Record<string, unknown> = {
      ...Object.fromEntries(pickQuery(request, query)),
      ...(request.params as object),
    };
    const headers: Record<string, string> = { 'content-type': JSON_TYPE };
    let isView = false;
    const context = createContext(request, {
      setHeader: (header, value) => (headers[header.toLowerCase()] = value),
      setStatus: () => {},
      countView: () => (isView = true),
    });
    if (
      fullLists.has(name) &&
      [input.limit, input.after, input.before, input.from].every((value) => value === undefined)
    ) {
      // The headers of a page are not those of the list.
      const pageContext = { ...context, setHeader: () => {} };
      const readPage = (page: object) =>
        runProcedure(name, pageContext, { ...input, ...page }) as Promise<ListedAgent[]>;
      return { headers, body: await writeFullList(readPage) };
    }
    const body = JSON.stringify(await runProcedure(name, context, input));
    return { headers, body, isView, isReusable: headers['cache-control'] !== NO_STORE };
  }
}

/** The rate limit of a call. */
export function rateLimitOf(name: EndpointName): RateLimitKind {
  if (endpoints[name].method === 'GET') return 'read';
  if (name === 'agents.register') return 'register';
  return name === 'agents.report' ? 'report' : 'edit';
}

/** The input of a call that writes: the body, with the parameters of the path. */
function toInput({ body, params, query, method }: FastifyRequest): unknown {
  const inPath = Object.entries(params as object);
  if (inPath.length === 0) return body;
  // A key in an address would be stored in logs.
  if (Object.keys(query as object).length > 0) {
    throw new TRPCError({
      code: 'BAD_REQUEST',
      message: 'This call has no query parameters; send the key in a header',
    });
  }
  const fields = body === undefined && method !== 'PATCH' ? {} : body;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  for (const [name] of inPath) {
    if (Object.hasOwn(fields, name)) {
      throw new TRPCError({ code: 'BAD_REQUEST', message: `These fields are not accepted: ${name}` });
    }
  }
  return { ...fields, ...Object.fromEntries(inPath) };
}

/** Sends 404: nothing is at the path of a request. */
export function sendNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(request, reply, { status: 404, detail: 'There is nothing at this address' });
}

/** Sends 405 with the methods that are allowed at the path of a request. */
export function sendMethodNotAllowed(
  request: FastifyRequest,
  reply: FastifyReply,
  allowed: readonly string[],
): FastifyReply {
  return sendError(request, reply.header('Allow', allowed.join(', ')), {
    status: 405,
    detail: `${request.method} is not allowed here, only ${allowed.join(', ')}`,
  });
}

function refuseOtherMethods(app: FastifyInstance): void {
  const methodsByPath = new Map<string, string[]>([[OPENAPI_PATH, ['GET']]]);
  for (const { path, method } of Object.values<Endpoint>(endpoints)) {
    methodsByPath.set(path, [...(methodsByPath.get(path) ?? []), method]);
  }
  for (const [path, methods] of methodsByPath) {
    const allowed = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    app.route({
      method: app.supportedMethods.filter((method) => !allowed.includes(method)),
      url: toRoute(path),
      ...earlyRoute((request, reply) => sendMethodNotAllowed(request, reply, allowed)),
    });
  }
}

function toRoute(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}
