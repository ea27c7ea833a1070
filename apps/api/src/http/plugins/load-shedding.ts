import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { OverloadError } from '../../registry-error.ts';

/** How often the delay is sampled, in milliseconds; the histogram counts this waiting time as delay. */
const RESOLUTION = 10;
/** Over how long the mean is taken, in milliseconds. */
const INTERVAL = 1_000;

/**
 * Sheds load: refuses requests with 503 while the event loop is late, so that requests under way complete.
 * @param maxEventLoopDelay the greatest mean delay over a second, in milliseconds; 0 refuses nothing
 */
export function registerLoadShedding(app: FastifyInstance, maxEventLoopDelay: number): void {
  if (maxEventLoopDelay === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION });
  histogram.enable();
  let isOverloaded = false;
  const timer = setInterval(() => {
    isOverloaded = histogram.mean / 1e6 - RESOLUTION > maxEventLoopDelay;
    histogram.reset();
  }, INTERVAL).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    histogram.disable();
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => {
    // A supervisor would take a refusal for a broken process, and restart it under load.
    const isRefused = isOverloaded && !request.routeOptions.config.isAlwaysServed;
    done(isRefused ? new OverloadError('The event loop is late') : undefined);
  });
}
