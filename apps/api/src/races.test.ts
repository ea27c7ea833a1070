import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_PAGE_SIZE, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createAgentStore } from './stores.ts';
import { createOperatorStore } from './operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from './testing/engines.ts';
import { startServerProcess, type ServerProcess } from './testing/processes.ts';
import { postJson } from './testing/test-app.ts';
import { rounds, runsAll } from './testing/tier.ts';

/** Agents from before the race: a full list has several pages. */
const OLD_AGENTS = 2 * MAX_PAGE_SIZE;
const REGISTRATIONS_PER_PROCESS = rounds > 1 ? 4 : 2;
const READERS_PER_PROCESS = rounds > 1 ? 3 : 2;
/** How many agents are hidden and shown again in a round. */
const HIDINGS = rounds > 1 ? 4 : 2;
const PAGE_SIZE = 20;
/** How many of the last ETags of a path a conditional request names. */
const KNOWN_ETAGS = 5;

vi.setConfig({ testTimeout: 120_000 + rounds * 10_000 });

/** A home page that shows the newest agents. */
const SERVER_ENTRY = `
export async function renderPage({ call }) {
  const { data } = await call('agents.list', { limit: ${PAGE_SIZE} });
  return { status: 200, html: JSON.stringify(data?.agents), isComplete: data !== undefined };
}
`;

/** The agents that a path shows: the newest up to the limit. */
type Scope = { includes: (agent: Agent) => boolean; limit: number };

const WORD = 'otter';
const lists: Record<string, Scope> = {
  '/api/agents': { includes: () => true, limit: Infinity },
  [`/api/agents?limit=${PAGE_SIZE}`]: { includes: () => true, limit: PAGE_SIZE },
  [`/api/search?q=${WORD}`]: { includes: ({ name }) => name.startsWith(WORD), limit: Infinity },
  '/': { includes: () => true, limit: PAGE_SIZE },
};

/** A change of an agent, between two times of the logical clock. */
type Change = { isVisible: boolean; began: number; ended: number };
/** An agent and its changes, one after the other. */
type AgentHistory = { agent: Agent; changes: Change[] };
/** A response that was read, or confirmed by a 304, between two times of the logical clock. */
type Reading = { path: string; body: string; began: number; ended: number; isConfirmed: boolean };

