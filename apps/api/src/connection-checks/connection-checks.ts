import { isSafeConnection } from '@agent-registry/contracts';
import type { Config } from '../config.ts';
import type { Engine } from '../db/engine.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { countWithin } from '../website-check/count-check.ts';
import { createGuardedFetch } from '../website-check/guarded-fetch.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import { toUserAgent } from '../website-check/user-agent.ts';
import type { ReadFile } from '../website-files/read-file.ts';
import { createCheckStore, type CheckStore, type DueConnection } from './check-store.ts';
import { createConnectionCheck, type CheckConnection } from './handshake.ts';

/** How often connections that are due are looked for, in milliseconds. */
export const CHECK_INTERVAL = 60_000;
/** Checks of an agent that its owner may ask for within a day. */
const MAX_OWN_CHECKS = 5;
const DAY = 86_400_000;

/** What the registry knows of connections. */
export type ConnectionChecks = ReturnType<typeof createConnectionChecks>;

type ConnectionChecksOptions = { store: CheckStore; check: CheckConnection; rateLimitStore: RateLimitStore };

/** Opens the checks and their task as the settings say; undefined if they are off. */
export function openConnectionChecks(
  { CONNECTION_CHECKS, PUBLIC_URL = '' }: Pick<Config, 'CONNECTION_CHECKS' | 'PUBLIC_URL'>,
  engine: Engine,
  { rateLimitStore, readFile }: { rateLimitStore: RateLimitStore; readFile: ReadFile },
) {
  if (CONNECTION_CHECKS === 'off') return undefined;
  const fetch = createGuardedFetch();
  const userAgent = toUserAgent(PUBLIC_URL);
  const readRobots = createRobotsReader(fetch, { userAgent, readFile });
  const store = createCheckStore(engine);
  const check = createConnectionCheck(fetch, { userAgent, readRobots });
  return { store, check, checks: createConnectionChecks({ store, check, rateLimitStore }) };
}

/** Creates what the procedures know of connections. */
export function createConnectionChecks({ store, check, rateLimitStore }: ConnectionChecksOptions) {
  return {
    ofAgent: (agentId: string) => store.ofAgent(agentId),
    /**
     * Checks the connections of an agent at once, for its owner.
     * @throws {RegistryError} `too-many` after five times within a day
     */
    async checkNow(agentId: string): Promise<void> {
      const counted = `The connections were checked ${MAX_OWN_CHECKS} times for their owner within a day`;
      const limit = { key: `connections ${agentId}`, limit: MAX_OWN_CHECKS, window: DAY, counted };
      await countWithin(rateLimitStore, [limit]);
      await store.sync(agentId);
      for (const due of await store.claim(agentId)) await checkOne({ store, check }, due);
    },
  };
}

/** Checks the connections that are due, one after the other, until none is left or the signal is aborted. */
export async function checkDueConnections(
  options: Omit<ConnectionChecksOptions, 'rateLimitStore'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const due = await options.store.claimDue();
    if (!due) return;
    await checkOne(options, due, signal);
  }
}

async function checkOne(
  { store, check }: Omit<ConnectionChecksOptions, 'rateLimitStore'>,
  due: DueConnection,
  signal?: AbortSignal,
): Promise<void> {
  const outcome = due.connection && isSafeConnection(due.connection) ? await check(due.connection, signal) : undefined;
  await store.record(due, outcome);
}
