import { createManagementKey } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { createViewStore } from '../stats/view-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { postJson, send, startTestApp, type TestApp } from '../testing/test-app.ts';
import {
  FIGURES_PERIOD,
  addToFigures,
  createFigureCounter,
  forgetFigures,
  readDailyFigures,
  toDay,
  type DailyFigures,
  type FigureCounter,
  type Figures,
} from './daily-figures.ts';

const DAY = 86_400_000;
const NOTHING: Figures = { registrations: 0, edits: 0, reports: 0, searchesWithoutResult: 0, rateLimitedCalls: 0 };
const EMPTY_SEARCH = '/api/search?q=xyzzyplugh';

describe.each(engines)('daily figures on $name', ({ open }) => {
  let database: TestDatabase;
  let figures: FigureCounter;
  let app: TestApp;
  let now: number;

  beforeAll(async () => {
    database = await open();
    figures = createFigureCounter({
      engine: database.engine,
      onError: (error) => {
        throw error;
      },
      now: () => now,
    });
    app = await startTestApp({ database, figures, withSite: true, PUBLIC_URL: 'https://registry.example' });
  });

  beforeEach(async () => {
    now = Date.now();
    await figures.flush();
    await database.empty();
  });

  afterAll(async () => {
    await app.close();
    await figures.close();
    await database.remove();
  });

  async function readToday(): Promise<Partial<Figures>> {
    await figures.flush();
    const days = await readDailyFigures(database.engine.db);
    const { day: _, ...counts } = days.at(-1) as DailyFigures;
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  }

  test('registrations, edits and reports are counted with what they change', async () => {
    const key = createManagementKey();
    const { id } = (await app.agents.register(makeNewAgent(), { key })).agent;
    await app.agents.register(makeNewAgent(), { isHeld: true });
    for (const name of ['Otter', 'Heron']) await app.agents.update(id, { key }, { name }, undefined);
    await app.agents.report(id, { reason: 'spam', text: null });
    expect(await readToday()).toEqual({ registrations: 2, edits: 2, reports: 1 });
  });

  test('an edit that waits for review is counted', async () => {
    const key = createManagementKey();
    const { id } = (await app.agents.register(makeNewAgent(), { key })).agent;
    await app.agents.update(id, { key }, { name: 'Otter' }, { except: new Set() });
    expect(await readToday()).toEqual({ registrations: 1, edits: 1 });
  });

  test('a repeated, refused or imported registration, a refused edit and a report of no agent are not counted', async () => {
    const newAgent = makeNewAgent();
    for (let call = 0; call < 2; call += 1) await app.agents.registerOnce('key', newAgent);
    await postJson(`${app.url}/api/agents`, {});
    const { id } = makeAgent();
    await app.agents.load([makeAgent({ id })]);
    await app.agents.update(id, { key: createManagementKey() }, { name: 'Otter' }, undefined);
    await app.agents.report(makeAgent().id, { reason: 'spam', text: null });
    expect(await readToday()).toEqual({ registrations: 1 });
  });

  test('a search that finds nothing is counted on every surface', async () => {
    await app.agents.load([makeAgent({ name: 'Otter' })]);
    const q = 'xyzzyplugh';
    const input = encodeURIComponent(JSON.stringify({ q }));
    for (const path of [EMPTY_SEARCH, `/?q=${q}`, `/trpc/agents.search?input=${input}`]) await fetch(app.url + path);
    await postJson(`${app.url}/ard/search`, { query: { text: q } });
    const call = { name: 'search_agents', arguments: { query: q } };
    await postJson(
      `${app.url}/mcp`,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
      { accept: 'application/json, text/event-stream' },
    );
    expect(await readToday()).toEqual({ searchesWithoutResult: 5 });
  });

  test('a search without a result is counted when it comes from the cache, also with 304', async () => {
    const { headers } = await send(app.url + EMPTY_SEARCH);
    const { status } = await send(app.url + EMPTY_SEARCH, { headers: { 'if-none-match': headers.etag ?? '' } });
    await send(app.url + EMPTY_SEARCH);
    expect(status).toBe(304);
    expect(await readToday()).toEqual({ searchesWithoutResult: 3 });
  });

  test('a search with results, one of a crawler and HEAD are not counted as searches without a result', async () => {
    await app.agents.load([makeAgent({ name: 'Otter' })]);
    await send(`${app.url}/api/search?q=otter`);
    await send(app.url + EMPTY_SEARCH, { headers: { 'user-agent': 'Googlebot/2.1' } });
    await send(app.url + EMPTY_SEARCH, { method: 'HEAD' });
    expect(await readToday()).toEqual({});
  });

  test('calls that a rate limit refuses are counted', async () => {
    const limited = await startTestApp({ database, figures, READ_LIMIT: 2 });
    for (let call = 0; call < 5; call += 1) await send(`${limited.url}/api/agents?limit=${call + 1}`);
    await limited.close();
    expect(await readToday()).toEqual({ rateLimitedCalls: 3 });
  });

  test('are those of the last 90 days, oldest first, with zeros and the views of the day', async () => {
    const { db } = database.engine;
    const today = Date.parse('2026-03-01T12:00:00.000Z');
    await addToFigures(db, toDay(today - 89 * DAY), { edits: 1 });
    await addToFigures(db, toDay(today - 90 * DAY), { edits: 5 });
    await createViewStore(database.engine).add(new Map([['2026-03-01', 7]]));
    const days = await readDailyFigures(db, { now: today });
    expect(days).toHaveLength(90);
    expect(days[0]).toEqual({ ...NOTHING, day: '2025-12-02', views: 0, edits: 1 });
    expect(days[1]).toEqual({ ...NOTHING, day: '2025-12-03', views: 0 });
    expect(days.at(-1)).toEqual({ ...NOTHING, day: '2026-03-01', views: 7 });
    expect(days.slice(1, -1).every(({ views, edits }) => views === 0 && edits === 0)).toBe(true);
    expect(await readDailyFigures(db, { days: 1, now: today })).toEqual(days.slice(-1));
  });

  test('of several processes add up', async () => {
    const counters = [0, 1, 2].map(() =>
      createFigureCounter({ engine: database.engine, onError: () => {}, now: () => now }),
    );
    for (const [index, counter] of counters.entries()) counter.count('rateLimitedCalls', index + 1);
    await Promise.all(counters.map((counter) => counter.close()));
    expect(await readToday()).toEqual({ rateLimitedCalls: 6 });
  });

  test('are written to the day on which they were counted, and at the end of the process', async () => {
    const { db } = database.engine;
    const counter = createFigureCounter({ engine: database.engine, onError: () => {}, now: () => now });
    const first = Date.parse('2026-03-31T23:59:59.999Z');
    for (now = first; now < first + 2; now += 1) counter.count('searchesWithoutResult', 1);
    await counter.close();
    const days = await readDailyFigures(db, { days: 2, now });
    expect(days.map(({ day, searchesWithoutResult: count }) => [day, count])).toEqual([
      ['2026-03-31', 1],
      ['2026-04-01', 1],
    ]);
  });

  test('that cannot be written stay counted', async () => {
    const { schema } = database.engine.db;
    figures.count('rateLimitedCalls', 1);
    await schema.alterTable('daily_figures').renameTo('gone').execute();
    await expect(figures.flush()).rejects.toThrow();
    await schema.alterTable('gone').renameTo('daily_figures').execute();
    figures.count('rateLimitedCalls', 1);
    expect(await readToday()).toEqual({ rateLimitedCalls: 2 });
  });

  test('a registration that cannot be counted does not happen', async () => {
    const { schema } = database.engine.db;
    await schema.alterTable('daily_figures').renameTo('gone').execute();
    await expect(app.agents.register(makeNewAgent(), {})).rejects.toThrow();
    await schema.alterTable('gone').renameTo('daily_figures').execute();
    expect(await app.agents.count({})).toBe(0);
  });

  test('are forgotten after 400 days', async () => {
    const { db } = database.engine;
    await addToFigures(db, toDay(now), { reports: 1 });
    await forgetFigures(db, now + FIGURES_PERIOD);
    expect(await readToday()).toEqual({ reports: 1 });
    await forgetFigures(db, now + FIGURES_PERIOD + DAY);
    expect(await readToday()).toEqual({});
  });

  test('are in a backup, restored, and stay when an agent is erased', async () => {
    const operator = createOperatorStore(database.engine);
    const { id } = (await app.agents.register(makeNewAgent(), {})).agent;
    await app.agents.report(id, { reason: 'spam', text: null });
    figures.count('rateLimitedCalls', 2 ** 32);
    const before = await readToday();
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.erase({ ids: new Set([id]) });
    expect(await readToday()).toEqual(before);
    figures.count('rateLimitedCalls', 1);
    await figures.flush();
    await operator.replace(streamOf(records));
    expect(await readToday()).toEqual({ registrations: 1, reports: 1, rateLimitedCalls: 2 ** 32 });
  });
});

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
