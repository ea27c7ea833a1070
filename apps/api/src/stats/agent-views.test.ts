import { createManagementKey, type EntryFacts } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from '../agents/unlisted-agents.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { createViewStore, forgetViews, type ViewStore } from './view-store.ts';

const DAY = 86_400_000;
const today = new Date().toISOString().slice(0, 10);

describe.each(surfaceEngines)('views of an agent on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let store: ViewStore;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    store = createViewStore(database.engine);
    operator = createOperatorStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function load(count = 1): Promise<string[]> {
    const agents = Array.from({ length: count }, () => makeAgent());
    await app.agents.load(agents);
    return agents.map(({ id }) => id);
  }

  const see = (agentId: string, views: number, day = today) =>
    store.add(new Map([[day, views]]), [{ agentId, day, views }]);
  const readDays = (id: string) => store.ofAgent(id, '2000-01-01');

  async function readFacts(
    id: string,
    key?: string,
  ): Promise<{ status: number; cache: string | null; facts: EntryFacts }> {
    const headers = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const response = await fetch(`${app.url}/api/agents/${id}/facts`, { headers });
    const facts = response.ok ? ((await response.json()) as EntryFacts) : { monthlyViews: null };
    return { status: response.status, cache: response.headers.get('cache-control'), facts };
  }

  test('are counted for the agent whose page or entry was read, and in the total', async () => {
    const [read, other] = (await load(2)) as [string, string];
    for (const path of [`/api/agents/${read}`, `/api/agents/${read.toUpperCase()}`, '/api/agents']) {
      await fetch(app.url + path);
    }
    await fetch(`${app.url}/api/agents/${read}`, { headers: { 'user-agent': 'Googlebot/2.1' } });
    await fetch(`${app.url}/trpc/agents.get?input=${encodeURIComponent(JSON.stringify({ id: other }))}`);
    await app.views.flush();
    expect(await readDays(read)).toEqual([{ day: today, views: 2 }]);
    expect(await readDays(other)).toEqual([{ day: today, views: 1 }]);
    expect(await store.sum(today)).toBe(3);
  });

  test('of 30 days are a number for everybody from five on', async () => {
    const [few, enough] = (await load(2)) as [string, string];
    const before = new Date(Date.now() - 30 * DAY).toISOString().slice(0, 10);
    for (const [id, views] of [
      [few, 4],
      [enough, 5],
    ] as const) {
      await see(id, views);
      await see(id, 100, before);
    }
    expect((await readFacts(few)).facts).toEqual({ monthlyViews: null });
    expect((await readFacts(enough)).facts).toEqual({ monthlyViews: 5 });
  });

  test('of each day are told to the owner only, and no cache keeps them', async () => {
    const key = createManagementKey();
    const { id } = (await app.agents.register(makeNewAgent(), { key })).agent;
    await see(id, 3);
    const { status, cache, facts } = await readFacts(id, key);
    expect({ status, cache, views: facts.monthlyViews }).toEqual({ status: 200, cache: 'private, no-store', views: 3 });
    expect(facts.viewsByDay).toHaveLength(30);
    expect(facts.viewsByDay?.at(-1)).toEqual({ day: today, views: 3 });
    expect(facts.viewsByDay?.[0]?.views).toBe(0);
    expect((await readFacts(id, createManagementKey())).status).toBe(401);
    expect((await readFacts(id)).facts).toEqual({ monthlyViews: null });
  });

  test('do not change the version of the registry', async () => {
    const [id = ''] = await load();
    const version = await app.agents.version();
    await see(id, 9);
    expect(await app.agents.version()).toBe(version);
  });

  test('stay while an agent is hidden, and go with an erased one', async () => {
    const [id = '', erased = ''] = await load(2);
    await see(id, 1);
    await see(erased, 1);
    await operator.hide({ ids: new Set([id]) }, 'spam');
    await operator.erase({ ids: new Set([erased]) });
    // The view of a reader that was counted before.
    await see(erased, 1);
    expect(await readDays(id)).toHaveLength(1);
    expect(await readDays(erased)).toEqual([]);
    expect(await store.sum(today)).toBe(3);
  });

  test('are forgotten after 400 days, and with an agent that was withdrawn long ago', async () => {
    const [id = '', withdrawn = ''] = await load(2);
    const now = Date.now();
    for (const days of [399, 401]) await see(id, 1, new Date(now - days * DAY).toISOString().slice(0, 10));
    await see(withdrawn, 1);
    await operator.withdraw({ ids: new Set([withdrawn]) });
    await forgetViews(database.engine.db, now);
    expect(await readDays(id)).toHaveLength(1);
    expect(await readDays(withdrawn)).toHaveLength(1);
    await forgetWithdrawn(database.engine.db, now + WITHDRAWAL_PERIOD + DAY);
    await forgetViews(database.engine.db, now);
    expect(await readDays(withdrawn)).toEqual([]);
  });

  test('are in a backup, and restored', async () => {
    const ids = await load(3);
    for (const id of ids) for (const day of ['2026-11-20', '2026-11-21']) await see(id, 2, day);
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.replace(streamOf(records));
    for (const id of ids) {
      expect(await readDays(id)).toEqual(['2026-11-20', '2026-11-21'].map((day) => ({ day, views: 2 })));
    }
  });
});

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
