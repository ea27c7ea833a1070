import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { allButOne, toFieldToken, type TokenQuery, type TokenReader } from './agent-tokens.ts';
import { logChange } from '../changes/change-log.ts';
import { openDatabase } from '../db/open-database.ts';
import type { Tables } from '../db/tables.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const token = (text: string): TokenQuery => ({ token: text, isPrefix: false });
const prefix = (text: string): TokenQuery => ({ token: text, isPrefix: true });

describe.each(engines)('the token index on $name', ({ open }) => {
  let database: TestDatabase;
  let index: TokenReader;

  // Each test knows the numbers of its agents from 1 on.
  async function openIndex() {
    database = await open();
    index = database.openTokenReader();
  }

  /** Stores agents with these tokens, numbered from 1 on, together. */
  const add = (...agents: string[][]) =>
    database.engine.db.transaction().execute(async (transaction) => {
      for (const tokens of agents) await addAgent(transaction, tokens);
    });

  async function addAgent(db: Kysely<Tables>, tokens: string[], terms: string[] = []): Promise<number> {
    const id = randomUUID();
    const { seq } = await db
      .insertInto('agents')
      .values({
        id,
        name: 'x',
        sort_name: 'x',
        description: 'x',
        category: 'vision',
        capabilities: '[]',
        contact_email: 'owner@example.com',
        pricing_model: 'free',
        api_access: 'no',
        rating: 0,
        review_count: 0,
        created_at: '2026-01-01T00:00:00.000Z',
        changed_at: '2026-01-01T00:00:00.000Z',
        listed_at: '2026-01-01T00:00:00.000Z',
        terms: terms.join(' '),
      })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await database.engine.tokens.add(db, [{ seq, tokens }]);
    await logChange(db, { kind: 'listed', actor: 'import' }, [{ id }]);
    return seq;
  }

  const match = (query: TokenQuery) => index.match(query, { limit: 99 });

  test('all but one of some tokens find the agents that lack one of them at most', async () => {
    await openIndex();
    const tokens = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const lacking = [[], ...tokens.map((each) => [each]), ['a', 'b'], ['c', 'g'], tokens];
    await add(...lacking.map((lacked) => ['x', ...tokens.filter((each) => !lacked.includes(each))]));
    for (let size = 2; size <= tokens.length; size += 1) {
      const wanted = tokens.slice(0, size);
      const found = lacking.flatMap((lacked, at) =>
        wanted.filter((each) => lacked.includes(each)).length <= 1 ? [at + 1] : [],
      );
      expect(await match(allButOne(wanted.map(token))), `${size} tokens`).toEqual(found.toReversed());
    }
    await database.remove();
  });

  describe('a query', () => {
    beforeAll(async () => {
      await openIndex();
      await add(
        ['a', 'c++'],
        ['a', 'b', '^x_y$'],
        ['a', 'ab', 'bar_baz', '@東京', toFieldToken('category', 'data-"1"')],
      );
    });

    afterAll(() => database.remove());

    test.each<[TokenQuery, number[]]>([
      [token('a'), [3, 2, 1]],
      [token('b'), [2]],
      [token('ab'), [3]],
      [token('c++'), [1]],
      [token('c'), []],
      [prefix('c'), [1]],
      [prefix('b'), [3, 2]],
      [prefix('ba'), [3]],
      [prefix('bar_ba'), [3]],
      [token('^x_y$'), [2]],
      [prefix('^x'), [2]],
      [token('@東京'), [3]],
      [prefix('@東'), [3]],
      [{ all: [token('a'), token('b')] }, [2]],
      [{ any: [token('b'), token('c++')] }, [2, 1]],
      [{ find: token('a'), without: { any: [token('b'), token('ab')] } }, [1]],
      [{ all: [{ any: [token('b'), token('ab')] }, prefix('ba')] }, [3]],
      [{ all: [token('AND'), token('NOT')] }, []],
      [token(toFieldToken('category', 'data-"1"')), [3]],
      [token(toFieldToken('category', 'data 1')), []],
      [prefix(toFieldToken('category', '')), [3]],
    ])('%j finds %j, latest first', async (query, found) => {
      expect(await match(query)).toEqual(found);
      expect(await index.match(query, { limit: 9 })).toEqual(found);
      expect(await index.find(query, 99)).toEqual({ seqs: found, total: found.length });
      expect(await index.find(query, 1)).toEqual({ seqs: found.slice(0, 1), total: found.length });
      expect(new Set(await index.filter(query, [3, 1, 9]))).toEqual(new Set(found.filter((seq) => seq !== 2)));
    });
  });

  describe('agents', () => {
    beforeEach(openIndex);

    afterEach(() => database.remove());

    test('pages continue before an agent', async () => {
      await add(['a'], ['a'], ['b'], ['a']);
      expect(await index.match(token('a'), { limit: 2 })).toEqual([4, 2]);
      expect(await index.match(token('a'), { limit: 2, before: 2 })).toEqual([1]);
      expect(await index.match(token('a'), { limit: 2, before: 1 })).toEqual([]);
    });

    test('a rare token is found far behind the latest agents', async () => {
      await add(['rare', 'a'], ...Array.from({ length: 50 }, () => ['a']));
      for (const limit of [1, 2, 99]) expect(await index.match(token('rare'), { limit })).toEqual([1]);
      expect(await index.match({ all: [token('rare'), token('a')] }, { limit: 1 })).toEqual([1]);
      expect(await index.match(token('a'), { limit: 2 })).toEqual([51, 50]);
    });

    test('a token that one of ten agents has is found in pages of any length', async () => {
      await add(...Array.from({ length: 250 }, (_, at) => (at % 10 === 0 ? ['a', 'b'] : ['a'])));
      const found = Array.from({ length: 25 }, (_, at) => 241 - 10 * at);
      for (const limit of [1, 5, 20, 25, 99]) {
        expect(await index.match(token('b'), { limit })).toEqual(found.slice(0, limit));
        expect(await index.match(token('b'), { limit, before: 101 })).toEqual(found.slice(15, 15 + limit));
      }
    });

    test('agents are counted to a maximum and one more, and the latest of them found all the same', async () => {
      await add(...Array.from({ length: 50 }, (_, at) => (at % 5 === 0 ? ['a', 'b'] : ['a'])));
      const bounded = database.openTokenReader(10);
      const latest = Array.from({ length: 50 }, (_, at) => 50 - at);
      for (const index of [bounded, bounded.within({ since: '2026-01-01' })]) {
        for (const limit of [3, 99]) {
          expect(await index.find(token('a'), limit)).toEqual({ total: 11, seqs: latest.slice(0, limit) });
          expect(await index.find(token('b'), limit)).toMatchObject({ total: 10 });
          expect(await index.find(token('c'), limit)).toEqual({ total: 0, seqs: [] });
        }
      }
    });

    test('an agent is found from the end of its transaction on', async () => {
      await database.engine.db.transaction().execute(async (transaction) => {
        await addAgent(transaction, ['a']);
        expect(await match(token('a'))).toEqual([]);
      });
      expect(await match(token('a'))).toEqual([1]);
    });

    /** The terms of all agents after a change, in the order of their changes. */
    const readTerms = async (after = 0, limit = 99) =>
      (await index.readTerms({ after, limit })).map(({ terms }) => terms);

    test('the terms of agents are read in the order in which they were added, also from an agent on', async () => {
      const { db } = database.engine;
      await addAgent(db, ['a'], ['otter', 'beaver']);
      await addAgent(db, ['a'], ['badger', 'otter']);
      await addAgent(db, ['a'], ['heron']);
      expect(await readTerms()).toEqual(['otter beaver', 'badger otter', 'heron']);
      const [first] = await index.readTerms({ after: 0, limit: 1 });
      expect(await readTerms(first?.number)).toEqual(['badger otter', 'heron']);
      expect(await readTerms(first?.number, 1)).toEqual(['badger otter']);
    });

    test('the terms of an agent go with its row, and are of a later change when they come back', async () => {
      const { db, tokens } = database.engine;
      const first = await addAgent(db, ['a'], ['otter']);
      await addAgent(db, ['a'], ['heron']);
      const numbers = (await index.readTerms({ after: 0, limit: 99 })).map(({ number }) => number);
      await db.deleteFrom('agents').where('seq', '=', first).execute();
      await tokens.remove(db, [first]);
      expect(await readTerms()).toEqual([null, 'heron']);
      expect(await match(token('a'))).toEqual([2]);
      await addAgent(db, ['a'], ['otter']);
      expect(await readTerms(Math.max(...numbers))).toEqual(['otter']);
    });

    test('terms of a transaction that is rolled back are not read', async () => {
      const undone = database.engine.db.transaction().execute(async (transaction) => {
        await addAgent(transaction, ['a'], ['otter']);
        throw new Error('undone');
      });
      await expect(undone).rejects.toThrow('undone');
      expect(await readTerms()).toEqual([]);
      expect(await match(token('a'))).toEqual([]);
    });

    test('agents of concurrent transactions are read in the order of their commits', async () => {
      const { engine: other } = await openDatabase(database.url);
      const words = ['otter', 'beaver', 'badger', 'heron'];
      await Promise.all(
        [database.engine, other].map(({ db }) =>
          db.transaction().execute(async (transaction) => {
            for (const word of words) await addAgent(transaction, ['a'], [word]);
          }),
        ),
      );
      await other.close();
      expect(await readTerms()).toEqual([...words, ...words]);
    });
  });
});
