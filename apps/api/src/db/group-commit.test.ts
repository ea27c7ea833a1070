import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DatabaseUnavailableError } from '../database-error.ts';
import { groupCommits } from './group-commit.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

type Item = { day: string; failure?: Error };

describe.each(engines)('group commit on $name', ({ open }) => {
  let database: TestDatabase;
  let commit: (item: Item) => Promise<string>;
  /** The groups that were written. */
  let groups: string[][];
  /** Resolves while the first group is being written. */
  let firstGroup: PromiseWithResolvers<void>;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(() => {
    commit = groupCommits(database.engine.db, async (transaction, items: readonly Item[]) => {
      groups.push(items.map(({ day }) => day));
      firstGroup.resolve();
      await transaction
        .insertInto('daily_views')
        .values(items.map(({ day }) => ({ day, views: 1 })))
        .execute();
      for (const { failure } of items) if (failure) throw failure;
      return items.map(({ day }) => `${day} is written`);
    });
    groups = [];
    firstGroup = Promise.withResolvers();
  });

  afterAll(() => database.remove());

  const commitAll = (items: Item[]) => Promise.allSettled(items.map((item) => commit(item)));
  const written = async () => {
    const rows = await database.engine.db.selectFrom('daily_views').select('day').orderBy('day').execute();
    return rows.map(({ day }) => day);
  };

  test('concurrent writes are committed in one transaction, each with its own result', async () => {
    const results = await commitAll([{ day: 'a' }, { day: 'b' }, { day: 'c' }]);
    expect(results).toEqual(['a', 'b', 'c'].map((day) => ({ status: 'fulfilled', value: `${day} is written` })));
    expect(groups).toEqual([['a', 'b', 'c']]);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('writes that arrive while a group is committed are committed next', async () => {
    const results = await Promise.all([commit({ day: 'a' }).then(() => commit({ day: 'b' })), commit({ day: 'c' })]);
    expect(results).toEqual(['b is written', 'c is written']);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('a waiting group includes the next writes of clients whose writes have just completed', async () => {
    const writeOften = async (client: string) => {
      for (let times = 0; times < 20; times += 1) {
        await commit({ day: `${client}${times}` });
        // The time in which a client gets the response and sends its next request.
        for (let turns = 0; turns < 3; turns += 1) await setImmediate();
      }
    };
    const first = writeOften('a');
    await firstGroup.promise;
    await Promise.all([first, ...['b', 'c', 'd'].map(writeOften)]);
    expect(groups.filter((group) => group.length === 4).length).toBeGreaterThan(10);
  });

  test('a failed write does not fail the other writes of its group', async () => {
    const results = await commitAll([{ day: 'a' }, { day: 'b', failure: new Error('No') }, { day: 'a' }, { day: 'c' }]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await written()).toEqual(['a', 'c']);
  });

  describe('during an outage', () => {
    const failure = new DatabaseUnavailableError('Gone');
    const refused = (count: number) => Array.from({ length: count }, () => ({ status: 'rejected', reason: failure }));

    test('fails together and is not retried', async () => {
      expect(await commitAll([{ day: 'a' }, { day: 'b', failure }])).toEqual(refused(2));
      expect(groups).toEqual([['a', 'b']]);
      expect(await written()).toEqual([]);
    });

    test('fails with the writes in the queue, which are not tried', async () => {
      const first = commitAll([{ day: 'a' }, { day: 'b', failure }]);
      await firstGroup.promise;
      const queued = commitAll([{ day: 'c' }, { day: 'd' }]);
      expect(await first).toEqual(refused(2));
      expect(await queued).toEqual(refused(2));
      expect(groups).toEqual([['a', 'b']]);
      expect(await commit({ day: 'e' })).toBe('e is written');
      expect(await written()).toEqual(['e']);
    });

    test('that begins while writes are committed one by one, the rest of them fails', async () => {
      const items = [{ day: 'a', failure: new Error('No') }, { day: 'b', failure }, { day: 'c' }];
      const results = await commitAll(items);
      expect(results).toEqual([{ status: 'rejected', reason: items[0]?.failure }, ...refused(2)]);
      expect(groups).toEqual([['a', 'b', 'c'], ['a'], ['b']]);
      expect(await written()).toEqual([]);
    });
  });

  test('is refused after five seconds in the queue, and not written later', async () => {
    const first = commit({ day: 'a' });
    await firstGroup.promise;
    const queued = commitAll([{ day: 'b' }]);
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 5_100);
    expect(await first).toBe('a is written');
    expect(await queued).toMatchObject([{ status: 'rejected', reason: expect.any(DatabaseUnavailableError) }]);
    vi.restoreAllMocks();
    expect(await commit({ day: 'c' })).toBe('c is written');
    expect(await written()).toEqual(['a', 'c']);
  });
});
