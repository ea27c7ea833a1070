import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createKyselyAgentStore } from '../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { engines } from '../testing/engines.ts';
import { addModerationGauges } from './moderation-gauges.ts';

test.each(engines)('gauges show the held agents and open reports, and their age, on $name', async ({ open }) => {
  const database = await open();
  const registry = new Registry();
  addModerationGauges(registry, database.engine.db);
  const read = async () =>
    Object.fromEntries(
      Array.from((await registry.metrics()).matchAll(/^(\w+\{.+\}) (.+)$/gm), (line) => [line[1], Number(line[2])]),
    );
  const [held, reports] = ['held', 'reports'].map((queue) => ({
    length: `moderation_queue_length{queue="${queue}"}`,
    oldest: `moderation_queue_oldest_seconds{queue="${queue}"}`,
  })) as [Record<'length' | 'oldest', string>, Record<'length' | 'oldest', string>];
  expect(await read()).toEqual({ [held.length]: 0, [held.oldest]: 0, [reports.length]: 0, [reports.oldest]: 0 });

  const agents = createKyselyAgentStore(database.engine);
  await agents.register(makeNewAgent(), { isHeld: true });
  const { agent } = await agents.register(makeNewAgent({ name: 'Listed' }), {});
  for (const text of ['a', 'b']) await agents.report(agent.id, { reason: 'spam', text });
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  await database.engine.db.updateTable('unlisted_agents').set({ since: anHourAgo }).execute();
  const waiting = await read();
  expect(waiting).toMatchObject({ [held.length]: 1, [reports.length]: 2 });
  expect(waiting[held.oldest]).toBeGreaterThanOrEqual(3_600);
  expect(waiting[reports.oldest]).toBeLessThan(3_600);

  await createKyselyOperatorStore(database.engine).release({});
  expect(await read()).toMatchObject({ [held.length]: 0, [held.oldest]: 0 });
  await database.remove();
  expect(await read()).toEqual({});
});
