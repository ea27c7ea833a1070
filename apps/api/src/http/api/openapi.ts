import { OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { CACHE_FOR_AN_HOUR, type ResponseCache } from '../cache/response-cache.ts';

/**
 * Serves the OpenAPI document of the REST paths. It is created with the first request, and never queries the database.
 */
export function registerOpenApi(app: FastifyInstance, cache: ResponseCache): void {
  const route = cache.route({
    readVersion: () => 'constant',
    async produce() {
      // Imported late: generating the document loads more code than serving everything else.
      const { createOpenApiDocument } = await import('./openapi-document.ts');
      return {
        headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': CACHE_FOR_AN_HOUR },
        body: JSON.stringify(createOpenApiDocument()),
      };
    },
  });
  app.get(OPENAPI_PATH, route);
}
