import type { IncomingMessage } from 'node:http';
import { formatCount, IDEMPOTENCY_KEY_HEADER, MAX_WHOLE_LIST, REGISTRATION_CLOSED } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import type { AgentStore } from '../../agents/agent-store.ts';
import type { Context } from '../../trpc.ts';
import type { CheckRateLimit } from '../../rate-limit/rate-limiter.ts';
import type { CreateContext } from './rest.ts';

/** What the procedures work with, whoever calls. */
export type ContextOptions = {
  agents: AgentStore;
  views: Context['views'];
  /** Counts the view of an agent by the sender of a request. */
  countView: (request: IncomingMessage) => void;
  checkRateLimit: CheckRateLimit;
  /** Whether nobody can register at present. */
  isRegistrationClosed: boolean;
};

const TOO_LONG = `The list has more than ${formatCount(MAX_WHOLE_LIST)} agents; please ask for pages of it with limit`;

/** Makes the contexts of the procedures that answer requests. */
export function createContexts({
  agents,
  views,
  countView,
  checkRateLimit,
  isRegistrationClosed,
}: ContextOptions): CreateContext {
  return (request, reply) => ({
    agents,
    views,
    countView: () => countView(request.raw),
    wholeList: async (category) => {
      if ((await agents.count(category)) <= MAX_WHOLE_LIST) return agents.list(category);
      throw new TRPCError({ code: 'BAD_REQUEST', message: TOO_LONG });
    },
    checkRateLimit: async (kind) => {
      if (kind === 'register' && isRegistrationClosed) {
        throw new TRPCError({ code: 'SERVICE_UNAVAILABLE', message: REGISTRATION_CLOSED });
      }
      await checkRateLimit(kind, request, reply);
    },
    idempotencyKey: request.headers[IDEMPOTENCY_KEY_HEADER.toLowerCase()]?.toString(),
    setHeader: (name, value) => void reply.header(name, value),
  });
}
