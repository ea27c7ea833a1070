import { expect, test } from 'vitest';
import type { StoredTerm, TermRequest, TokenReader } from './token-index.ts';
import { editDistance } from './edit-distance.ts';
import { createVocabularyReader, Vocabulary, type VocabularyLimits } from './vocabulary.ts';

const words = ['otter', 'swiftotter', 'beaver', 'otters', 'badger', 'ottar', 'other', 'ütter'];

function makeVocabulary(terms: readonly string[] = words): Vocabulary {
  const vocabulary = new Vocabulary();
  vocabulary.add(terms);
  return vocabulary;
}

test('words that contain a part are found in the order in which they were added, up to a limit', () => {
  const vocabulary = makeVocabulary();
  expect(vocabulary.findContaining('otte', 9)).toEqual(['otter', 'swiftotter', 'otters']);
  expect(vocabulary.findContaining('otte', 2)).toEqual(['otter', 'swiftotter']);
  expect(vocabulary.findContaining('ver', 9)).toEqual(['beaver']);
  expect(vocabulary.findContaining('erb', 9)).toEqual([]);
});

test('a word that was added twice is found once', () => {
  const vocabulary = makeVocabulary(['otter', 'otter']);
  expect(vocabulary.findContaining('otte', 9)).toEqual(['otter']);
  expect(vocabulary.findSimilar('ottar', 1, 9)).toEqual([{ term: 'otter', edits: 1 }]);
});

test('similar words are within the edits: nearest first, then the same first letter, without the word itself', () => {
  const vocabulary = makeVocabulary();
  expect(vocabulary.findSimilar('otter', 1, 9)).toEqual([
    { term: 'otters', edits: 1 },
    { term: 'ottar', edits: 1 },
    { term: 'other', edits: 1 },
    { term: 'ütter', edits: 1 },
  ]);
  expect(vocabulary.findSimilar('swfitoter', 2, 9)).toEqual([{ term: 'swiftotter', edits: 2 }]);
  expect(vocabulary.findSimilar('otter', 1, 1)).toEqual([{ term: 'otters', edits: 1 }]);
});

test('an empty vocabulary has nothing', () => {
  expect(new Vocabulary().findContaining('otter', 9)).toEqual([]);
  expect(new Vocabulary().findSimilar('otter', 2, 9)).toEqual([]);
});

test('every misspelling within the edits finds its word, and no other misspelling does', () => {
  const vocabulary = makeVocabulary();
  const misspell = (word: string) =>
    Array.from(word).flatMap((_, at) => [
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}k${word.slice(at)}`,
      `${word.slice(0, at)}k${word.slice(at + 1)}`,
      word.slice(0, at) + (word[at + 1] ?? 'k') + word[at] + word.slice(at + 2),
    ]);
  for (const [word, maxEdits, misspellings] of [
    ['swiftotter', 2, misspell('swiftotter').flatMap(misspell)],
    ['beaver', 1, misspell('beaver').flatMap(misspell)],
  ] as const) {
    for (const typed of misspellings) {
      const edits = editDistance(typed, word, maxEdits);
      const found = vocabulary.findSimilar(typed, maxEdits, 9).some(({ term }) => term === word);
      expect({ typed, found }).toEqual({ typed, found: edits > 0 && edits <= maxEdits });
    }
  }
});

test('a lookup compares a bounded number of words, however many share the trigrams of the search', () => {
  const vocabulary = new Vocabulary();
  vocabulary.add(Array.from({ length: 60_000 }, () => 'abcdefgabcdefg'));
  vocabulary.add(['abcdefgaa', 'abcdefg']);
  expect(vocabulary.findContaining('abcdefga', 9)).toEqual(['abcdefgabcdefg']);
  expect(vocabulary.findSimilar('abcdefg', 1, 9)).toEqual([]);
});

/** All stored words begin so, and are found by it. */
const COMMON = 'abc';

/** Stored terms without a database. */
class FakeTerms {
  terms: (StoredTerm & { isShared: boolean })[] = [];
  reads: number[] = [];
  #lastId = 0;

  store(term: string, isShared = false): void {
    this.#lastId += 1;
    this.terms.push({ id: this.#lastId, term: COMMON + term, isShared });
  }

  open(limits: Partial<VocabularyLimits> = {}): () => Promise<Vocabulary> {
    return createVocabularyReader(
      {
        lastTermId: async () => this.#lastId,
        readTerms: async ({ after, limit, isShared }: TermRequest) => {
          const terms = this.terms.filter(
            (term) => term.id > after && (isShared === undefined || term.isShared === isShared),
          );
          this.reads.push(Math.min(terms.length, limit));
          return terms.slice(0, limit);
        },
      } as Partial<TokenReader> as TokenReader,
      { maxTerms: 100, maxAge: Infinity, ...limits },
    );
  }
}

const allOf = (vocabulary: Vocabulary) =>
  vocabulary.findContaining(COMMON, Infinity).map((term) => term.slice(COMMON.length));

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
  expect(allOf(await read())).toEqual(['otter', 'beaver', 'heron']);
});

test('when there are more words than fit, words that several agents use are kept first, then the oldest', async () => {
  const terms = new FakeTerms();
  for (const word of ['one', 'two', 'three']) terms.store(word);
  for (const word of ['otter', 'beaver']) terms.store(word, true);
  const read = terms.open({ maxTerms: 4 });
  expect(allOf(await read())).toEqual(['one', 'two', 'otter', 'beaver']);
  terms.store('four');
  expect(allOf(await read())).toEqual(['one', 'two', 'otter', 'beaver']);
});

test('the event loop runs between two parts of a read', async () => {
  const terms = new FakeTerms();
  for (let index = 0; index < 12_345; index += 1) terms.store(`term${index}`);
  let turns = 0;
  const turn = setInterval(() => (turns += 1), 0);
  expect((await terms.open({ maxTerms: 12_000 })()).size).toBe(12_000);
  clearInterval(turn);
  expect(Math.max(...terms.reads)).toBeLessThanOrEqual(5_000);
  expect(turns).toBeGreaterThan(0);
});

test('removed words disappear with the next full read, which takes one part per search', async () => {
  const terms = new FakeTerms();
  for (const word of ['otter', 'beaver']) terms.store(word);
  const read = terms.open({ maxAge: -1 });
  expect(allOf(await read())).toEqual(['otter', 'beaver']);
  terms.terms.shift();
  terms.store('heron');
  for (let count = 0; count < 2; count += 1) expect(allOf(await read())).toContain('heron');
  expect(allOf(await read())).toEqual(['beaver', 'heron']);
});

test('after a failed read the next one starts again', async () => {
  const terms = new FakeTerms();
  terms.store('otter');
  const read = terms.open({ maxAge: -1 });
  const { terms: stored } = terms;
  terms.terms = undefined as unknown as typeof stored;
  await expect(read()).rejects.toThrow(TypeError);
  terms.terms = stored;
  expect(allOf(await read())).toEqual(['otter']);
});
