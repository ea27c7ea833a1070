import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** By when the database must have answered, as `performance.now()` counts. */
    deadline: number;
  }
}

/**
 * Sets the deadline of each request: one limit for the version, the rate limits and the reads of a request together.
 * @param timeout in milliseconds
 */
export function registerDeadline(app: FastifyInstance, timeout: number): void {
  app.decorateRequest('deadline', Infinity);
  // The time that a client takes to send its body is its own.
  app.addHook('preValidation', (request, _reply, done) => {
    request.deadline = performance.now() + timeout;
    done();
  });
}
