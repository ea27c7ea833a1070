import { API_REFERENCE_PATH, OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CACHE_FOR_AN_HOUR, type ResponseCache } from '../cache/response-cache.ts';
import type { DocumentOptions } from './openapi-document.ts';
import { renderReference } from './reference/render-reference.ts';

export type OpenApiOptions = DocumentOptions & {
  cache: ResponseCache;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
  /** The HTML of the built web app, in whose frame the reference is; none if it is not built. */
  template: string | undefined;
};

/**
 * Serves the OpenAPI document of the REST paths, and the API reference that is made from it. They are created with the
 * first request, and never query the database.
 */
export function registerOpenApi(app: FastifyInstance, options: OpenApiOptions): void {
  const { cache, toOrigin, siteConfig, template } = options;
  app.get(
    OPENAPI_PATH,
    cache.route({
      readVersion: () => 'constant',
      produce: async () => ({
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE_FOR_AN_HOUR },
        body: JSON.stringify(await createDocument(options)),
      }),
    }),
  );
  app.get(
    API_REFERENCE_PATH,
    cache.route({
      readVersion: () => 'constant',
      originOf: toOrigin,
      produce: async (request) => ({
        headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': CACHE_FOR_AN_HOUR },
        body: renderReference(await createDocument(options), toOrigin(request), { siteConfig, template }),
      }),
    }),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
async function createDocument(options: DocumentOptions) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument(options);
}
