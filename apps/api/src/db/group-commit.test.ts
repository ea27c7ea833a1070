import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from './engine.ts';
import { groupCommits, type Write } from './group-commit.ts';
import { engines, type TestDatabase } from './test-engines.ts';

describe.each(engines)('writes that come together on $name', ({ open }) => {
  let database: TestDatabase;
  let commit: ReturnType<typeof groupCommits>;
  /** The transactions that were begun. */
  let transactions: Set<unknown>;

  beforeEach(async () => {
    database = await open();
    commit = groupCommits(database.engine.db);
    transactions = new Set();
  });

  afterEach(() => database.remove());

  const write =
    (day: string, failure?: Error): Write<string> =>
    async (transaction) => {
      transactions.add(transaction);
      await transaction.insertInto('daily_views').values({ day, views: 1 }).execute();
      if (failure) throw failure;
      return day;
    };

  const commitAll = (writes: Write<string>[]) => Promise.allSettled(writes.map((one) => commit(one)));
  const written = async () => {
    const rows = await database.engine.db.selectFrom('daily_views').select('day').orderBy('day').execute();
    return rows.map(({ day }) => day);
  };

  test('are committed in one transaction, each with its own result', async () => {
    const results = await commitAll([write('a'), write('b'), write('c')]);
    expect(results).toEqual(['a', 'b', 'c'].map((value) => ({ status: 'fulfilled', value })));
    expect(transactions.size).toBe(1);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('are committed also when they come while others are', async () => {
    const results = await Promise.all([commit(write('a')).then(() => commit(write('b'))), commit(write('c'))]);
    expect(results).toEqual(['b', 'c']);
    expect(await written()).toEqual(['a', 'b', 'c']);
  });

  test('fail each for itself', async () => {
    const failure = new Error('No');
    const results = await commitAll([write('a'), write('b', failure), write('a'), write('c')]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await written()).toEqual(['a', 'c']);
  });

  test('fail together, and are not tried again, where the database has gone', async () => {
    const failure = new DatabaseUnavailableError('Gone');
    const results = await commitAll([write('a'), write('b', failure)]);
    expect(results).toEqual([failure, failure].map((reason) => ({ status: 'rejected', reason })));
    expect(transactions.size).toBe(1);
    expect(await written()).toEqual([]);
  });
});
