import { IDEMPOTENCY_KEY_HEADER } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../../trpc.ts';

/** The part of a context that depends on where the response goes. */
export type ContextOutput = Pick<Context, 'setHeader' | 'countView'>;

/** Creates the context of the procedures that a request runs. */
export type CreateContext = (request: FastifyRequest, output: ContextOutput) => Context;

/** Creates contexts over the stores of the application. */
export function createContexts(services: Pick<Context, 'agents' | 'views' | 'isRegistrationClosed'>): CreateContext {
  return (request, output) => ({
    ...services,
    ...output,
    idempotencyKey: request.headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()]?.toString(),
  });
}
