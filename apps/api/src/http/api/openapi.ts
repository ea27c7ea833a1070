import { OPENAPI_PATH } from '@agent-registry/contracts';
import type { FastifyInstance } from 'fastify';
import { FOR_AN_HOUR, type ReadyAnswers } from '../cache/response-cache.ts';

/** Serves the OpenAPI document of the REST paths, which is made when somebody first asks for it. */
export function registerOpenApi(app: FastifyInstance, readyAnswers: ReadyAnswers): void {
  const ready = readyAnswers.files();
  app.get(OPENAPI_PATH, ready, async (_request, reply) => {
    // What makes it takes more memory than all that serves it.
    const { createOpenApiDocument } = await import('./openapi-document.ts');
    reply.header('Cache-Control', FOR_AN_HOUR);
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(createOpenApiDocument()));
  });
}
