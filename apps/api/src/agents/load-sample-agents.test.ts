import { defaultCategories } from '@agent-registry/contracts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createAgentStore } from '../stores.ts';
import { loadSampleAgents, sampleAgents } from './load-sample-agents.ts';

describe.each(engines)('loading the sample agents on $name', ({ open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
  });

  afterEach(() => database.remove());

  test('stores all sample agents unchanged, in the same order, dated back from now', async () => {
    const store = createAgentStore(database.engine);
    const now = Date.now();
    await loadSampleAgents(store, defaultCategories);
    const loaded = await store.list();
    expect(loaded).toHaveLength(sampleAgents.length);
    for (const [index, { addedDaysAgo, ...agent }] of sampleAgents.entries()) {
      expect(loaded[index]).toMatchObject(agent);
      expect((now - Date.parse(loaded[index]!.createdAt)) / 86_400_000).toBeCloseTo(addedDaysAgo, 2);
    }
  });
});
