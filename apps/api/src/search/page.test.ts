import { MAX_SEARCH_RESULTS, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rewriteAgent } from '../agents/agent-rows.ts';
import { toRegistry } from '../operator/listeners.ts';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import type { SearchRequest } from './search.ts';

const UNKNOWN_SEQ = 999_999;

// So many that the agent stays last, whatever the others are.
const manyWords = Array.from({ length: 60 }, (_, index) => `word${index}`).join(' ');
// By the name, the description and inside a word; then agents with some of the words.
const agents: Agent[] = [
  { name: 'Otter Beaver' },
  { name: 'Beaver Otter' },
  { name: 'Plain', description: 'An otter and beavers.', pricingModel: 'paid' as const },
  { name: 'Swiftotter Beaver' },
  { name: 'Otter' },
  { name: 'Otter', description: 'x y' },
  { name: 'Beaver', description: manyWords, pricingModel: 'paid' as const },
].map((fields) => makeAgent({ description: 'x', ...fields }));

describe.each(engines)('a page of results on $name', ({ open }) => {
  let database: TestDatabase;
  let results: number[];

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await createAgentStore(database.engine).load(agents);
    results = (await search({ limit: 100 }))?.seqs ?? [];
  });

  afterEach(() => database.empty());

  afterAll(() => database.remove());

  const search = (request: Omit<SearchRequest, 'text'>) => database.engine.search({ text: 'otter beaver', ...request });

  async function remove(seq: number): Promise<void> {
    const { db, tokens } = database.engine;
    await db.deleteFrom('agents').where('seq', '=', seq).execute();
    await tokens.remove(db, [seq]);
  }

  /** Edits an agent, so that it is no longer a result. */
  const rename = (seq: number) =>
    database.engine.db.transaction().execute((transaction) => {
      const agent = makeAgent();
      return rewriteAgent(toRegistry(database.engine), transaction, { seq, agent }, { before: agent, actor: 'owner' });
    });

  test('follows the one before and has its position, whether the cursor has one or not', async () => {
    expect(results).toHaveLength(agents.length);
    for (const [at, seq] of results.entries()) {
      const expected = { seqs: results.slice(at + 1, at + 4), hasMore: at + 4 < results.length, hasPrevious: true };
      const position = at + 2;
      expect(await search({ limit: 3, after: { seq } })).toMatchObject({ ...expected, position });
      // The counted position counts, not that of the cursor.
      const after = { seq, position: 5 };
      expect(await search({ limit: 3, after })).toMatchObject({ ...expected, position });
      expect(await search({ limit: 3, after: { seq, position: at + 1 } })).toMatchObject({ ...expected, position });
    }
  });

  test('precedes its cursor', async () => {
    for (const [at, seq] of results.entries()) {
      const begin = Math.max(0, at - 3);
      const expected = { seqs: results.slice(begin, at), hasMore: true, hasPrevious: begin > 0, position: begin + 1 };
      expect(await search({ limit: 3, before: { seq } })).toMatchObject(expected);
      expect(await search({ limit: 3, before: { seq, position: 1 } })).toMatchObject(expected);
    }
  });

  test.each([
    ['removed', remove],
    ['edited', rename],
  ])('continues at its position when the agent of the cursor was %s', async (_change, leave) => {
    for (const limit of [1, 2, 4]) {
      await database.empty();
      await createAgentStore(database.engine).load(agents);
      results = (await search({ limit: 100 }))?.seqs ?? [];
      const walked: number[] = [];
      // Each agent of a cursor leaves before the next page is read; the others move up.
      for (let cursor: SearchRequest['after'], left = 0; ; left += 1) {
        const hits = await search({ limit, after: cursor });
        expect(hits).toMatchObject({ hasPrevious: walked.length > left, position: walked.length - left + 1 });
        walked.push(...(hits?.seqs ?? []));
        if (!hits?.hasMore) break;
        cursor = { seq: walked.at(-1) as number, position: walked.length - left };
        await leave(cursor.seq);
      }
      expect(walked).toEqual(results);
    }
  });

  test('precedes its position when the agent of the cursor was removed', async () => {
    const gone = results[4] as number;
    await remove(gone);
    const before = { seq: gone, position: 5 };
    expect(await search({ limit: 3, before })).toMatchObject({ seqs: results.slice(1, 4), hasMore: true, position: 2 });
  });

  test('is empty after the last position, and undefined for an agent that never was, without a position', async () => {
    for (const position of [results.length + 1, MAX_SEARCH_RESULTS]) {
      const hits = await search({ limit: 3, after: { seq: UNKNOWN_SEQ, position } });
      expect(hits).toMatchObject({ seqs: [], total: results.length, hasMore: false, hasPrevious: true });
    }
    expect(await search({ limit: 3, after: { seq: UNKNOWN_SEQ } })).toBeUndefined();
    expect(await search({ limit: 3, after: { seq: UNKNOWN_SEQ, position: 1_000_000 } })).toBeUndefined();
    expect(await search({ limit: 3, before: { seq: UNKNOWN_SEQ } })).toBeUndefined();
    expect(await search({ limit: 3, before: { seq: UNKNOWN_SEQ, position: 1_000_000 } })).toBeUndefined();
  });

  test('has the place in the results that filters leave', async () => {
    const filters = { pricing: ['paid' as const] };
    const [first, second] = (await search({ limit: 9, filters }))?.seqs ?? [];
    const page = { seqs: [second], total: 2, full: 1, hasMore: false, position: 2 };
    expect(await search({ limit: 9, filters, after: { seq: first as number } })).toMatchObject(page);
    const other = results.find((seq) => seq !== first && seq !== second) as number;
    expect(await search({ limit: 9, filters, after: { seq: other } })).toBeUndefined();
    expect(await search({ limit: 9, filters, after: { seq: other, position: 2 } })).toMatchObject(page);
  });
});
