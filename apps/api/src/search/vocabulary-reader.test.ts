import { expect, test, vi } from 'vitest';
import type { StoredTerms, TokenReader } from './agent-tokens.ts';
import { createVocabularyReader, type VocabularyLimits, type Vocabulary } from './vocabulary.ts';

/** All stored words begin so, and are found by it. */
const COMMON = 'abc';

/** Stored terms without a database. */
class FakeTerms {
  agents: StoredTerms[] = [];
  reads: number[] = [];
  #last = 0;

  /** Stores an agent with one term. */
  store(term: string): void {
    this.#last += 1;
    this.agents.push({ number: this.#last, terms: COMMON + term });
  }

  open(limits: Partial<VocabularyLimits> = {}): () => Promise<Vocabulary | undefined> {
    return createVocabularyReader(
      {
        readTerms: async ({ after, limit }: { after: number; limit: number }) => {
          const agents = this.agents.filter(({ number }) => number > after).slice(0, limit);
          this.reads.push(agents.length);
          return agents;
        },
        countAgents: async () => this.agents.length,
      } as Partial<TokenReader> as TokenReader,
      { maxWords: 100, checkInterval: Infinity, ...limits },
    );
  }
}

const allOf = (vocabulary: Vocabulary | undefined) =>
  vocabulary
    ?.findContaining(COMMON, Infinity)
    .map((term) => term.slice(COMMON.length))
    .toSorted();

test('a read returns every word that was stored before it', async () => {
  const terms = new FakeTerms();
  const read = terms.open();
  expect(allOf(await read())).toEqual([]);
  terms.store('otter');
  expect(allOf(await read())).toEqual(['otter']);
  terms.store('beaver');
  const both = read();
  terms.store('heron');
  expect(allOf(await both)).toContain('beaver');
  expect(allOf(await read())).toEqual(['beaver', 'heron', 'otter']);
});

test('when there are more words than fit, the newest words of one agent go', async () => {
  const terms = new FakeTerms();
  for (const word of ['one', 'otter', 'otter', 'two', 'three', 'four']) terms.store(word);
  const read = terms.open({ maxWords: 4 });
  expect(allOf(await read())).toEqual(['four', 'one', 'otter', 'two']);
  for (let index = 0; index < 99; index += 1) terms.store(`flood${index}`);
  const vocabulary = await read();
  expect(vocabulary?.size).toBeLessThanOrEqual(4);
  expect(allOf(vocabulary)).toEqual(expect.arrayContaining(['one', 'otter', 'two']));
});

test('the event loop runs between two steps of a read', async () => {
  const terms = new FakeTerms();
  for (let index = 0; index < 1_234; index += 1) terms.store(`term${index}`);
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 0);
  expect((await terms.open({ maxWords: 9_999 })())?.size).toBe(1_234);
  clearInterval(turn);
  expect(Math.max(...terms.reads)).toBeLessThanOrEqual(200);
  expect(turns).toBeGreaterThan(0);
});

test('many agents are read in the background, once', async () => {
  const terms = new FakeTerms();
  for (let index = 0; index < 5_000; index += 1) terms.store(`term${index % 50}`);
  const read = terms.open();
  expect(await read()).toBeUndefined();
  expect(await read()).toBeUndefined();
  await vi.waitFor(async () => expect((await read())?.agents).toBe(5_000));
  terms.reads = [];
  terms.store('otter');
  expect(allOf(await read())).toContain('otter');
  expect(terms.reads).toEqual([1]);
});

test('words of removed agents disappear after a read in the background', async () => {
  const terms = new FakeTerms();
  for (const word of ['otter', 'beaver']) for (let index = 0; index < 300; index += 1) terms.store(word);
  const read = terms.open({ checkInterval: -1 });
  expect(allOf(await read())).toEqual(['beaver', 'otter']);
  terms.agents = terms.agents.slice(300);
  terms.store('heron');
  expect(allOf(await read())).toContain('heron');
  await vi.waitFor(async () => expect(allOf(await read())).toEqual(['beaver', 'heron']));
});

test('after a failed read the next one continues', async () => {
  const terms = new FakeTerms();
  terms.store('otter');
  const read = terms.open();
  const { agents: stored } = terms;
  terms.agents = undefined as unknown as typeof stored;
  await expect(read()).rejects.toThrow(TypeError);
  terms.agents = stored;
  expect(allOf(await read())).toEqual(['otter']);
});
