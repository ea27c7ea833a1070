import { createManagementKey } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { createWebhookStore } from '../webhook/webhook-store.ts';
import { deleteExpired } from './expiry.ts';
import { takeHour } from './hourly-jobs.ts';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from './operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from '../agents/unlisted-agents.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

describe.each(engines)('expiry on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  /** Lets the clock have gone on for a day, until an hour ago. */
  const trustClock = (time = Date.now() - HOUR) =>
    database.engine.db
      .insertInto('hourly_jobs')
      .values({ name: 'expiry', at: new Date(time).toISOString(), hours: 24, mark: 0 })
      .execute();

  const readUnlisted = () => database.engine.db.selectFrom('unlisted_agents').selectAll().orderBy('since').execute();

  test('expired keys are deleted, and of agents withdrawn 30 days ago all but id, state and time', async () => {
    const { db } = database.engine;
    const yesterday = () => Date.now() - DAY;
    await createAgentStore(database.engine, { now: yesterday }).registerOnce('old', makeNewAgent());
    await createAgentStore(database.engine).registerOnce('new', makeNewAgent());
    const since = new Date(Date.now() - WITHDRAWAL_PERIOD).toISOString();
    const { id, ...agent } = makeAgent();
    const row = { agent: JSON.stringify({ id, ...agent }), key_hash: 'hash', reason: '' };
    await db
      .insertInto('unlisted_agents')
      .values([
        { ...row, id, state: 'withdrawn', since, seq: 101 },
        { ...row, id: 'hidden', state: 'hidden', since: `${since}1`, seq: 102 },
      ])
      .execute();
    await trustClock();
    await deleteExpired(db, Date.now());
    expect((await readUnlisted())[0]).toEqual({
      id,
      state: 'withdrawn',
      since,
      seq: null,
      agent: null,
      key_hash: null,
      reason: '',
      former_state: null,
    });
    expect((await readUnlisted())[1]).toMatchObject({ id: 'hidden', agent: row.agent, key_hash: 'hash' });
    const keys = await db.selectFrom('registration_keys').select('key').execute();
    expect(keys).toEqual([{ key: 'new' }]);
    const changes = await db.selectFrom('agent_changes').select('number').orderBy('number', 'desc').execute();
    expect(await takeHour(db, 'expiry', Date.now() + HOUR)).toMatchObject({ mark: changes[0]?.number });
  });

  test('of several processes, one gets the run of an hour', async () => {
    const { db } = database.engine;
    const now = Date.now();
    for (const time of [now, now + HOUR]) {
      const runs = await Promise.all(Array.from({ length: 4 }, () => takeHour(db, 'connections', time)));
      expect(runs.filter(Boolean)).toEqual([expect.objectContaining({ at: new Date(time).toISOString() })]);
      expect(await takeHour(db, 'connections', time + HOUR - 1)).toBeUndefined();
    }
  });

  test('a clock that is more than a day ahead deletes nothing until it has gone on for 24 hours', async () => {
    const { db } = database.engine;
    const key = createManagementKey();
    await createWebhookStore(db).setConfigured(true);
    const agents = createAgentStore(database.engine);
    const { agent } = await agents.register(makeNewAgent(), { key });
    await agents.registerOnce('key', makeNewAgent());
    await agents.withdraw(agent.id, { key });
    await createOperatorStore(database.engine, { command: 'hide', by: 'ana', reason: '' }).hide({}, 'Spam');
    await db
      .insertInto('daily_views')
      .values({ day: new Date().toISOString().slice(0, 10), views: 1 })
      .execute();
    const read = async () =>
      Promise.all(
        (['unlisted_agents', 'registration_keys', 'operator_actions', 'operator_events', 'agent_changes'] as const).map(
          (table) => db.selectFrom(table).selectAll().execute(),
        ),
      );
    const before = await read();
    const now = Date.now();
    const ahead = now + 500 * DAY;
    await trustClock(now);
    // Ahead for a moment, and back.
    for (const time of [ahead, ahead + 20_000, now + 30_000, now + HOUR, now + 25 * DAY, now + 2 * HOUR]) {
      await deleteExpired(db, time);
      expect(await read()).toEqual(before);
    }
    for (let hour = 0; hour < 23; hour += 1) {
      for (const minutes of [0, 10, 50]) await deleteExpired(db, ahead + hour * HOUR + minutes * 60_000);
    }
    expect(await read()).toEqual(before);
    // A pause of more than a day begins the count again.
    for (let hour = 47; hour < 70; hour += 1) await deleteExpired(db, ahead + hour * HOUR);
    expect(await read()).toEqual(before);
    await deleteExpired(db, ahead + 70 * HOUR);
    const [unlisted, keys, actions, events, changes] = await read();
    expect([keys, actions, events, changes]).toEqual([[], [], [], expect.any(Array)]);
    expect(unlisted?.find(({ id }) => id === agent.id)).toMatchObject({ agent: null });
  });

  test('a process that was stopped for less than a day goes on to delete', async () => {
    const { db } = database.engine;
    await createAgentStore(database.engine, { now: () => Date.now() - 2 * DAY }).registerOnce('old', makeNewAgent());
    await trustClock(Date.now() - DAY + HOUR);
    await deleteExpired(db, Date.now());
    expect(await db.selectFrom('registration_keys').selectAll().execute()).toEqual([]);
  });

  test('a withdrawn agent can be restored unchanged for 30 days, and is then forgotten', async () => {
    const agents = createAgentStore(database.engine);
    const operator = createOperatorStore(database.engine);
    const agent = makeAgent({ name: 'SwiftOtter' });
    await agents.load([agent, makeAgent()]);
    const before = await agents.list();
    const selection = { ids: new Set([agent.id]) };
    expect(await operator.withdraw(selection)).toEqual([{ id: agent.id, name: agent.name }]);
    expect(await agents.find(agent.id)).toBeUndefined();
    expect(await operator.unhide(selection)).toEqual([]);
    await forgetWithdrawn(database.engine.db, Date.now());
    expect(await operator.restore(selection)).toEqual([{ id: agent.id, name: agent.name }]);
    expect(await agents.list()).toEqual(before);
    await operator.withdraw(selection);
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD);
    expect(await operator.restore(selection)).toEqual([]);
    expect(await operator.add([agent])).toEqual(['withdrawn']);
    const collect = async () => {
      const records: RegistryRecord[] = [];
      // Changes get other numbers.
      for await (const record of operator.read()) if (record.kind !== 'change') records.push(record);
      return records;
    };
    const records = await collect();
    await operator.replace(
      (async function* () {
        yield* records;
      })(),
    );
    expect(await collect()).toEqual(records);
    expect(records).toContainEqual({ kind: 'tombstone', id: agent.id, since: expect.any(String) });
  });
});
