import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fitWords, MAX_MATCHED_WORDS_LENGTH, pageFromHeaders, pageToHeaders, type Page } from './list.ts';
import { makeAgent } from './testing/make-agent.ts';

const PATH = '/api/search';
const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const pages: fc.Arbitrary<Page> = fc.record({
  agents: fc.constantFrom([], [makeAgent()]),
  total: fc.nat(),
  totalBound: fc.constantFrom(undefined, 'lower'),
  position: maybe(fc.integer({ min: 1 })),
  next: maybe(text),
  previous: maybe(text),
  full: maybe(fc.nat()),
  correction: maybe(text),
  understood: maybe(text),
  words: maybe(fc.array(text, { minLength: 1 })),
});
const requests = fc.record({
  q: maybe(text),
  capability: maybe(text),
  pricing: fc.constantFrom(undefined, ['free', 'paid'] as const),
  position: maybe(fc.boolean()),
});

test('a page is the same after it was headers, whatever its texts and its request are', () => {
  fc.assert(
    fc.property(pages, requests, (page, request) => {
      const headers = new Headers(pageToHeaders(page, PATH, request));
      expect(pageFromHeaders(page.agents, headers)).toEqual(page);
    }),
  );
});

test('the links of a page lead to the pages beside it, of the same list', () => {
  const page = { agents: [], total: 9, next: 'c,d', previous: 'a b' };
  const request = { q: 'otter', pricing: ['free', 'paid'], limit: 3, position: true } as const;
  const { Link } = pageToHeaders(page, PATH, request);
  const links = [...(Link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url = '', relation]) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    return [relation, pathname, Object.fromEntries(searchParams)];
  });
  const same = { q: 'otter', pricing: 'free,paid', limit: '3', position: 'true' };
  expect(links).toEqual([
    ['next', PATH, { ...same, after: 'c,d' }],
    ['prev', PATH, { ...same, before: 'a b' }],
  ]);
});

test('a response without headers of a page is a whole list', () => {
  const agents = [makeAgent(), makeAgent()];
  expect(pageFromHeaders(agents, new Headers())).toEqual({ agents, total: 2 });
});

test('words that are too many for their header are left out, and none is cut', () => {
  const words = Array.from({ length: 200 }, (_, index) => `é${'x'.repeat(index % 40)}`);
  const fitting = fitWords(words) ?? [];
  const { 'X-Matched-Words': header = '' } = pageToHeaders({ agents: [], total: 0, words: fitting }, PATH, {});
  expect(header.length).toBeLessThanOrEqual(MAX_MATCHED_WORDS_LENGTH);
  expect(header.length).toBeGreaterThan(MAX_MATCHED_WORDS_LENGTH - 10);
  expect(fitting.every((word) => words.includes(word))).toBe(true);
  expect(fitWords([])).toBeUndefined();
});
