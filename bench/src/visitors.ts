import { Agent as HttpAgent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Agent } from '@agent-registry/contracts';

/** Time between two visits, in milliseconds. Half of them come over connections that were open before. */
export const VISIT_INTERVAL = 25;
/** Ordinary visitors, each with an address. */
const VISITORS = 20;
/** How long a visitor waits, in milliseconds. */
const PATIENCE = 10_000;

/** What visitors got. */
export type Visits = {
  /** Times of successful reads of one agent, in milliseconds. */
  agent: number[];
  /** Times of successful reads of pages and searches, in milliseconds. */
  page: number[];
  /** Visits over connections that were open before, and those of them that failed. */
  open: { total: number; failed: number };
  /** Visits over new connections, and those of them that failed. */
  new: { total: number; failed: number };
  statuses: Map<string, number>;
};

/**
 * Starts ordinary visitors: half read one agent, half read pages and searches, on time even if earlier ones wait.
 * @param ending ends the visits; `done` then resolves
 */
export async function startVisits(
  url: string,
  agents: readonly Agent[],
  ending: AbortSignal,
): Promise<{ done: Promise<Visits> }> {
  const visits: Visits = {
    agent: [],
    page: [],
    open: { total: 0, failed: 0 },
    new: { total: 0, failed: 0 },
    statuses: new Map(),
  };
  const known = Array.from(
    { length: VISITORS },
    (_, index) => new HttpAgent({ keepAlive: true, maxSockets: 1, localAddress: `127.0.1.${1 + index}` }),
  );
  for (const agent of known) await visit(`${url}/api/stats`, { agent });
  const pending = new Set<Promise<void>>();
  const done = (async () => {
    for (let index = 0; !ending.aborted; index += 1) {
      const one = visitOnce(index).finally(() => pending.delete(one));
      pending.add(one);
      await wait(VISIT_INTERVAL);
    }
    await Promise.all(pending);
    for (const agent of known) agent.destroy();
    return visits;
  })();
  return { done };

  async function visitOnce(index: number): Promise<void> {
    const { id, name } = agents[index % agents.length] as Agent;
    const word = encodeURIComponent(name.split(' ')[0] ?? '');
    const pages = ['/', `/agent/${id}`, `/api/search?q=${word}&limit=20`, `/?q=${word}`];
    const isAgent = Math.floor(index / 2) % 2 === 0;
    const path = isAgent ? `/api/agents/${id}` : (pages[Math.floor(index / 4) % pages.length] as string);
    const isNew = index % 2 === 1;
    const agent = isNew ? undefined : known[(index / 2) % known.length];
    const begin = performance.now();
    const what = await visit(url + path, agent ? { agent } : { localAddress: `127.0.2.${1 + (index % 200)}` });
    visits.statuses.set(what, (visits.statuses.get(what) ?? 0) + 1);
    const tally = isNew ? visits.new : visits.open;
    tally.total += 1;
    if (what !== '200') tally.failed += 1;
    else visits[isAgent ? 'agent' : 'page'].push(performance.now() - begin);
  }
}

/** Reads a URL to its end; returns the status, or a word for the failure. */
export function visit(url: string, from: { agent: HttpAgent } | { localAddress: string }): Promise<string> {
  return new Promise((resolve) => {
    const options = 'agent' in from ? from : { ...from, agent: false };
    const sent = get(url, { ...options, signal: AbortSignal.timeout(PATIENCE) }, (response) => {
      response.resume();
      response.once('error', () => resolve('broken off'));
      response.once('end', () => resolve(String(response.statusCode)));
    });
    sent.once('error', (error) => resolve(error.name === 'AbortError' ? 'no response in time' : 'no connection'));
  });
}
