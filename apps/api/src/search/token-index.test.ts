import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { IndexedAgent, TermRequest, TokenQuery, TokenReader } from './token-index.ts';
import { openDatabase } from '../db/open-database.ts';
import type { Tables } from '../db/tables.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const token = (text: string): TokenQuery => ({ token: text, isPrefix: false });
const prefix = (text: string): TokenQuery => ({ token: text, isPrefix: true });

describe.each(engines)('the token index on $name', ({ open }) => {
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

  /** An agent has the tokens of its terms. */
  async function addAgent(db: Kysely<Tables>, others: string[], terms: string[] = []): Promise<IndexedAgent> {
    const tokens = [...others, ...terms];
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
    return { seq, tokens, terms };
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

  test('pages continue before an agent', async () => {
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

  /** All terms in the order of their ids, with their number. */
  const readTerms = async (request: Partial<TermRequest> = {}) =>
    (await index.readTerms({ after: 0, limit: 99, ...request })).map(({ term }) => term);

  test('a term is stored once, numbered in the order in which terms were added', async () => {
    const { db } = database.engine;
    await addAgent(db, ['a'], ['otter', 'beaver']);
    const lastId = await index.lastTermId();
    await addAgent(db, ['a'], ['badger', 'otter', 'heron']);
    expect(await readTerms()).toEqual(['otter', 'beaver', 'badger', 'heron']);
    expect(await readTerms({ after: lastId })).toEqual(['badger', 'heron']);
    expect(await readTerms({ after: lastId, limit: 1 })).toEqual(['badger']);
    expect(await readTerms({ after: await index.lastTermId() })).toEqual([]);
  });

  test('terms that several agents use can be read apart from the others', async () => {
    const { db } = database.engine;
    await addAgent(db, ['a'], ['otter', 'beaver']);
    await addAgent(db, ['a'], ['badger', 'otter']);
    expect(await readTerms({ isShared: true })).toEqual(['otter']);
    expect(await readTerms({ isShared: false })).toEqual(['beaver', 'badger']);
  });

  test('terms that agents of one call share can be read apart from the others', async () => {
    const { db, tokens } = database.engine;
    const first = await addAgent(db, ['a']);
    const second = await addAgent(db, ['a']);
    await tokens.clear(db);
    await tokens.add(db, [
      { ...first, terms: ['otter', 'beaver'] },
      { ...second, terms: ['otter'] },
    ]);
    expect(await readTerms({ isShared: true })).toEqual(['otter']);
    expect(await readTerms({ isShared: false })).toEqual(['beaver']);
  });

  test('a term is removed with the last agent that uses it, and has a new number when it comes back', async () => {
    const { db, tokens } = database.engine;
    const first = await addAgent(db, ['a'], ['otter', 'beaver']);
    const second = await addAgent(db, ['a'], ['otter', 'heron']);
    await tokens.remove(db, { seqs: [second.seq], tokens: second.tokens });
    expect(await readTerms()).toEqual(['otter', 'beaver']);
    await tokens.remove(db, { seqs: [first.seq], tokens: first.tokens });
    expect(await readTerms()).toEqual([]);
    expect(await match(token('a'))).toEqual([]);
    await addAgent(db, ['a'], ['heron']);
    expect((await index.readTerms({ after: 3, limit: 9 })).map(({ term }) => term)).toEqual(['heron']);
  });

  test('a term goes with the last agent that has its token, also if that agent did not add it', async () => {
    const { db, tokens } = database.engine;
    const first = await addAgent(db, ['a'], ['otter', 'c++']);
    const second = await addAgent(db, ['otter']);
    await tokens.remove(db, { seqs: [first.seq], tokens: first.tokens });
    expect(await readTerms()).toEqual(['otter']);
    await tokens.remove(db, { seqs: [second.seq], tokens: second.tokens });
    expect(await readTerms()).toEqual([]);
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

  test('concurrent transactions that add the same terms in different orders do not deadlock', async () => {
    const { engine: other } = await openDatabase(database.url);
    const words = ['otter', 'beaver', 'badger', 'heron'];
    await Promise.all(
      [database.engine, other].map(({ db }, index) =>
        db.transaction().execute(async (transaction) => {
          for (const word of index === 0 ? words : words.toReversed()) await addAgent(transaction, ['a'], [word]);
        }),
      ),
    );
    await other.close();
    expect((await readTerms({ isShared: true })).toSorted()).toEqual(words.toSorted());
  });
});
