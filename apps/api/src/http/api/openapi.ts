import { OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { constantRoute } from '../cache/response-cache.ts';
import type { DocumentOptions } from './openapi-document.ts';
import type { Surface } from './surface.ts';

export type OpenApiOptions = DocumentOptions &
  Pick<Surface, 'cache' | 'toOrigin'> & {
    /** The HTML of the built web app, in whose frame the reference is; none if it is not built. */
    template: string | undefined;
  };

/** Serves the OpenAPI document of the REST paths, which is created with the first request. */
export function registerOpenApi(app: FastifyInstance, options: OpenApiOptions): void {
  app.get(
    OPENAPI_PATH,
    constantRoute(options.cache, 'application/json; charset=utf-8', async () =>
      JSON.stringify(await createDocument(options)),
    ),
  );
}

/** Imported late: generating the document loads more code than serving everything else. */
export async function createDocument(options: DocumentOptions) {
  const { createOpenApiDocument } = await import('./openapi-document.ts');
  return createOpenApiDocument(options);
}
