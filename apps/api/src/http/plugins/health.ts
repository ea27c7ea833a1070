import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AgentStore } from '../../agents/agent-store.ts';
import { sendError } from './error-handler.ts';

/** Where the process says that it is alive. */
export const ALIVE_PATH = '/healthz';
/** Where the process says whether it wants requests. */
export const READY_PATH = '/readyz';

/** What readiness depends on. */
export type HealthOptions = {
  agents: AgentStore;
  /** Aborted once the process is on its way out. */
  shuttingDown: AbortSignal;
};

/**
 * Answers supervisors: alive, as long as anything is answered; ready, while the database answers with the tables that the
 * migrations make and the process is not shutting down. Otherwise 503.
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
