import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from './engine.ts';
import { groupCommits } from './group-commit.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

type Item = { day: string; failure?: Error };

describe.each(engines)('what comes together to be written on $name', ({ open }) => {
  let database: TestDatabase;
  let commit: (item: Item) => Promise<string>;
  /** The groups that were written. */
  let groups: string[][];
  /** Settles while the first of them is. */
  let firstGroup: PromiseWithResolvers<void>;

  beforeEach(async () => {
    database = await open();
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

  afterEach(() => database.remove());

  const commitAll = (items: Item[]) => Promise.allSettled(items.map((item) => commit(item)));
  const written = async () => {
    const rows = await database.engine.db.selectFrom('daily_views').select('day').orderBy('day').execute();
    return rows.map(({ day }) => day);
  };

  test('is committed in one transaction, each with its own result', async () => {
    const results = await commitAll([{ day: 'a' }, { day: 'b' }, { day: 'c' }]);
    expect(results).toEqual(['a', 'b', 'c'].map((day) => ({ status: 'fulfilled', value: `${day} is written` })));
    expect(groups).toEqual([['a', 'b', 'c']]);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('is committed also when it comes while another group is', async () => {
    const results = await Promise.all([commit({ day: 'a' }).then(() => commit({ day: 'b' })), commit({ day: 'c' })]);
    expect(results).toEqual(['b is written', 'c is written']);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('is committed with what those write next who were answered while it waited', async () => {
    const writeOften = async (client: string) => {
      for (let times = 0; times < 20; times += 1) {
        await commit({ day: `${client}${times}` });
        // Until the answer has arrived somewhere, and the next request here.
        for (let turns = 0; turns < 3; turns += 1) await setImmediate();
      }
    };
    const first = writeOften('a');
    await firstGroup.promise;
    await Promise.all([first, ...['b', 'c', 'd'].map(writeOften)]);
    expect(groups.filter((group) => group.length === 4).length).toBeGreaterThan(10);
  });

  test('fails each for itself', async () => {
    const results = await commitAll([{ day: 'a' }, { day: 'b', failure: new Error('No') }, { day: 'a' }, { day: 'c' }]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await written()).toEqual(['a', 'c']);
  });

  test('fails together, and is not tried again, where the database has gone', async () => {
    const failure = new DatabaseUnavailableError('Gone');
    const results = await commitAll([{ day: 'a' }, { day: 'b', failure }]);
    expect(results).toEqual([failure, failure].map((reason) => ({ status: 'rejected', reason })));
    expect(groups).toEqual([['a', 'b']]);
    expect(await written()).toEqual([]);
  });
});
