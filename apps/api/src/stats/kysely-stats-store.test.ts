import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { engines, makeNewAgent, type TestDatabase } from '../db/test-engines.ts';
import { createKyselyStatsStore } from './kysely-stats-store.ts';
import type { StatsStore } from './stats-store.ts';

describe.each(engines)('figures on $name', ({ open }) => {
  let database: TestDatabase;
  let stats: StatsStore;

  beforeEach(async () => {
    database = await open();
    stats = createKyselyStatsStore(database.engine);
  });

  afterEach(() => database.remove());

  test('are 0 at first', async () => {
    expect(await stats.countAgents()).toBe(0);
    expect(await stats.sumViews('2026-01-01')).toBe(0);
  });

  test('count every agent', async () => {
    const agents = createKyselyAgentStore(database.engine);
    await agents.register(makeNewAgent());
    await agents.register(makeNewAgent());
    expect(await stats.countAgents()).toBe(2);
  });

  test('sum views from a day on, that day included', async () => {
    await stats.addViews(
      new Map([
        ['2025-12-31', 1],
        ['2026-01-01', 20],
        ['2026-01-02', 300],
      ]),
    );
    expect(await stats.sumViews('2025-12-31')).toBe(321);
    expect(await stats.sumViews('2026-01-01')).toBe(320);
    expect(await stats.sumViews('2026-01-03')).toBe(0);
  });

  test('add later views to those of the same day', async () => {
    await stats.addViews(new Map([['2026-01-01', 2]]));
    await stats.addViews(
      new Map([
        ['2026-01-01', 3],
        ['2026-01-02', 40],
      ]),
    );
    expect(await stats.sumViews('2026-01-01')).toBe(45);
    expect(await stats.sumViews('2026-01-02')).toBe(40);
  });

  test('add the views of all days or of none', async () => {
    const views = new Map([
      ['2026-01-01', 1],
      ['2026-01-02', Number.NaN],
    ]);
    await expect(stats.addViews(views)).rejects.toThrow();
    expect(await stats.sumViews('2026-01-01')).toBe(0);
  });
});
