import type { IncomingMessage, ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { preferredEncoding } from './compression.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { ResponseReport } from '../../observability/on-response.ts';
import { findEtag } from './etags.ts';
import { packetOf, type ReadyEntries, type ReadyEntry } from './cache-entries.ts';
import { REQUEST_ID_HEADER, requestIdOf } from '../plugins/request-id.ts';
import { withVersion } from './version.ts';

/** What is answered first. */
export type FirstAnswers = {
  entries: ReadyEntries;
  /** What makes the answer to a request different from others. */
  keyOf: (request: IncomingMessage) => string;
  options: FirstAnswersOptions;
};

/** What answering first depends on, and who is told of it. */
export type FirstAnswersOptions = {
  /** Whether an answer may be given before anything else looks at the request. */
  isOpen(): boolean;
  /** Told of each answer that is a view of an agent. */
  onView(request: IncomingMessage): void;
  /** Told of each answer that was given before the application, where somebody wants to know. */
  onAnswered: ((answered: ResponseReport, requestId: string) => void) | undefined;
  metrics?: Metrics | undefined;
};

/**
 * Answers what is ready before the application looks at it, whose objects, hooks and routes take as long as all else about such
 * an answer. What is not ready goes to the application, which has ready answers too where it is called otherwise.
 */
export function answerFirst(app: FastifyInstance, { entries, keyOf, options }: FirstAnswers): void {
  app.server.removeAllListeners('request');
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const begin = performance.now();
    const isWhole = request.headers.range === undefined;
    const entry = isWhole && isPlainRead(request) && options.isOpen() ? entries.get(keyOf(request)) : undefined;
    if (!entry) return app.routing(request, response);
    withVersion(entry.readVersion, (version) => {
      if (entry.version === version) send(entry, { request, response, begin });
      else app.routing(request, response);
    });
  });

  function send(
    entry: ReadyEntry,
    { request, response, begin }: { request: IncomingMessage; response: ServerResponse; begin: number },
  ): void {
    const { onAnswered, metrics } = options;
    const id = requestIdOf(request);
    if (onAnswered) {
      response.once('finish', () => {
        const { statusCode: status } = response;
        const responseTime = performance.now() - begin;
        onAnswered({ method: request.method ?? '', route: entry.route, status, responseTime }, id);
      });
    }
    const match = request.headers['if-none-match'];
    const etag = match === undefined ? undefined : findEtag(match, entry.etags);
    if (etag !== undefined) {
      response.writeHead(304, [...entry.head.unchanged, 'etag', etag, REQUEST_ID_HEADER, id]).end();
      metrics?.readyAnswers.inc({ result: 'unchanged' });
    } else {
      const { head, body } = packetOf(entry, entries.pick(entry, preferredEncoding(request)));
      response.writeHead(200, [...head, REQUEST_ID_HEADER, id]);
      if (request.method === 'HEAD') response.end();
      else response.end(body, 'latin1');
      metrics?.readyAnswers.inc({ result: 'ready' });
    }
    if (entry.isView) options.onView(request);
  }
}

/** A GET or HEAD, in HTTP as it should be. */
export function isPlainRead({ method, headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.host !== undefined;
}
