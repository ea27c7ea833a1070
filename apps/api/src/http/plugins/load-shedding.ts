import underPressure from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { OverloadError } from '../../registry-error.ts';

/**
 * Sheds load: refuses requests with 503 while the event loop is late, so that requests under way complete.
 * @param maxEventLoopDelay the greatest mean delay over a second, in milliseconds; 0 refuses nothing
 */
export function registerLoadShedding(app: FastifyInstance, maxEventLoopDelay: number): void {
  if (maxEventLoopDelay === 0) return;
  app.register(underPressure, {
    maxEventLoopDelay,
    pressureHandler({ routeOptions }) {
      // A supervisor would take a refusal for a broken process, and restart it under load.
      if (!routeOptions.config.isAlwaysServed) throw new OverloadError('The event loop is late');
    },
  });
}
