import { createTaskQueue, type RunInTurn } from '../rate-limit/task-queue.ts';

/** How many clients without a key may have a check of one host under way: one runs, and the others wait. */
export const MAX_CLIENTS = 3;
/** How long a check waits for its turn, in milliseconds. */
const MAX_WAIT = 30_000;

/** A client that asks for a check of a host. */
export type HostClient = {
  /** What counts as one host: a site, or a service for repositories. */
  site: string;
  /** The IP address of the client. */
  address: string;
  /** Its rate limit key. */
  client: string;
  /** The agent that has a place of its own for this client, such as its owner; undefined if it has none. */
  agent: string | undefined;
};

/** A place in the line of a host. */
export type Place = {
  /**
   * Runs the check when its turn comes.
   * @throws {HostBusyError} when it has waited for too long.
   */
  run<Result>(check: () => Promise<Result>): Promise<Result>;
  /** Frees the place. */
  leave(): void;
};

/** Too many checks of a host are under way. */
export class HostBusyError extends Error {}

/**
 * Creates the lines of checks, one for each host: a host is checked once at a time, and clients take turns. A client has
 * one of few places. Each agent has another place, for its owner only, so that nobody can lock a host that many agents
 * share.
 * @returns enters a line; throws a `HostBusyError` where no place is free
 */
export function createHostLines(): (client: HostClient) => Place {
  const lines = new Map<string, { clients: Set<string>; agents: Set<string>; runInTurn: RunInTurn }>();

  return function enter({ site, address, client, agent }) {
    const line = lines.get(site) ?? { clients: new Set(), agents: new Set(), runInTurn: createTaskQueue(1) };
    const [places, place] = agent === undefined ? [line.clients, client] : [line.agents, agent];
    if (places.has(place) || (line.clients.size >= MAX_CLIENTS && agent === undefined)) throw new HostBusyError();
    places.add(place);
    lines.set(site, line);
    return {
      async run(check) {
        const signal = AbortSignal.timeout(MAX_WAIT);
        try {
          return await line.runInTurn(check, { address, signal });
        } catch (error) {
          throw error === signal.reason ? new HostBusyError() : error;
        }
      },
      leave() {
        places.delete(place);
        if (line.clients.size + line.agents.size === 0) lines.delete(site);
      },
    };
  };
}
