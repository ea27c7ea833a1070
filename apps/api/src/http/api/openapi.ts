import { API_REFERENCE_PATH, OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PublicContact } from '../../agents/public-contact.ts';
import { CACHE_FOR_AN_HOUR, type ResponseCache } from '../cache/response-cache.ts';
import { renderApiReference } from './api-reference.ts';

/** Options of `registerOpenApi`. */
export type OpenApiOptions = {
  cache: ResponseCache;
  /** Where clients find the contact addresses of agents. */
  publicContact: PublicContact;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  toOrigin: (request: FastifyRequest) => string;
};

/**
 * Serves the OpenAPI document of the REST paths, and the API reference that is made from it. They are created with the
 * first request, and never query the database.
 */
export function registerOpenApi(app: FastifyInstance, { cache, toOrigin, publicContact }: OpenApiOptions): void {
  app.get(
    OPENAPI_PATH,
    cache.route({
      readVersion: () => 'constant',
      produce: async () => ({
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE_FOR_AN_HOUR },
        body: JSON.stringify(await createDocument(publicContact)),
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
        body: renderApiReference(await createDocument(publicContact), toOrigin(request)),
      }),
    }),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
async function createDocument(publicContact: PublicContact) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument(publicContact);
}
