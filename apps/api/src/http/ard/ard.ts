import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RefusalError, type HttpError } from '../../http-error.ts';
import { parseRequest, RegistryError } from '../../registry-error.ts';
import { constantRoute } from '../cache/response-cache.ts';
import { addJsonParser, parseJson } from '../plugins/body-parsers.ts';
import { createNoRouteError, refuseOtherMethods, refusingRoute, setErrorFormat } from '../plugins/error-handler.ts';
import {
  AI_CATALOG_PATH,
  ARD_MANIFEST_PATH,
  ARD_PATH,
  CATALOG_PATH,
  CATALOG_TYPE,
  createManifest,
  findOwnEntry,
  readUrn,
  REGISTRY_TYPE,
  getEntry,
  listCatalog,
  listEntries,
  searchEntries,
  type EntryContext,
} from './entries.ts';
import { catalogSchema, listSchema, searchSchema } from './requests.ts';
import type { Surface } from '../api/surface.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** Codes of errors by status. Other errors of clients are invalid arguments, other ones internal errors. */
const errorCodes: Record<number, string> = { 404: 'NOT_FOUND', 429: 'RATE_LIMIT_EXCEEDED', 501: 'NOT_IMPLEMENTED' };
const NOT_EXPLORED: HttpError = { status: 501, detail: 'This registry has no POST /ard/explore', isIntended: true };

/** Publishes the registry as Agentic Resource Discovery 0.91 and AI Catalog do: as a manifest and an interface. */
export function registerArd(
  app: FastifyInstance,
  { siteConfig, readsOf, publicUrl, cache, readFactsVersion, rateLimiter, servers }: Surface & { publicUrl: string },
): void {
  const link = `<${publicUrl}${ARD_MANIFEST_PATH}>; rel="ard", <${publicUrl}${AI_CATALOG_PATH}>; rel="ai-catalog"`;
  app.addHook('onSend', async (_request, reply) => {
    if (!String(reply.getHeader('content-type')).startsWith('text/html')) return;
    reply.header('Link', [reply.getHeader('Link'), link].filter(Boolean).join(', '));
  });
  const base = publicUrl + ARD_PATH;
  const { name: displayName, summary: description } = siteConfig;
  const described = { displayName, description, search: `${base}/search`, agents: `${base}/agents` };
  const toContext = (request: FastifyRequest): EntryContext => ({ ...readsOf(request), publicUrl, servers });

  app.register(async (scope) => {
    setErrorFormat(scope, rateLimiter, toArdError);
    addJsonParser(scope);
    const manifest = constantRoute(cache, CATALOG_TYPE, () => JSON.stringify(createManifest(publicUrl, siteConfig)));
    scope.get(ARD_MANIFEST_PATH, manifest);
    scope.get(AI_CATALOG_PATH, manifest);
    scope.get(
      ARD_PATH,
      constantRoute(cache, REGISTRY_TYPE, () => JSON.stringify(described)),
    );
    get(`${ARD_PATH}/agents`, ({ query }) => parseRequest(listSchema, query), listEntries);
    get(`${ARD_PATH}/agents/:urn`, parseIdentifier, async (context, { id, own }) => own ?? getEntry(context, id));
    get(CATALOG_PATH, ({ query }) => parseRequest(catalogSchema, query), listCatalog, CATALOG_TYPE);
    scope.post(`${ARD_PATH}/search`, { config: { rateLimit: 'read', readKind: 'ard' } }, async (request, reply) => {
      const search = parseRequest(searchSchema, parseJson((request.body ?? '') as string));
      return reply.type(JSON_TYPE).send(await searchEntries(toContext(request), search));
    });
    scope.post(
      `${ARD_PATH}/explore`,
      refusingRoute(() => new RefusalError(NOT_EXPLORED)),
    );
    for (const url of [ARD_PATH, ARD_MANIFEST_PATH, AI_CATALOG_PATH]) refuseOtherMethods(scope, url, ['GET', 'HEAD']);
    scope.route({ method: app.supportedMethods, url: `${ARD_PATH}/*`, ...refusingRoute(createNoRouteError) });

    function get<Value>(
      path: string,
      parse: (request: FastifyRequest) => Value,
      read: (context: EntryContext, value: Value) => Promise<object>,
      type = JSON_TYPE,
    ): void {
      const produce = async (request: FastifyRequest, value: Value) => ({
        headers: { 'content-type': type },
        body: JSON.stringify(await read(toContext(request), value)),
      });
      scope.get(path, cache.route({ readVersion: readFactsVersion, parse, produce }));
    }
  });

  /** The id in the identifier of a request, null if this registry has no such agent; or its own entry. */
  function parseIdentifier({ params }: FastifyRequest) {
    const { urn } = params as { urn: string };
    const id = readUrn(urn, publicUrl);
    if (id !== undefined) return { id, own: findOwnEntry(urn, publicUrl, siteConfig) };
    throw new RegistryError('invalid', 'The identifier must be a URN, such as urn:air:registry.example:agent:id');
  }
}

function toArdError({ status, detail }: HttpError) {
  const errorCode = errorCodes[status] ?? (status < 500 ? 'INVALID_ARGUMENT' : 'INTERNAL_ERROR');
  return { type: JSON_TYPE, body: JSON.stringify({ errorCode, message: `${detail}.` }) };
}
