import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { deleteExpiredKeys } from './registrations.ts';

const DAY = 86_400_000;

describe.each(engines)('idempotency keys on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  const addKeys = (keys: readonly string[], time: number) => {
    const { id, ...agent } = makeAgent();
    const row = { agent_id: id, agent: JSON.stringify({ id, ...agent }), created_at: new Date(time).toISOString() };
    const rows = keys.map((key) => ({ key, ...row }));
    return database.engine.db.insertInto('registration_keys').values(rows).execute();
  };

  async function readKeys(): Promise<string[]> {
    const rows = await database.engine.db.selectFrom('registration_keys').select('key').orderBy('key').execute();
    return rows.map(({ key }) => key);
  }

  test('deleteExpiredKeys() deletes all keys of a day ago and before, and no other', async () => {
    const now = Date.parse('2026-03-31T12:00:00.000Z');
    await addKeys(
      Array.from({ length: 450 }, (_, index) => `old ${index}`),
      now - DAY,
    );
    await addKeys(['new'], now - DAY + 1);
    await deleteExpiredKeys(database.engine.db, now);
    expect(await readKeys()).toEqual(['new']);
    await deleteExpiredKeys(database.engine.db, now + 1);
    expect(await readKeys()).toEqual([]);
  });
});
