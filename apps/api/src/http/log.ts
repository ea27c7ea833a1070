import type { FastifyInstance } from 'fastify';
import { routeOf } from './metrics.ts';

// The addresses that the contract takes, as they stand or percent-encoded, with the length of each part bounded.
const MAIL_ADDRESS = /[\w.!#$%&'*+/=?^`{|}~-]{1,64}(?:@|%40)(?:[a-z\d-]{1,63}\.){1,20}[a-z]{2,63}/gi;

/** The options of a log of JSON lines, in which no mail address stands, wherever it came from. */
export function logOptions(level: string) {
  return { level, hooks: { streamWrite: (line: string) => line.replace(MAIL_ADDRESS, '[mail address]') } };
}

/**
 * Logs each answer, without anything that the caller has written: reads, which are many, where the level is debug;
 * what may have changed something always.
 */
export function registerLog(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const level = method === 'GET' || method === 'HEAD' ? 'debug' : 'info';
    const { statusCode: status, elapsedTime: responseTime } = reply;
    request.log[level]({ method, route: routeOf(request), status, responseTime }, 'Answered.');
    done();
  });
}
