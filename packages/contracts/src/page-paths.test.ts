import { expect, test } from 'vitest';
import { MAX_SHARED, parseCompared, parseShared, toComparePath, toSharedPath } from './page-paths.ts';

const parse = (query: string) => parseCompared(new URLSearchParams(query));

test.each([
  ['compare=b,a', ['b', 'a']],
  ['compare=a&compare=b', ['a', 'b']],
  ['compare=A,a, a ,,', ['a']],
  ['compare=e,d,c,b,a', ['e', 'd', 'c', 'b']],
  [`compare=${'x'.repeat(40)}`, ['x'.repeat(36), 'xxxx']],
  [`compare=${'😀'.repeat(36)}`, ['😀'.repeat(36)]],
  ['compare=a%00%E2%80%AEb', ['a', 'b']],
  ['compare=%00', []],
  ['compare=', []],
  ['q=mail', []],
])('the query %s compares %j', (query, ids) => {
  expect(parse(query)).toEqual(ids);
});

test.each(['compare=b,a', 'compare=a b&compare=%26%3D', `compare=${'a'.repeat(35)} b`])(
  'the path of the agents of %s leads to them',
  (query) => {
    const ids = parse(query);
    expect(parseCompared(new URL(toComparePath(ids), 'http://localhost').searchParams)).toEqual(ids);
  },
);

test.each([
  ['keep=b,a,B', ['b', 'a']],
  ['keep=b&keep=a&q=mail', ['b', 'a']],
  ['keep=', []],
  ['keep=%00,', []],
  ['q=mail', undefined],
])('the query %s shares %j', (query, ids) => {
  expect(parseShared(new URLSearchParams(query))).toEqual(ids);
});

test('a shared list has the first 50 ids, in its address and as it is read', () => {
  const ids = Array.from({ length: 60 }, (_, index) => `id-${index}`);
  const { searchParams } = new URL(toSharedPath(ids), 'http://localhost');
  expect(parseShared(searchParams)).toEqual(ids.slice(0, MAX_SHARED));
  expect(parseShared(new URLSearchParams({ keep: ids.join(',') }))).toHaveLength(MAX_SHARED);
});
