import { createManagementKey, type Agent, type Changes } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startTestApp } from '../testing/test-app.ts';
import { startReceiver, type WebhookReceiver } from '../testing/webhook-receiver.ts';
import { EVENT_PERIOD, forgetEvents, createWebhookStore } from './webhook-store.ts';
import { WebhookError, deliverEvents } from './webhook.ts';

const secret = `whsec_${Buffer.alloc(24, 'secret').toString('base64')}`;
const publicUrl = 'https://registry.example';
const key = createManagementKey();
const selecting = (...agents: readonly Agent[]) => ({ ids: new Set(agents.map(({ id }) => id)) });

describe.each(engines)('the webhook on $name', ({ open }) => {
  let database: TestDatabase;
  let receiver: WebhookReceiver;
  let attempts: string[];

  beforeAll(async () => {
    database = await open();
    receiver = await startReceiver();
  });

  beforeEach(async () => {
    attempts = [];
    receiver.requests.length = 0;
    receiver.responses.length = 0;
    await database.empty();
    await createWebhookStore(database.engine.db).setConfigured(true);
  });

  afterAll(async () => {
    await receiver.close();
    await database.remove();
  });

  const agents = () => createAgentStore(database.engine);
  const operator = () => createOperatorStore(database.engine);
  const register = async (name: string, isHeld = false) =>
    (await agents().register(makeNewAgent({ name }), { isHeld, key })).agent;
  const later = (milliseconds: number) => createWebhookStore(database.engine.db, () => Date.now() + milliseconds);
  const deliver = (store = later(0)) =>
    deliverEvents({
      store,
      target: { url: receiver.url, secret },
      publicUrl,
      onAttempt: (result) => attempts.push(result),
    });
  const receivedEvents = () =>
    receiver.requests.map(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: { id: string } };
      return [type, data.id];
    });
  const readWaiting = async () => {
    const rows = await database.engine.db.selectFrom('operator_events').select(['type', 'agent_id']).execute();
    return rows.map(({ type, agent_id }) => [type, agent_id]);
  };

  test('tells of held, listed, changed, reported and removed agents in their order, signed, with ids and links only', async () => {
    const [held, listed] = [await register('Secret held', true), await register('Secret listed')];
    await operator().release(selecting(held));
    await agents().update(listed.id, { key }, { name: 'Secret new name' });
    await agents().update(listed.id, { key }, { name: 'Secret proposal' }, { except: new Set() });
    await agents().report(listed.id, { reason: 'spam', text: 'Secret text' });
    await operator().hide(selecting(held), 'Secret reason');
    await agents().withdraw(listed.id, { key });
    await deliver();
    expect(receivedEvents()).toEqual([
      ['agent.held', held.id],
      ['agent.listed', listed.id],
      ['agent.listed', held.id],
      ['agent.updated', listed.id],
      ['agent.held', listed.id],
      ['agent.reported', listed.id],
      ['agent.removed', held.id],
      ['agent.removed', listed.id],
    ]);
    for (const { headers, body } of receiver.requests) {
      const payload = new Webhook(secret).verify(body, headers as Record<string, string>) as { data: { id: string } };
      const { id } = payload.data;
      expect(payload).toEqual({
        type: expect.any(String),
        timestamp: expect.stringMatching(/^\d{4}-.+Z$/),
        data: { id, url: `${publicUrl}/agent/${id}`, api: `${publicUrl}/api/agents/${id}` },
      });
    }
    expect(attempts).toEqual(Array.from({ length: 8 }, () => 'sent'));
    await deliver();
    expect(receiver.requests).toHaveLength(8);
  });

  test('the change log, which is public, has no event of the operator', async () => {
    const app = await startTestApp({ database });
    const readChanges = async (after = '') => (await (await fetch(`${app.url}/api/changes${after}`)).json()) as Changes;
    const { next } = await readChanges();
    const [held, listed] = [await register('Secret held', true), await register('Listed')];
    await agents().update(listed.id, { key }, { name: 'Secret proposal' }, { except: new Set() });
    await agents().report(listed.id, { reason: 'spam', text: 'Secret text' });
    await operator().refuse(selecting(held, listed), 'Secret reason');
    expect((await readWaiting()).map(([type]) => type)).toEqual([
      'agent.held',
      'agent.listed',
      'agent.held',
      'agent.reported',
    ]);
    const changes = await readChanges(`?include=agents&after=${next}`);
    expect(changes.changes.map(({ id, change }) => [id, change])).toEqual([[listed.id, 'listed']]);
    expect(JSON.stringify(changes)).not.toMatch(/secret|held|report|refused/i);
    await app.close();
  });

  test('an owner who changes a refused agent lets it wait, of which the operator is told', async () => {
    const agent = await register('Otter', true);
    await operator().refuse(selecting(agent), 'No');
    await agents().update(agent.id, { key }, { name: 'Stoat' });
    await deliver();
    expect(receivedEvents()).toEqual([
      ['agent.held', agent.id],
      ['agent.held', agent.id],
    ]);
  });

  test('what is rolled back is no event', async () => {
    await operator().addTogether(async (add) => {
      await add([
        { ...makeNewAgent(), id: crypto.randomUUID(), rating: 0, reviewCount: 0, createdAt: new Date().toISOString() },
      ]);
      return false;
    });
    expect(await readWaiting()).toEqual([]);
  });

  test('without a webhook no event is stored, and those that wait are removed', async () => {
    await register('Otter');
    expect(await readWaiting()).toHaveLength(1);
    await later(0).setConfigured(false);
    expect(await readWaiting()).toEqual([]);
    await register('Heron');
    expect(await readWaiting()).toEqual([]);
  });

  test('a failed delivery is repeated under its id after a wait of up to an hour, and later events wait for it', async () => {
    const first = await register('Otter');
    const second = await register('Heron');
    const waits: number[] = [];
    for (let time = 0; waits.length < 12;) {
      receiver.responses.push({ status: 500 });
      await expect(deliver(later(time))).rejects.toThrow(WebhookError);
      const { due_at } = await database.engine.db.selectFrom('webhook').select('due_at').executeTakeFirstOrThrow();
      const due = Date.parse(due_at) - Date.now();
      waits.push(Math.round((due - time) / 5_000) * 5);
      const before = receiver.requests.length;
      await deliver(later(due - 2_000));
      expect(receiver.requests).toHaveLength(before);
      time = due;
    }
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBe(3_600);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    receiver.requests.length = 0;
    await deliver(later(86_400_000));
    expect(receivedEvents()).toEqual([
      ['agent.listed', first.id],
      ['agent.listed', second.id],
    ]);
    expect(attempts).toEqual([...Array.from({ length: 12 }, () => 'failed'), 'sent', 'sent']);
  });

  /** Attempts to deliver, each after the longest wait, until one succeeds or so many have failed. */
  async function attempt(most: number): Promise<string[]> {
    const errors: string[] = [];
    for (let time = 0; errors.length < most; time += 3_600_000) {
      try {
        await deliver(later(time));
        break;
      } catch (error) {
        errors.push((error as WebhookError).message);
      }
    }
    return errors;
  }

  test.each([400, 401, 404, 410, 413, 499])(
    'an event that is refused eight times with %i is dropped, and the next ones go on',
    async (status) => {
      const [, second] = [await register('Otter'), await register('Heron')];
      receiver.responses.push(...Array.from({ length: 8 }, () => ({ status })));
      const errors = await attempt(9);
      expect(errors).toHaveLength(8);
      const [id] = /event_\d+_\d+/.exec(errors[0] ?? '') ?? [];
      const message = `agent.listed ${id}: The webhook answered with status ${status}.`;
      expect(errors).toEqual([...Array<string>(7).fill(message), `${message} The event is dropped.`]);
      expect(receivedEvents().slice(8)).toEqual([['agent.listed', second.id]]);
      expect(attempts).toEqual([...Array<string>(7).fill('failed'), 'dropped', 'sent']);
      await forgetEvents(database.engine.db, Date.now());
      expect(await readWaiting()).toEqual([]);
    },
  );

  test.each([302, 408, 425, 429, 500, 503])('an event that is answered with %i is not dropped', async (status) => {
    await register('Otter');
    receiver.responses.push(...Array.from({ length: 20 }, () => ({ status })));
    expect(await attempt(20)).toHaveLength(20);
    expect(attempts).toEqual(Array<string>(20).fill('failed'));
    expect(await readWaiting()).toHaveLength(1);
  });

  test('failures between refusals do not count as refusals, and a delivery ends the count', async () => {
    await register('Otter');
    await register('Heron');
    const statuses = [500, 500, 404, 503, 404, 404, 404, 404, 404, 404, 204, 404, 404, 204];
    receiver.responses.push(...statuses.map((status) => ({ status })));
    expect(await attempt(20)).toHaveLength(12);
    expect(attempts).not.toContain('dropped');
  });

  test('one process at a time delivers; another takes over when the first is gone', async () => {
    await register('Otter');
    const gone = await later(0).claim();
    expect(gone).toBeDefined();
    await deliver();
    expect(receiver.requests).toEqual([]);
    await deliver(later(61_000));
    expect(receiver.requests).toHaveLength(1);
    expect(await later(61_000).advance(gone!, 1)).toBeUndefined();
    await later(0).fail(gone!);
    expect(await later(0).refuse({ ...gone!, refusals: 7 }, 1)).toBeUndefined();
    expect(await database.engine.db.selectFrom('webhook').select('failures').execute()).toEqual([{ failures: 0 }]);
  });

  test('a due time or a lease of a clock that ran ahead stops no delivery', async () => {
    await register('Otter');
    const ahead = later(500 * 86_400_000);
    await ahead.fail((await ahead.claim())!);
    receiver.responses.push({ status: 500 });
    await expect(deliver()).rejects.toThrow(WebhookError);
    await ahead.claim();
    await deliver(later(10_000));
    expect(receivedEvents()).toHaveLength(2);
  });

  test('a redirect is a failure that leads nowhere', async () => {
    await register('Otter');
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.responses.push({ status, location: '/elsewhere' });
      await expect(deliver(later(86_400_000 * (status - 300)))).rejects.toThrow(`status ${status}`);
    }
    expect(new Set(receiver.requests.map(({ path }) => path))).toEqual(new Set(['/token-of-a-room']));
  });

  test('no error names the secret or the address', async () => {
    await register('Otter');
    const gone = await startReceiver();
    await gone.close();
    const target = { url: gone.url, secret };
    const store = later(0);
    const error = await deliverEvents({ store, target, publicUrl, onAttempt: () => {} }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(WebhookError);
    const { message, stack, cause } = error as WebhookError;
    expect(message).toMatch(/^agent\.listed event_\d+_\d+: The webhook cannot be reached: ECONNREFUSED\.$/);
    expect(cause).toBeUndefined();
    expect(`${message} ${stack}`).not.toMatch(/whsec|token-of-a-room|127\.0\.0\.1/);
  });

  test('an erasure leaves no event of the agent but its removal', async () => {
    const agent = await register('Otter');
    await agents().report(agent.id, { reason: 'spam', text: null });
    await operator().erase(selecting(agent));
    expect(await readWaiting()).toEqual([['agent.removed', agent.id]]);
  });

  test('a backup has the events that wait, and a restore tells of them once and not of itself', async () => {
    const delivered = await register('Otter');
    await deliver();
    const waiting = await register('Heron');
    const records: RegistryRecord[] = [];
    for await (const record of operator().read()) records.push(record);
    expect(records.filter(({ kind }) => kind === 'event')).toMatchObject([
      { type: 'agent.listed', agentId: waiting.id },
    ]);
    async function* iterate() {
      yield* records;
    }
    await operator().replace(iterate());
    await deliver();
    expect(receivedEvents()).toEqual([
      ['agent.listed', delivered.id],
      ['agent.listed', waiting.id],
    ]);
  });

  test('events are forgotten after their delivery, or after 30 days', async () => {
    await register('Otter');
    await deliver();
    const waiting = await register('Heron');
    const { db } = database.engine;
    await forgetEvents(db, Date.now());
    expect(await readWaiting()).toEqual([['agent.listed', waiting.id]]);
    await forgetEvents(db, Date.now() + EVENT_PERIOD + 1_000);
    expect(await readWaiting()).toEqual([]);
  });
});
