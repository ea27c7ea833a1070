import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { BUSY } from '../../http-error.ts';
import { sendError } from './error-handler.ts';
import { ALIVE_PATH, READY_PATH } from './health.ts';

/** Where a supervisor would take a refusal for a broken process, and end it when it is needed most. */
const exempt = new Set<string | undefined>([ALIVE_PATH, READY_PATH]);

/**
 * Refuses requests with 503 at once while the event loop is late, so that those under way are answered.
 * @param maxEventLoopDelay the mean delay over a second that is too much, in milliseconds; 0 refuses nothing
 */
export async function registerLoadShedding(app: FastifyInstance, maxEventLoopDelay: number): Promise<void> {
  if (maxEventLoopDelay === 0) return;
  await app.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler: (request, reply) => {
      if (exempt.has(request.routeOptions.url)) return;
      sendError(request, reply, BUSY);
    },
  });
}
