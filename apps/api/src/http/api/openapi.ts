import { OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { constantRoute } from '../cache/response-cache.ts';
import type { Surface } from './surface.ts';

/** Serves the OpenAPI document of the REST paths, which is created with the first request. */
export function registerOpenApi(app: FastifyInstance, surface: Surface): void {
  app.get(
    OPENAPI_PATH,
    constantRoute(surface.cache, 'application/json; charset=utf-8', async () =>
      JSON.stringify(await createDocument(surface)),
    ),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
export async function createDocument(surface: Surface) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument({ ...surface, publicContact: surface.agents.publicContact });
}
