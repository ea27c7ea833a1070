import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';

const DAY = 86_400_000;
const key = 'k'.repeat(43);

describe.each(engines)('the latest agents on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
    return () => database.remove();
  });

  test('are those that were listed or edited last', async () => {
    let time = Date.now() - 100 * DAY;
    const agents = createAgentStore(database.engine, { now: () => (time += DAY) });
    const operator = createOperatorStore(database.engine);
    const names = async () => (await agents.latest({ limit: 10 })).latest.map(({ agent }) => agent.name);
    const register = async (name: string, isHeld = false) =>
      (await agents.register(makeNewAgent({ name, category: 'vision' }), { key, isHeld })).agent.id;

    const first = await register('First');
    const held = await register('Held', true);
    const second = await register('Second');
    await agents.load([makeAgent({ name: 'Loaded', createdAt: '2020-01-01T00:00:00.000Z' })]);
    expect(await names()).toEqual(['Second', 'First', 'Loaded']);
    expect(await agents.lastChange('analytics')).toBeUndefined();

    await agents.update(first, { key }, { name: 'Edited' });
    expect(await names()).toEqual(['Edited', 'Second', 'Loaded']);

    const before = new Date().toISOString();
    await operator.release({ ids: new Set([held]) });
    await operator.add([makeAgent({ name: 'Imported', createdAt: '2020-01-01T00:00:00.000Z' })]);
    expect(await names()).toEqual(['Imported', 'Held', 'Edited', 'Second', 'Loaded']);
    const { latest } = await agents.latest({ limit: 2 });
    for (const { agent, changedAt } of latest) {
      expect(agent).toEqual(await agents.find(agent.id));
      expect(changedAt >= before).toBe(true);
    }

    await operator.hide({ ids: new Set([second]) }, 'By mistake');
    const changed = (await agents.lastChange('vision')) ?? '';
    expect(changed >= before).toBe(true);
    expect((await agents.lastChange()) ?? '').toBe(changed);
    await operator.unhide({ ids: new Set([second]) });
    expect(await names()).toEqual(['Imported', 'Held', 'Edited', 'Second', 'Loaded']);
  });
});
