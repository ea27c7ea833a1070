import { randomUUID } from 'node:crypto';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TokenQuery, TokenReader } from './engine.ts';
import type { Tables } from './tables.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const token = (text: string): TokenQuery => ({ token: text, isPrefix: false });
const prefix = (text: string): TokenQuery => ({ token: text, isPrefix: true });

describe.each(engines)('the index of tokens on $name', ({ open }) => {
  let database: TestDatabase;
  let index: TokenReader;

  beforeEach(async () => {
    database = await open();
    index = database.openTokenReader();
  });

  afterEach(() => database.remove());

  /** Stores agents with these tokens, numbered from 1 on, together. */
  const add = (...agents: string[][]) =>
    database.engine.db.transaction().execute(async (transaction) => {
      for (const tokens of agents) await addAgent(transaction, tokens);
    });

  async function addAgent(db: Kysely<Tables>, tokens: string[], terms: string[] = []): Promise<void> {
    const { seq } = await db
      .insertInto('agents')
      .values({
        id: randomUUID(),
        name: 'x',
        description: 'x',
        category: 'vision',
        capabilities: '[]',
        contact_email: 'owner@example.com',
        pricing_model: 'free',
        api_access: 'no',
        rating: 0,
        review_count: 0,
        created_at: '2026-01-01T00:00:00.000Z',
      })
      .returning('seq')
      .executeTakeFirstOrThrow();
    await database.engine.tokens.add(db, [{ seq, tokens, terms }]);
  }

  const match = (query: TokenQuery) => index.match(query, { limit: 99, atMost: 99 });

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
  ])('%j finds %j, latest first', async (query, found) => {
    await add(['a', 'c++'], ['a', 'b', '^x_y$'], ['a', 'ab', 'bar_baz', '@東京']);
    expect(await match(query)).toEqual(found);
    expect(await index.match(query, { limit: 99, atMost: 9_999 })).toEqual(found);
    expect(await index.find(query, 99)).toEqual({ seqs: found, total: found.length });
    expect(await index.find(query, 1)).toEqual({ seqs: found.slice(0, 1), total: found.length });
    for (const seq of [1, 2, 3]) expect(await index.includes(query, seq)).toBe(found.includes(seq));
  });

  test('pages go on before an agent', async () => {
    await add(['a'], ['a'], ['b'], ['a']);
    for (const atMost of [3, 9_999]) {
      expect(await index.match(token('a'), { limit: 2, atMost })).toEqual([4, 2]);
      expect(await index.match(token('a'), { limit: 2, before: 2, atMost })).toEqual([1]);
      expect(await index.match(token('a'), { limit: 2, before: 1, atMost })).toEqual([]);
    }
  });

  test('an agent is found from the end of its transaction on', async () => {
    await database.engine.db.transaction().execute(async (transaction) => {
      await addAgent(transaction, ['a']);
      expect(await match(token('a'))).toEqual([]);
    });
    expect(await match(token('a'))).toEqual([1]);
  });

  test('terms are read once each, in the order in which they came, and later those that are new', async () => {
    const db = database.engine.db;
    await addAgent(db, ['a'], ['otter', 'beaver']);
    await addAgent(db, ['a'], ['badger', 'otter']);
    const first = await index.readTerms(undefined);
    expect(first.terms.slice(0, 2).toSorted()).toEqual(['beaver', 'otter']);
    expect(first.terms.slice(2)).toEqual(['badger']);
    expect(first.isComplete).toBe(true);
    await addAgent(db, ['a'], ['otter', 'heron']);
    expect((await index.readTerms(first.next)).terms).toContain('heron');
  });

  test('terms of a transaction that is undone are not read', async () => {
    const undone = database.engine.db.transaction().execute(async (transaction) => {
      await addAgent(transaction, ['a'], ['otter']);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect((await index.readTerms(undefined)).terms).toEqual([]);
    expect(await match(token('a'))).toEqual([]);
  });

  test('terms are read in full, however many they are', async () => {
    const terms = Array.from({ length: 12_345 }, (_, number) => `term${number}`);
    await addAgent(database.engine.db, ['a'], terms);
    const read: string[] = [];
    let reading = await index.readTerms(undefined);
    read.push(...reading.terms);
    while (!reading.isComplete) {
      reading = await index.readTerms(reading.next);
      read.push(...reading.terms);
    }
    expect(read.toSorted()).toEqual(terms.toSorted());
  });
});

test('on postgres, terms whose transaction ends after a later one are read too', async () => {
  const database = await engines[1].open();
  const index = database.openTokenReader();
  const { db } = database.engine;
  const addTerm = (transaction: Kysely<Tables>, term: string) =>
    sql`INSERT INTO search_terms (term) VALUES (${term})`.execute(transaction);

  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const slow = db.transaction().execute(async (transaction) => {
    await addTerm(transaction, 'early');
    begun.resolve();
    await end.promise;
  });
  await begun.promise;
  await addTerm(db, 'late');
  const first = await index.readTerms(undefined);
  end.resolve();
  await slow;
  const second = await index.readTerms(first.next);
  await database.remove();

  expect(first.terms).toEqual(['late']);
  expect(second.terms).toContain('early');
});
