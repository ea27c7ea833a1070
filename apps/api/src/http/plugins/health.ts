import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AgentStore } from '../../stores.ts';
import { inTime } from '../../database-error.ts';
import { RefusalError } from '../../http-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set on health checks and look-ups of servers, which are neither shed nor counted: a refusal does more than that. */
    isAlwaysServed?: boolean;
  }
}

/** Liveness is always 200; readiness is 503 during shutdown, and while the database does not respond or has no tables. */
export function registerHealth(
  app: FastifyInstance,
  agents: Pick<AgentStore, 'version' | 'isStandby'>,
  shuttingDown: AbortSignal,
): void {
  const config = { rateLimit: false, isAlwaysServed: true } as const;
  const say = (reply: FastifyReply, word: string) =>
    reply.header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send(word);
  app.get('/healthz', { config }, (_request, reply) => say(reply, 'alive'));
  app.get('/readyz', { config }, async (request, reply) => {
    if (shuttingDown.aborted) {
      const detail = 'The process is shutting down';
      throw new RefusalError({ status: 503, detail, retryAfter: 1, isIntended: true });
    }
    await inTime(Promise.resolve(agents.version()), request.deadline);
    const isStandby = await inTime(agents.isStandby(), request.deadline);
    return say(reply, isStandby ? 'standby' : 'ready');
  });
}
