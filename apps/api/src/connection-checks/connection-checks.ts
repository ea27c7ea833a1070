import { addressOf, isSafeConnection } from '@agent-registry/contracts';
import type { Config } from '../config.ts';
import type { Registry } from '../agents/agent-rows.ts';
import { toAskedSite } from '../hosts.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import type { RegistryError } from '../registry-error.ts';
import { countWithin, tooManyChecks } from '../website-check/count-check.ts';
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
/** Checks of all connections of a site within a day. */
const MAX_OF_SITE = 64;
const DAY = 86_400_000;

/** What checks of connections need. */
export type ConnectionChecks = { store: CheckStore; check: CheckConnection; rateLimitStore: RateLimitStore };

/** Opens the checks as the settings say; undefined if they are off. */
export function openConnectionChecks(
  {
    CONNECTION_CHECKS,
    PUBLIC_URL = '',
    REGISTRATION,
  }: Pick<Config, 'CONNECTION_CHECKS' | 'PUBLIC_URL' | 'REGISTRATION'>,
  registry: Registry,
  { rateLimitStore, readFile }: { rateLimitStore: RateLimitStore; readFile: ReadFile },
): ConnectionChecks | undefined {
  if (CONNECTION_CHECKS === 'off') return undefined;
  const fetch = createGuardedFetch();
  const userAgent = toUserAgent(PUBLIC_URL);
  const readRobots = createRobotsReader(fetch, { userAgent, readFile });
  const check = createConnectionCheck(fetch, { userAgent, readRobots });
  return { store: createCheckStore(registry, Date.now, REGISTRATION === 'held'), check, rateLimitStore };
}

/**
 * Checks the connections of an agent at once, for its owner.
 * @throws {RegistryError} `too-many` after five times within a day, and if some could not be checked
 */
export async function checkConnections(checks: ConnectionChecks, agentId: string): Promise<void> {
  const { store, rateLimitStore } = checks;
  const counted = `The connections were checked ${MAX_OWN_CHECKS} times for their owner within a day`;
  await countWithin(rateLimitStore, [{ key: `connections ${agentId}`, limit: MAX_OWN_CHECKS, window: DAY, counted }]);
  await store.sync(agentId);
  const refusals: RegistryError[] = [];
  for (const due of await store.claim(agentId)) refusals.push(...(await checkOne(checks, due)));
  if (refusals[0]) throw refusals[0];
}

/** Checks the connections that are due, one after the other, until none is left or the signal is aborted. */
export async function checkDueConnections(options: ConnectionChecks, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await options.store.claimDue();
    if (!due) return;
    await checkOne(options, due, signal);
  }
}

/** Checks a connection; returns the refusal if its site was asked too often. */
async function checkOne(
  { store, check, rateLimitStore }: ConnectionChecks,
  due: DueConnection,
  signal?: AbortSignal,
): Promise<RegistryError[]> {
  const { connection } = due;
  if (!connection || !isSafeConnection(connection)) {
    await store.record(due, undefined);
    return [];
  }
  const site = toAskedSite(addressOf(connection));
  const { used, resetsIn } = await rateLimitStore.increment(`connections of ${site}`, MAX_OF_SITE, DAY);
  const isLeft = used <= MAX_OF_SITE;
  await store.record(
    due,
    isLeft ? await check(connection, { stopping: signal, host: due.host }) : undefined,
    isLeft ? DAY : resetsIn,
  );
  return isLeft
    ? []
    : [tooManyChecks(`Connections of ${site} were checked ${MAX_OF_SITE} times within a day`, resetsIn)];
}
