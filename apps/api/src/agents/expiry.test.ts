import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startExpiry } from './expiry.ts';
import { createKyselyAgentStore } from './kysely-agent-store.ts';
import { createKyselyOperatorStore } from './kysely-operator-store.ts';
import type { RegistryRecord } from './operator-store.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from './unlisted-agents.ts';

const DAY = 86_400_000;

describe.each(engines)('expiry on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  const readUnlisted = () => database.engine.db.selectFrom('unlisted_agents').selectAll().orderBy('since').execute();

  test('a process deletes expired keys, and of agents withdrawn 30 days ago all but id, state and time', async () => {
    const { db } = database.engine;
    const yesterday = () => Date.now() - DAY;
    await createKyselyAgentStore(database.engine, { now: yesterday }).registerOnce('old', makeNewAgent());
    await createKyselyAgentStore(database.engine).registerOnce('new', makeNewAgent());
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
    const errors: unknown[] = [];
    const stop = startExpiry(db, (error) => errors.push(error));
    onTestFinished(stop);
    await expect
      .poll(async () => (await readUnlisted())[0])
      .toEqual({
        id,
        state: 'withdrawn',
        since,
        seq: null,
        agent: null,
        key_hash: null,
        reason: '',
        former_state: null,
      });
    await stop();
    expect(errors).toEqual([]);
    expect((await readUnlisted())[1]).toMatchObject({ id: 'hidden', agent: row.agent, key_hash: 'hash' });
    const keys = await db.selectFrom('registration_keys').select('key').execute();
    expect(keys).toEqual([{ key: 'new' }]);
  });

  test('a withdrawn agent can be restored unchanged for 30 days, and is then forgotten', async () => {
    const agents = createKyselyAgentStore(database.engine);
    const operator = createKyselyOperatorStore(database.engine);
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
