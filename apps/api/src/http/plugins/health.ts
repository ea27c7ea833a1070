import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AgentStore } from '../../agents/agent-store.ts';
import { sendError } from './error-handler.ts';

/** The path of the liveness check. */
export const ALIVE_PATH = '/healthz';
/** The path of the readiness check. */
export const READY_PATH = '/readyz';

/** Options of `registerHealth`. */
export type HealthOptions = {
  agents: Pick<AgentStore, 'version'>;
  /** Aborted when graceful shutdown begins. */
  shuttingDown: AbortSignal;
};

/**
 * Serves the liveness and readiness checks. Liveness is always 200; readiness is 503 during shutdown and while the
 * database does not respond or lacks migrations.
 */
export function registerHealth(app: FastifyInstance, { agents, shuttingDown }: HealthOptions): void {
  app.get(ALIVE_PATH, { config: { rateLimit: false } }, (_request, reply) => say(reply, 'alive'));
  app.get(READY_PATH, { config: { rateLimit: false } }, async (request, reply) => {
    if (shuttingDown.aborted) {
      return sendError(request, reply, { status: 503, detail: 'The process is shutting down', retryAfter: 1 });
    }
    await agents.version();
    return say(reply, 'ready');
  });
}

function say(reply: FastifyReply, word: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').type('text/plain; charset=utf-8').send(word);
}
