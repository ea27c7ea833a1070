import { expect, test } from 'vitest';
import { parseBrowseParams, toBrowsePath, toFeedPath } from './browse-params.ts';
import { defaultCategories } from './category.ts';
import { toCursor } from './list.ts';
import { makeAgent } from './testing/make-agent.ts';

const parse = (query: string | URLSearchParams) => parseBrowseParams(new URLSearchParams(query), defaultCategories);

test('only a search is asked for as typed', () => {
  const path = toBrowsePath({ text: 'emial', correct: false });
  expect(parse(new URL(path, 'http://localhost').searchParams)).toMatchObject({ correct: false });
  expect(toBrowsePath({ text: '', correct: false })).toBe('/');
});

const cursor = toCursor(makeAgent(), 'newest');

test.each([
  'category=bots',
  'sort=oldest',
  'view=table',
  'view=rows&view=rows',
  'sort=name&sort=name',
  'correct=perhaps',
  'pricing=free,cheap',
  'apiAccess=maybe',
  'capability=c',
  'capability=!!',
  'since=2026',
  'since=2026-02-30',
  'after=last',
  `before=${cursor}x`,
  `after=${cursor}&before=${cursor}`,
])('no list has the query %s', (query) => {
  expect(parse(query)).toBeUndefined();
});

test('empty parameters, as forms send them, and unknown ones are ignored', () => {
  const list = parse('q=&category=&sort=&pricing=&after=&utm_source=mail&from=m');
  expect(toBrowsePath(list ?? { text: 'none' })).toBe('/');
});

test('the path of a list leads to that list', () => {
  const path = `/?category=vision&pricing=free,paid&apiAccess=yes&capability=C%2B%2B&since=2026-11-18&sort=rating&view=rows&after=${cursor}`;
  expect(toBrowsePath(parse(new URL(path, 'http://localhost').searchParams) ?? {})).toBe(path);
});

test('a view is no part of the feed of a list', () => {
  expect(toFeedPath('/feed.xml', { category: 'vision', view: 'rows' })).toBe('/feed.xml?category=vision');
});
