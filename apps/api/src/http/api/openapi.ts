import { API_REFERENCE_PATH, OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { constantRoute } from '../cache/response-cache.ts';
import type { DocumentOptions } from './openapi-document.ts';
import { renderReference } from './reference/render-reference.ts';
import type { Surface } from './surface.ts';

type OpenApiOptions = DocumentOptions &
  Pick<Surface, 'cache' | 'toOrigin'> & {
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
    constantRoute(cache, 'application/json; charset=utf-8', async () => JSON.stringify(await createDocument(options))),
  );
  app.get(
    API_REFERENCE_PATH,
    constantRoute(
      cache,
      'text/html; charset=utf-8',
      async (request) => renderReference(await createDocument(options), toOrigin(request), { siteConfig, template }),
      toOrigin,
    ),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
async function createDocument(options: DocumentOptions) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument(options);
}
