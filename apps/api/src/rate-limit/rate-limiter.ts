import { TRPCError } from '@trpc/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientKeys, type ClientKeys } from './client-keys.ts';
import { createMemoryRateLimitStore } from './memory-rate-limit-store.ts';
import { RATE_LIMIT_WINDOW, type RateLimitStore } from './rate-limit-store.ts';

/** Calls allowed within a minute; 0 for any number. */
export type RateLimits = {
  /** Registrations of one client. */
  register: number;
  /** Registrations of all clients together. */
  registerGlobal: number;
  /** Reads of one client, by one process. */
  read: number;
};

/** The rate limits of the registry. */
export type RateLimiter = {
  /**
   * Counts a call against the rate limits of its kind and sets the `RateLimit` headers of the response.
   * @throws {TRPCError} with the code TOO_MANY_REQUESTS, after setting `Retry-After`, when a limit is used up.
   */
  consume(kind: 'read' | 'register', request: FastifyRequest, reply: FastifyReply): Promise<void>;
};

/**
 * How many clients' worth of calls one IPv6 /48 may send. It holds 65,536 networks that each count as a client, and a
 * single customer can have all of them; a mobile carrier spreads its customers over many.
 */
const NETWORK_FACTOR = 4;

type RateLimit = {
  /** The name of the policy in the headers. */
  policy: string;
  limit: number;
  store: RateLimitStore;
  /** Returns the rate limit key of a call; undefined if the limit does not apply to it. */
  toKey: (keys: ClientKeys) => string | undefined;
  /** The subject of the refusal message, such as "Your address". */
  sender: string;
};

/** Creates the rate limits: registrations are counted in the shared store, reads in memory. */
export function createRateLimiter(limits: RateLimits, store: RateLimitStore): RateLimiter {
  const toLimits = (name: string, limit: number, toStore: () => RateLimitStore): RateLimit[] => [
    { policy: name, limit, store: toStore(), toKey: ({ client }) => client, sender: 'Your address has' },
    {
      policy: `${name}-network`,
      limit: NETWORK_FACTOR * limit,
      store: toStore(),
      toKey: ({ network }) => network,
      sender: 'Your network (an IPv6 /48) has',
    },
  ];
  const toAll: RateLimit = {
    policy: 'register-all',
    limit: limits.registerGlobal,
    store,
    toKey: () => 'all',
    sender: 'All clients together have',
  };
  // The client's own limit first, so that a refused client does not use up shared limits.
  const rateLimits = {
    // A store for each limit: addresses that fill one must not push networks out of the other.
    read: toLimits('read', limits.read, createMemoryRateLimitStore),
    register: [...toLimits('register', limits.register, () => store), toAll],
  };

  return {
    async consume(kind, request, reply) {
      const keys = clientKeys(request.ip);
      const policies: string[] = [];
      const states: string[] = [];
      for (const { policy, limit, store, toKey, sender } of rateLimits[kind]) {
        const key = toKey(keys);
        if (limit === 0 || key === undefined) continue;
        const { used, resetsIn } = await store.increment(`${policy} ${key}`, limit);
        const seconds = Math.max(1, Math.ceil(resetsIn / 1_000));
        // The format of draft-ietf-httpapi-ratelimit-headers-11.
        policies.push(`"${policy}";q=${limit};w=${RATE_LIMIT_WINDOW / 1_000}`);
        states.push(`"${policy}";r=${Math.max(0, limit - used)};t=${seconds}`);
        reply.header('RateLimit-Policy', policies.join(', ')).header('RateLimit', states.join(', '));
        if (used <= limit) continue;
        reply.header('Retry-After', seconds);
        const calls = kind === 'read' ? 'reads' : 'registrations';
        throw new TRPCError({
          code: 'TOO_MANY_REQUESTS',
          message: `${sender} sent more than ${limit} ${calls} within a minute. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
        });
      }
    },
  };
}
