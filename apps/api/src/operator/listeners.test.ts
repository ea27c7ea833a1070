import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRegistrations } from '../agents/registrations.ts';
import type { AgentEvent } from '../agents/agent-rows.ts';
import { createAgentStore } from '../stores.ts';
import { engines } from '../testing/engines.ts';
import { toRegistry } from './listeners.ts';

describe.each(engines)('the listeners of writes on $name', ({ open }) => {
  test('a write is undone with all that followed when its last listener fails', async () => {
    const database = await open();
    onTestFinished(() => database.remove());
    const { engine } = database;
    const registry = toRegistry(engine);
    const told: AgentEvent['type'][] = [];
    const fail = async (_: unknown, { type }: AgentEvent) => {
      told.push(type);
      throw new Error('The listener failed.');
    };
    const { load } = createRegistrations({ ...registry, listeners: [...registry.listeners, fail] }, Date.now, () => {});
    await expect(load([makeAgent({ name: 'Otter', capabilities: ['Swim'] })])).rejects.toThrow('The listener failed.');
    const store = createAgentStore(engine);
    expect([told, await store.list(), await store.suggest('ott'), await store.suggest('swi')]).toEqual([
      ['listed'],
      [],
      { agents: [], capabilities: [] },
      { agents: [], capabilities: [] },
    ]);
  });
});
