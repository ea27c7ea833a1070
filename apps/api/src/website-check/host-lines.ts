import { networkOf } from '../rate-limit/rate-limiter.ts';
import { createTaskQueue, type RunInTurn } from '../rate-limit/task-queue.ts';
import { tooManyChecks } from './count-check.ts';

/** How many clients without a key may have a check of one host under way: one runs, and the others wait. */
export const MAX_CLIENTS = 3;
/** How long a check waits for its turn, in milliseconds. */
const MAX_WAIT = 30_000;
/** When a check of a busy host is tried again, in milliseconds. */
const BUSY_WAIT = 10_000;

type HostClient = {
  site: string;
  /** A service for repositories, which has one line for all of its sites. */
  service?: string | undefined;
  address: string;
  /** The agent that has a place of its own for this client, such as its owner; undefined if it has none. */
  agent?: string | undefined;
};

/**
 * Creates the lines of checks: a host is checked once at a time, and clients take turns in one of few places. Each agent has
 * a place for its owner, so that nobody can lock a host that many share; where none is free, checks are refused uncounted.
 */
export function createHostLines(checks: string) {
  const lines = new Map<string, { clients: Set<string>; agents: Set<string>; runInTurn: RunInTurn }>();

  return async <Result>(
    { site, service: host = site, address, agent }: HostClient,
    count: () => Promise<unknown>,
    check: () => Promise<Result>,
  ): Promise<Result> => {
    const refuse = () => tooManyChecks(`Other ${checks} of ${site} are under way`, BUSY_WAIT);
    const line = lines.get(host) ?? { clients: new Set(), agents: new Set(), runInTurn: createTaskQueue(1) };
    const [places, place] = agent === undefined ? [line.clients, networkOf(address)] : [line.agents, agent];
    if (places.has(place) || (line.clients.size >= MAX_CLIENTS && agent === undefined)) throw refuse();
    places.add(place);
    lines.set(host, line);
    try {
      await count();
      const signal = AbortSignal.timeout(MAX_WAIT);
      return await line.runInTurn(check, { address, signal }).catch((error: unknown) => {
        throw error === signal.reason ? refuse() : error;
      });
    } finally {
      places.delete(place);
      if (line.clients.size + line.agents.size === 0) lines.delete(host);
    }
  };
}
