import { createManagementKey, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { createRateLimitStore, type RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { type CheckHost, askDueHosts, createLiveness } from './liveness.ts';
import { silentSince, createHostStore, type HostStore, type Verdict } from './host-store.ts';

const DAY = 86_400_000;
const START = Date.parse('2026-11-02T10:00:00.000Z');

describe.each(surfaceEngines)('liveness on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let store: HostStore;
  let rateLimitStore: RateLimitStore;
  let now: number;
  let verdict: Verdict;
  let asked: string[];
  let highest: number;

  let underWay = 0;
  const checkHost: CheckHost = async (host) => {
    asked.push(host);
    underWay += 1;
    highest = Math.max(highest, underWay);
    await Promise.resolve();
    underWay -= 1;
    return verdict;
  };

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(async () => {
    [now, verdict, asked, highest] = [START, 'answered', [], 0];
    store = createHostStore(database.engine, () => now);
    rateLimitStore = createRateLimitStore(database.engine, () => now);
    app = await startTestApp({ database, liveness: createLiveness({ store, checkHost, rateLimitStore }) });
  });

  afterEach(() => app.close());

  afterAll(() => database.remove());

  const load = (...websites: (string | null)[]) => app.agents.load(websites.map((website) => makeAgent({ website })));
  const ask = () => askDueHosts({ store, checkHost, rateLimitStore }, new AbortController().signal);

  /** Asks the hosts that are due on each of the next days. */
  async function pass(days: number): Promise<void> {
    for (let day = 0; day < days; day += 1) {
      now += DAY;
      await ask();
    }
  }

  async function readFacts(id: string): Promise<EntryFacts['website']> {
    return ((await (await fetch(`${app.url}/api/agents/${id}/facts`)).json()) as EntryFacts).website;
  }

  test('a thousand entries of one host are one request a day', async () => {
    await load(...Array.from({ length: 1_000 }, (_, index) => `https://Example.com/${index}?${index}`));
    await store.sync();
    await pass(1);
    await ask();
    await store.sync();
    await ask();
    expect(asked).toEqual(['example.com']);
    await pass(3);
    expect(asked).toHaveLength(4);
  });

  test('addresses, other ports, names without a dot and sites that are listed with http are not asked', async () => {
    await load(
      'http://example.com/',
      'https://10.0.0.1/',
      'https://[::1]/',
      'https://example.com:8443/',
      'https://localhost/',
      null,
    );
    await store.sync();
    await pass(2);
    expect(asked).toEqual([]);
  });

  test('a due time or a lease of a clock that ran ahead stops no check', async () => {
    await load('https://example.com/', 'https://example.org/');
    now += 500 * DAY;
    await store.sync();
    now += DAY;
    verdict = 'failed';
    await ask();
    expect(await store.claim('example.org')).toBe(true);
    now = START;
    verdict = 'answered';
    await ask();
    expect(asked.toSorted()).toEqual(['example.com', 'example.com', 'example.org', 'example.org']);
  });

  test('hosts are asked four at a time, spread over the day', async () => {
    await load(...Array.from({ length: 40 }, (_, index) => `https://host-${index}.example/`));
    await store.sync();
    now += DAY / 2;
    await ask();
    expect(asked.length).toBeGreaterThan(5);
    expect(asked.length).toBeLessThan(35);
    now += DAY / 2;
    await ask();
    expect(new Set(asked).size).toBe(40);
    expect(highest).toBe(4);
  });

  test('of a thousand hosts of one domain one is asked a day, and each has its turn', async () => {
    const hosts = ['a.example.co.uk', 'b.example.co.uk', 'example.co.uk'];
    await load(...hosts.map((host) => `https://${host}/`), 'https://one.github.io/', 'https://two.github.io/');
    await store.sync();
    await pass(2);
    const ofDomain = () => asked.filter((host) => host.endsWith('example.co.uk'));
    expect(ofDomain().length).toBeLessThanOrEqual(2);
    expect(new Set(asked)).toEqual(new Set([...ofDomain(), 'one.github.io', 'two.github.io']));
    for (let day = 0; day < 30 && new Set(ofDomain()).size < 3; day += 1) {
      const before = ofDomain().length;
      await pass(1);
      expect(ofDomain().length - before).toBeLessThanOrEqual(1);
    }
    expect(new Set(ofDomain())).toEqual(new Set(hosts));
  });

  test('processes share the hosts: none is asked twice', async () => {
    await load(...Array.from({ length: 30 }, (_, index) => `https://host-${index}.example/`));
    await store.sync();
    now += DAY;
    await Promise.all([ask(), ask(), ask()]);
    expect(asked.toSorted()).toEqual([...new Set(asked)].toSorted());
    expect(asked).toHaveLength(30);
  });

  test('a host is silent after three failures on three days over at least seven, with a back-off of 1, 2, 4 and 7 days', async () => {
    await load('https://example.com/');
    await store.sync();
    await pass(1);
    verdict = 'failed';
    const days: number[] = [];
    const silent: boolean[] = [];
    for (let day = 1; day <= 24; day += 1) {
      const before = asked.length;
      await pass(1);
      if (asked.length > before) days.push(day);
      const record = await store.find('example.com');
      silent.push(record !== undefined && silentSince(record) !== null);
    }
    expect(days).toEqual([1, 2, 4, 8, 15, 22]);
    // The fourth failure is the first one that is seven days after the first.
    expect(silent.indexOf(true)).toBe(7);
    expect((await store.listSilent()).map(({ host }) => host)).toEqual(['example.com']);
    verdict = 'answered';
    await pass(7);
    expect(await store.listSilent()).toEqual([]);
  });

  test('a request without a verdict changes nothing', async () => {
    await load('https://example.com/');
    await store.sync();
    await pass(1);
    const { dueAt: _due, ...known } = (await store.find('example.com'))!;
    verdict = 'none';
    await pass(9);
    expect(await store.find('example.com')).toMatchObject(known);
  });

  test('a verdict hides, ranks and deletes nothing, and does not change the version of the registry', async () => {
    await load('https://example.com/');
    await store.sync();
    const [version, agents] = [await app.agents.version(), await app.agents.list()];
    verdict = 'failed';
    await pass(20);
    expect(await store.listSilent()).toHaveLength(1);
    expect(await app.agents.version()).toBe(version);
    expect(await app.agents.list()).toEqual(agents);
  });

  test('a page tells when the host answered, or since when it has not', async () => {
    const [agent] = [makeAgent({ website: 'https://example.com/a' })];
    await app.agents.load([agent]);
    expect(await readFacts(agent.id)).toBeNull();
    await store.sync();
    await pass(1);
    const answeredAt = new Date(now).toISOString();
    // A change of the registry renews what is cached for an hour.
    await load(null);
    expect(await readFacts(agent.id)).toEqual({ host: 'example.com', answeredAt, silentSince: null });
    verdict = 'failed';
    await pass(1);
    const since = new Date(now).toISOString();
    await load(null);
    expect(await readFacts(agent.id)).toEqual({ host: 'example.com', answeredAt: null, silentSince: null });
    await pass(8);
    await load(null);
    expect(await readFacts(agent.id)).toEqual({ host: 'example.com', answeredAt: null, silentSince: since });
  });

  test('an owner has the host asked again, five times a day for all entries of the host', async () => {
    const key = createManagementKey();
    const register = async (website: string | null) =>
      (await app.agents.register(makeNewAgent({ website }), { key })).agent.id;
    const [first, second, none] = [
      await register('https://example.com/1'),
      await register('https://example.com/2'),
      await register(null),
    ];
    await store.sync();
    const check = (id: string, ownKey = key) =>
      fetch(`${app.url}/api/agents/${id}/website-check`, {
        method: 'POST',
        headers: { authorization: `Bearer ${ownKey}` },
      });
    expect((await check(first, createManagementKey())).status).toBe(401);
    expect((await check(none)).status).toBe(422);
    expect(asked).toEqual([]);
    const statuses = [];
    for (const id of [first, second, first, second, first, second]) statuses.push((await check(id)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    expect(asked).toHaveLength(5);
    await ask();
    expect(asked).toHaveLength(5);
  });

  test('five failures on one day are one failure', async () => {
    await load('https://example.com/');
    await store.sync();
    for (let check = 0; check < 5; check += 1) {
      expect(await store.claim('example.com')).toBe(true);
      expect(await store.claim('example.com')).toBe(false);
      await store.record('example.com', 'failed');
    }
    expect(await store.find('example.com')).toMatchObject({ failures: 1 });
  });

  test('a host goes with the last agent that has it, is in a backup, and is restored', async () => {
    const [kept, erased] = [
      makeAgent({ website: 'https://kept.example/' }),
      makeAgent({ website: 'https://erased.example/' }),
    ];
    await app.agents.load([kept, erased]);
    await store.sync();
    verdict = 'failed';
    await pass(1);
    const operator = createOperatorStore(database.engine);
    await operator.erase({ ids: new Set([erased.id]) });
    expect(await store.find('erased.example')).toBeUndefined();
    const before = await store.find('kept.example');
    expect(before).toMatchObject({ failures: 1 });
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.replace(streamOf(records));
    expect(await store.find('kept.example')).toEqual(before);
    await operator.hide({ ids: new Set([kept.id]) }, 'spam');
    await store.sync();
    expect(await store.find('kept.example')).toBeUndefined();
  });

  test('a round that is broken off leaves no verdict', async () => {
    await load('https://example.com/');
    await store.sync();
    now += DAY;
    const stopping = new AbortController();
    const broken: CheckHost = async () => {
      stopping.abort();
      return 'failed';
    };
    await askDueHosts({ store, checkHost: broken, rateLimitStore }, stopping.signal);
    expect(await store.find('example.com')).toMatchObject({ failures: 0 });
  });
});

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
