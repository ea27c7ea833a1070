import { IDEMPOTENCY_KEY_HEADER } from '@agent-registry/contracts';
import type { FastifyRequest } from 'fastify';
import { createTaskQueue } from '../../rate-limit/task-queue.ts';
import type { Context } from '../../trpc.ts';

/** The part of a context that depends on where the response goes. */
export type ContextOutput = Pick<Context, 'setHeader' | 'countView'>;

/** Creates the context of the procedures that a request runs. */
export type CreateContext = (request: FastifyRequest, output: ContextOutput) => Context;

/** Most searches that run at once. */
const MAX_SEARCHES = 4;

/** Creates contexts over the stores of the application, in which clients take turns to search. */
export function createContexts(services: Pick<Context, 'agents' | 'views' | 'isRegistrationClosed'>): CreateContext {
  const { agents } = services;
  const searchInTurn = createTaskQueue(MAX_SEARCHES);
  return (request, output) => ({
    ...services,
    ...output,
    agents: {
      ...agents,
      search: (search) => searchInTurn(() => agents.search(search), { address: request.ip }),
      // It searches, too.
      countFacets: (list) => searchInTurn(() => agents.countFacets(list), { address: request.ip }),
    },
    idempotencyKey: request.headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()]?.toString(),
  });
}
