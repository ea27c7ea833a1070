import { createManagementKey } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { engines } from '../testing/engines.ts';
import { createWebhookStore } from '../webhook/webhook-store.ts';
import { addModerationGauges } from './moderation-gauges.ts';

type Names = Record<'length' | 'oldest', string>;

test.each(engines)(
  'gauges show the held agents and edits, open reports and events to deliver, and their age, on $name',
  async ({ open }) => {
    const database = await open();
    const registry = new Registry();
    addModerationGauges(registry, database.engine.db);
    const read = async () =>
      Object.fromEntries(
        Array.from((await registry.metrics()).matchAll(/^(\w+\{.+\}) (.+)$/gm), (line) => [line[1], Number(line[2])]),
      );
    const [held, reports, events] = ['held', 'reports', 'events'].map((queue) => ({
      length: `moderation_queue_length{queue="${queue}"}`,
      oldest: `moderation_queue_oldest_seconds{queue="${queue}"}`,
    })) as [Names, Names, Names];
    const nothing = [held, reports, events].flatMap(({ length, oldest }) => [length, oldest]).map((name) => [name, 0]);
    expect(await read()).toEqual(Object.fromEntries(nothing));

    const agents = createAgentStore(database.engine);
    await agents.register(makeNewAgent(), { isHeld: true });
    const { agent } = await agents.register(makeNewAgent({ name: 'Listed' }), {});
    for (const text of ['a', 'b']) await agents.report(agent.id, { reason: 'spam', text });
    const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
    await database.engine.db.updateTable('unlisted_agents').set({ since: anHourAgo }).execute();
    const waiting = await read();
    expect(waiting).toMatchObject({ [held.length]: 1, [reports.length]: 2 });
    expect(waiting[held.oldest]).toBeGreaterThanOrEqual(3_600);
    expect(waiting[reports.oldest]).toBeLessThan(3_600);

    // Only the reports of listed agents wait, as the lists of commands and console show them.
    const operator = createOperatorStore(database.engine);
    await operator.hide({ ids: new Set([agent.id]) }, 'Spam');
    expect(await read()).toMatchObject({ [reports.length]: 0, [reports.oldest]: 0 });
    await operator.unhide({ ids: new Set([agent.id]) });
    expect(await read()).toMatchObject({ [reports.length]: 2 });

    const webhook = createWebhookStore(database.engine.db);
    await webhook.setConfigured(true);
    await agents.report(agent.id, { reason: 'spam', text: 'c' });
    await database.engine.db.updateTable('operator_events').set({ at: anHourAgo }).execute();
    const undelivered = await read();
    expect(undelivered).toMatchObject({ [events.length]: 1 });
    expect(undelivered[events.oldest]).toBeGreaterThanOrEqual(3_600);
    const lease = await webhook.claim();
    const [event] = await webhook.read(lease!);
    await webhook.advance(lease!, event!.number);
    expect(await read()).toMatchObject({ [events.length]: 0, [events.oldest]: 0 });

    const key = createManagementKey();
    const owned = (await agents.register(makeNewAgent({ name: 'Owned' }), { key })).agent;
    await agents.update(owned.id, { key }, { name: 'Edited' }, { except: new Set() });
    const reviewed = await read();
    expect(reviewed).toMatchObject({ [held.length]: 2 });
    expect(reviewed[held.oldest]).toBeGreaterThanOrEqual(3_600);

    await operator.release({});
    expect(await read()).toMatchObject({ [held.length]: 0, [held.oldest]: 0 });
    await database.remove();
    expect(await read()).toEqual({});
  },
);