/** Records the changes and the readings of a round, and finds the readings that no order of the changes explains. */
function createHistory() {
  let clock = 0;
  const changes = new Map<string, AgentHistory>();
  const readings: Reading[] = [];

  return {
    tick: () => (clock += 1),
    ids: () => [...changes.keys()],
    agents: () => [...changes.values()].map(({ agent }) => agent),
    addChange(agent: Agent, change: Change) {
      const known = changes.get(agent.id);
      if (known) known.changes.push(change);
      else changes.set(agent.id, { agent, changes: [change] });
    },
    addReading: (reading: Reading) => void readings.push(reading),
    countReadings: (isConfirmed: boolean) => readings.filter((reading) => reading.isConfirmed === isConfirmed).length,
    findContradictions() {
      const newestFirst = [...changes.values()].toSorted(
        ({ agent: a }, { agent: b }) => compare(b.createdAt, a.createdAt) || compare(a.id, b.id),
      );
      return readings.flatMap((reading) => check(reading, newestFirst));
    },
  };

  function check({ path, body, began, ended, isConfirmed }: Reading, newestFirst: readonly AgentHistory[]): string[] {
    const { includes, limit } = lists[path] ?? { includes: ({ id }) => path.endsWith(id), limit: 1 };
    const shown = new Set(body === '' ? [] : [JSON.parse(body) as Agent | Agent[]].flat().map(({ id }) => id));
    const found: string[] = [];
    const report = (id: string, what: string) =>
      found.push(`${isConfirmed ? '304' : '200 or 404'} of ${path} ${what} ${changes.get(id)?.agent.name ?? id}`);
    let possiblyBefore = 0;
    for (const { agent, changes: ofAgent } of newestFirst) {
      if (!includes(agent)) continue;
      const states = statesBetween(ofAgent, began, ended);
      const isShown = shown.delete(agent.id);
      if (isShown && !states.has(true)) report(agent.id, 'shows the hidden agent');
      if (!isShown && !states.has(false) && possiblyBefore < limit) report(agent.id, 'lacks the visible agent');
      if (states.has(true)) possiblyBefore += 1;
    }
    for (const id of shown) report(id, 'shows the unknown agent');
    return found;
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** Whether an agent was visible: the state before a time, and those of the changes that were under way since. */
function statesBetween(changes: readonly Change[], began: number, ended: number): Set<boolean> {
  const before = changes.findLast((change) => change.ended < began)?.isVisible ?? false;
  const during = changes.filter((change) => change.ended > began && change.began < ended);
  return new Set([before, ...during.map(({ isVisible }) => isVisible)]);
}

describe.each(surfaceEngines)('two processes over one database on $name', ({ open }) => {
  let folder: string;
  let database: TestDatabase;
  let processes: ServerProcess[];

  beforeEach(async () => {
    processes = [];
    database = await open();
    folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
    await mkdir(join(folder, 'server'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Agent Registry</title>');
    await writeFile(join(folder, 'server', 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'server', 'entry-server.js'), SERVER_ENTRY);
    const env = {
      PORT: '0',
      SAMPLE_DATA: 'off',
      SHUTDOWN_DELAY: '0',
      DATABASE_URL: database.url,
    };
    for (let index = 0; index < 2; index += 1)
      processes.push(await startServerProcess(folder, env, { options: { webDir: folder } }));
  });

  afterEach(async () => {
    for (const server of processes) await server.stop('SIGKILL');
    await database.remove();
    await rm(folder, { recursive: true });
  });

  test.runIf(runsAll)(
    'every response shows the agents of a moment of its request, and an ETag has one body',
    async () => {
      const bodies = new Map<string, string>();
      for (let round = 0; round < rounds; round += 1) {
        const history = await race(bodies);
        expect(history.findContradictions().slice(0, 20)).toEqual([]);
        expect(history.countReadings(true)).toBeGreaterThan(0);
        await database.empty();
      }
    },
  );

  /**
   * Registers, hides, shows and reads agents at the same time.
   * @param bodies the body of each path and ETag, over both processes and all rounds
   */
  async function race(bodies: Map<string, string>) {
    const history = createHistory();
    const { tick } = history;
    const agents = createAgentStore(database.engine);
    const operator = createOperatorStore(database.engine);
    const etags = new Map<string, string[]>();

    const old = Array.from({ length: OLD_AGENTS }, (_, index) => makeAgent({ name: `Old ${index}` }));
    const began = tick();
    await agents.load(old);
    const loaded = tick();
    for (const agent of old) history.addChange(agent, { isVisible: true, began, ended: loaded });

    const writing = new AbortController();
    const readers = processes.flatMap((server) =>
      Array.from({ length: READERS_PER_PROCESS }, async () => {
        while (!writing.signal.aborted) await read(server, pickPath());
      }),
    );
    const writers = Promise.all([...processes.map(register), moderate()]).finally(() => writing.abort());
    await Promise.all([writers, ...readers]);
    return history;

    async function register({ url }: ServerProcess, place: number): Promise<void> {
      for (let index = 0; index < REGISTRATIONS_PER_PROCESS; index += 1) {
        const asked = tick();
        const response = await postJson(`${url}/api/agents`, makeNewAgent({ name: `${WORD} ${place} ${index}` }));
        expect(response.status).toBe(201);
        const agent = (await response.json()) as Agent;
        history.addChange(agent, { isVisible: true, began: asked, ended: tick() });
        await readEverywhere(agent);
      }
    }

    async function moderate(): Promise<void> {
      for (let index = 0; index < HIDINGS; index += 1) {
        const agent = pick(index % 2 === 0 ? history.agents().slice(-PAGE_SIZE) : old);
        for (const isVisible of [false, true]) {
          const asked = tick();
          const selection = { ids: new Set([agent.id]) };
          const changed = isVisible
            ? await operator.unhide(selection)
            : (await operator.hide(selection, 'spam')).agents;
          expect(changed).toHaveLength(1);
          history.addChange(agent, { isVisible, began: asked, ended: tick() });
          await readEverywhere(agent);
        }
      }
    }

    /** Reads all that shows an agent from both processes. */
    async function readEverywhere({ id }: Agent): Promise<void> {
      const paths = [...Object.keys(lists), `/api/agents/${id}`];
      await Promise.all(processes.flatMap((server) => paths.map((path) => read(server, path))));
    }

    function pickPath(): string {
      return pick([...Object.keys(lists), `/api/agents/${pick(history.ids())}`]);
    }

    async function read(server: ServerProcess, path: string): Promise<void> {
      const known = etags.get(path) ?? [];
      const headers = {
        'accept-encoding': pick(['identity', 'br', 'gzip']),
        ...(randomInt(2) === 0 && { 'if-none-match': known.join(', ') }),
      };
      const started = tick();
      const response = await fetch(server.url + path, { headers });
      const text = await response.text();
      const time = { began: started, ended: tick() };
      const { status } = response;
      // A full list is read page by page, and the agent that a page begins after may have been hidden.
      if (status === 503 && path === '/api/agents') return;
      if (status === 404) return history.addReading({ path, body: '', ...time, isConfirmed: false });
      expect(status).toBeOneOf([200, 304]);
      // The encodings of a body have ETags that differ in their suffix.
      const etag = response.headers.get('etag')!.replace(/-(?:br|gzip)"$/, '"');
      const body = bodies.get(path + etag) ?? text;
      if (status === 200) {
        expect(text).toBe(body);
        bodies.set(path + etag, body);
        etags.set(path, [...known.filter((tag) => tag !== etag), etag].slice(-KNOWN_ETAGS));
      }
      history.addReading({ path, body, ...time, isConfirmed: status === 304 });
    }
  }
});

function pick<Item>(items: readonly Item[]): Item {
  return items[randomInt(items.length)] as Item;
}
