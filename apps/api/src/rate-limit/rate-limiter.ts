import { TRPCError } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RateLimitStore } from './rate-limit-store.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';
import { clientKey } from './client-key.ts';

/** The time for which a budget is, in milliseconds. */
const WINDOW = 60_000;

/** How many calls are answered within a minute; 0 for any number. */
export type RateLimits = {
  /** Registrations of one client. */
  register: number;
  /** Registrations of all clients together. */
  registerGlobal: number;
  /** Reads of one client, by one process. */
  read: number;
};

/** Checks the rate limits of calls. */
export type RateLimiter = {
  /**
   * Counts a call against the limits of its kind and sets the `RateLimit` headers; rejects with a `TRPCError` of the code
   * TOO_MANY_REQUESTS when a limit is used up.
   */
  consume(kind: 'read' | 'register', request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

type Budget = {
  /** The name of its policy. */
  name: string;
  limit: number;
  store: RateLimitStore;
  /** Whether each client has one of its own, or all have it together. */
  isShared: boolean;
  /** What whoever spends too much is told first. */
  complaint: string;
};

/**
 * Makes the budgets of calls: those for registering in the store that all processes share, that for reading in memory,
 * since a read never writes.
 */
export function createRateLimiter(limits: RateLimits, store: RateLimitStore): RateLimiter {
  const budgets: Record<'read' | 'register', Budget[]> = {
    read: [
      {
        name: 'read',
        limit: limits.read,
        store: createMemoryRateLimitStore(),
        isShared: false,
        complaint: `Your address has sent more than ${limits.read} calls`,
      },
    ],
    // The client's own first, so that one client alone cannot use up what is for all.
    register: [
      {
        name: 'register',
        limit: limits.register,
        store,
        isShared: false,
        complaint: `Your address has sent more than ${limits.register} registrations`,
      },
      {
        name: 'register-all',
        limit: limits.registerGlobal,
        store,
        isShared: true,
        complaint: `The registry has been sent more than ${limits.registerGlobal} registrations`,
      },
    ],
  };

  return {
    async consume(kind, request, reply) {
      const limited = budgets[kind].filter(({ limit }) => limit > 0);
      if (limited.length > 0) await checkRateLimit(limited, request, reply);
    },
  };
}

async function checkRateLimit(budgets: readonly Budget[], request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const policies: string[] = [];
  const rests: string[] = [];
  for (const { name, limit, store, isShared, complaint } of budgets) {
    const key = isShared ? name : `${name} ${clientKey(request.ip)}`;
    const { used, resetsIn } = await store.increment(key, limit, WINDOW);
    const seconds = Math.max(1, Math.ceil(resetsIn / 1_000));
    // As draft-ietf-httpapi-ratelimit-headers-11 has them.
    policies.push(`"${name}";q=${limit};w=${WINDOW / 1_000}`);
    rests.push(`"${name}";r=${Math.max(0, limit - used)};t=${seconds}`);
    reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', rests.join(', '));
    if (used <= limit) continue;
    reply.header('Retry-After', seconds);
    throw new TRPCError({
      code: 'TOO_MANY_REQUESTS',
      message: `${complaint} within a minute; please try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
    });
  }
}
