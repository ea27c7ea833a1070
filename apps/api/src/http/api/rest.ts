import {
  createReadRequests,
  endpointDescriptions,
  endpoints,
  HELD_STATUS,
  MERGE_PATCH_MEDIA_TYPE,
  pageToHeaders,
  REFUSAL_HEADER,
  returnsPage,
  type AgentListRequest,
  type CategoryId,
  type Endpoint,
  type EndpointName,
  type ListedAgent,
  type PageName,
  type ReadName,
  OPENAPI_PATH,
} from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RateLimitKind } from '../../rate-limit/check-usages.ts';
import { asksForPage, streamWhole } from '../../agents/browse-router.ts';
import { parseRequest, RegistryError } from '../../registry-error.ts';
import type { Context, ResponseMeta } from '../../trpc.ts';
import type { ProducedResponse } from '../cache/entries.ts';
import { NO_STORE, type ReadVersion, constantRoute } from '../cache/response-cache.ts';
import { addEmptyBodyParsers, addTextParser, parseJson } from '../plugins/body-parsers.ts';
import { createNoRouteError, refusingRoute } from '../plugins/error-handler.ts';
import { readKey } from './context.ts';
import type { Surface } from './surface.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

type ListRequest = AgentListRequest & { category?: CategoryId; q?: string };

/**
 * Serves each row of the contract's endpoint table as a Fastify route that runs the procedure: reads through the
 * response cache. Other requests below /api are refused.
 * @param versions of the data that an endpoint's responses show, if it is not that of the agents
 */
export function registerRest(
  app: FastifyInstance,
  { siteConfig, createContext, runProcedure, cache, readVersion }: Surface,
  versions: Partial<Record<EndpointName, ReadVersion>>,
): void {
  const readRequests = createReadRequests(siteConfig.categories);
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const url = endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1');
    if (isRead(name)) {
      const parse = ({ query, params }: FastifyRequest) => {
        if (endpoint.path.startsWith('/api/agents')) refuseKeys(query as object);
        return parseRequest(readRequests[name], { ...(query as object), ...(params as object) });
      };
      app.get(
        url,
        cache.route({
          readVersion: versions[name] ?? readVersion,
          parse,
          ...(endpointDescriptions[name].isForOwners && { isPrivate: (request) => readKey(request) !== undefined }),
          produce: returnsPage(name)
            ? (request, value) => readPage(name, createContext(request), value as ListRequest)
            : (request, value) => readValue(name, createContext(request), value),
        }),
      );
    } else {
      // A scope of its own, since each call accepts other bodies.
      app.register(async (scope) => {
        if (endpoint.hasBody !== true) addEmptyBodyParsers(scope);
        if (endpoint.method === 'PATCH') addTextParser(scope, MERGE_PATCH_MEDIA_TYPE);
        scope.route({
          method: endpoint.method,
          url,
          config: { rateLimit: rateLimitOf(name), isCountedByHandler: rateLimitOf(name) === 'register', isWrite: true },
          handler: async (request, reply) => {
            const { value, ...meta } = await runProcedure(name, createContext(request), toInput(request, endpoint));
            return reply
              .code(meta.isHeld ? HELD_STATUS : (endpointDescriptions[name].status ?? 200))
              .headers({ ...toHeaders(meta), 'Cache-Control': NO_STORE })
              .send(value);
          },
        });
      });
    }
  }
  // The router would take the second one for an agent with an empty id.
  for (const url of ['/api', '/api/agents/', '/api/*'])
    app.route({ method: app.supportedMethods, url, ...refusingRoute(createNoRouteError) });

  function isRead(name: EndpointName): name is ReadName {
    return Object.hasOwn(readRequests, name);
  }

  async function readPage(name: PageName, context: Context, list: ListRequest): Promise<ProducedResponse> {
    const type = { 'content-type': JSON_TYPE };
    const path = endpoints[name].path.replace('{category}', list.category ?? '');
    if (!asksForPage(list)) {
      const { page, stream } = await streamWhole(context, list);
      const headers = { ...type, ...(page && pageToHeaders(page, path, list)) };
      return { headers, body: () => writeFullList(stream()) };
    }
    const { value: page } = await runProcedure(name, context, list);
    return { headers: { ...type, ...pageToHeaders(page, path, list) }, body: JSON.stringify(page.agents) };
  }

  async function readValue(name: ReadName, context: Context, value: unknown): Promise<ProducedResponse> {
    const { value: body, ...meta } = await runProcedure(name, context, value);
    return {
      ...(meta.isHeld && { status: HELD_STATUS }),
      headers: { 'content-type': JSON_TYPE, ...toHeaders(meta) },
      body: JSON.stringify(body),
      viewOf: meta.views[0],
    };
  }
}

export function toHeaders({ etag, location, refusal, limits }: ResponseMeta): Record<string, string> {
  return {
    ...limits,
    ...(etag !== undefined && { ETag: etag }),
    ...(location !== undefined && { Location: location }),
    ...(refusal !== undefined && { [REFUSAL_HEADER]: encodeURIComponent(refusal) }),
  };
}

export function rateLimitOf(name: EndpointName): RateLimitKind {
  return endpointDescriptions[name].limit ?? (endpoints[name].method === 'GET' ? 'read' : 'edit');
}

/** Refuses a key in an address, which logs would store. */
function refuseKeys(query: object): void {
  const given = Object.keys(query).find((name) =>
    ['key', 'managementkey', 'management-key'].includes(name.toLowerCase()),
  );
  if (given !== undefined) throw new RegistryError('invalid', `${given} is no parameter; send a key in a header`);
}

function toInput({ body: text, params, query }: FastifyRequest, { hasBody }: Endpoint): object {
  // A key in an address would be stored in logs.
  if (Object.keys(query as object).length > 0) {
    throw new RegistryError('invalid', 'This call has no query parameters; send the key in a header');
  }
  const fields = text || hasBody === true ? parseJson((text ?? '') as string) : {};
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw new RegistryError('invalid', 'The body must be a JSON object');
  }
  for (const name of Object.keys(params as object)) {
    if (Object.hasOwn(fields, name)) {
      throw new RegistryError('invalid', `These fields are not accepted: ${name}`);
    }
  }
  return { ...fields, ...(params as object) };
}

async function* writeFullList(chunks: AsyncIterable<ListedAgent[]>): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  for await (const agents of chunks) {
    // Chunks have at least one agent.
    yield (isFirst ? '[' : ',') + JSON.stringify(agents).slice(1, -1);
    isFirst = false;
  }
  yield isFirst ? '[]' : ']';
}

export function registerOpenApi(app: FastifyInstance, surface: Surface): void {
  app.get(
    OPENAPI_PATH,
    constantRoute(surface.cache, JSON_TYPE, async () => JSON.stringify(await createDocument(surface))),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
export async function createDocument(surface: Surface) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument({ ...surface, publicContact: surface.agents.publicContact });
}
