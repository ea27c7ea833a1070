import type { FastifyInstance } from 'fastify';
import { isCrawler } from '../../stats/crawlers.ts';
import type { FigureCounter } from '../../figures/daily-figures.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The searches of the request that found no agent, also where its response is cached. */
    emptySearches: number;
  }
}

/** Counts the requests of which the daily figures tell, when their responses are sent. */
export function registerFigures(app: FastifyInstance, figures: Pick<FigureCounter, 'count'> | undefined): void {
  app.decorateRequest('emptySearches', 0);
  if (!figures) return;
  app.addHook('onResponse', (request, reply, done) => {
    if (reply.statusCode === 429) figures.count('rateLimitedCalls', 1);
    const { emptySearches, method, headers } = request;
    if (emptySearches > 0 && method !== 'HEAD' && !isCrawler(headers['user-agent'])) {
      figures.count('searchesWithoutResult', emptySearches);
    }
    done();
  });
}
