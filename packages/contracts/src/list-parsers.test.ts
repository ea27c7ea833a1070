import { expect, test } from 'vitest';
import { parseBrowseParams } from './browse-params.ts';
import { defaultCategories } from './category.ts';
import { MAX_QUERY_BYTES, MAX_QUERY_LENGTH } from './request-limits.ts';
import { createReadRequests } from './requests.ts';

const ID = '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';
const LONG_TEXT = 'x'.repeat(MAX_QUERY_LENGTH);
/** Three times as many bytes of an address as of UTF-8. */
const MANY_BYTES = '😀'.repeat(MAX_QUERY_BYTES / 12);
const requests = createReadRequests(defaultCategories);

type List = Record<string, unknown>;

/** The list of the home page. */
function parsePage(query: string): List | undefined {
  const params = parseBrowseParams(new URLSearchParams(query), defaultCategories);
  if (!params) return undefined;
  const { text, view: _ofPages, ...list } = params;
  return normalize({ ...list, q: text || undefined });
}

/** The list of the call that the home page with this query makes. */
function parseCall(query: string): List | undefined {
  const params = new URLSearchParams(query);
  const input = Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );
  const isSearch = params.getAll('q').join('').trim() !== '';
  const name = params.get('category') ? 'agents.byCategory' : isSearch ? 'agents.search' : 'agents.list';
  // The facets take a search or none.
  const facets = requests['agents.facets'].safeParse(input);
  const { data } = requests[name].safeParse(input);
  return data && facets.success ? normalize({ ...data, q: facets.data.q }) : undefined;
}

/** Only what is given; lists in one order, and `correct` where it is not the default. */
function normalize({ correct, ...list }: List): List {
  const given = Object.entries({ ...list, correct: correct === false ? false : undefined });
  return Object.fromEntries(
    given.flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.toSorted() : value]],
    ),
  );
}

test.each([
  '',
  'unknown=1',
  'fields=name&from=m',
  'q=otter',
  'q=%20otter%20',
  `q=${LONG_TEXT}`,
  `q=${MANY_BYTES}`,
  'q=otter&correct=false',
  'q=otter&correct=true',
  'category=vision',
  'sort=name',
  'pricing=paid,free',
  'pricing=paid&pricing=free',
  'apiAccess=yes&proved=yes',
  'capability=code%20review',
  'since=2026-11-18',
  `after=${ID}`,
  `before=${ID}&sort=rating`,
  'category=vision&sort=name',
  // Forms send parameters without a value.
  'q=',
  'q=%20&category=',
  'sort=&since=&pricing=&proved=',
  'correct=&q=a',
  'capability=%20',
  'after=&before=&sort=name',
  'pricing=&pricing=free',
  'capability=%20ocr%20&since=%202026-11-18',
  `after=${ID.toUpperCase()}`,
])('page and call read the same list: %s', (query) => {
  expect(parsePage(query)).toBeDefined();
  expect(parsePage(query)).toEqual(parseCall(query));
});

test.each([
  `q=${LONG_TEXT}x`,
  `q=${MANY_BYTES}x`,
  'q=a%00',
  'q=a&q=b',
  'q=&q=a',
  'q=otter&correct=maybe',
  'q=otter&correct=false&correct=true',
  'category=zz',
  'category=vision&category=vision',
  'sort=x',
  'sort=name&sort=name',
  'sort=&sort=name',
  'sort=name%20',
  'pricing=cheap',
  'pricing=free,',
  'pricing=free, paid',
  'pricing=free,cheap',
  'apiAccess=maybe',
  'proved=no',
  'capability=x',
  'capability=ocr%00',
  'capability=code&capability=review',
  'since=yesterday',
  'since=2026-02-30',
  'since=2026-01-01&since=2026-01-02',
  'after=x',
  `after=%20${ID}`,
  `after=${ID}&before=${ID}`,
  `after=${ID}&after=${ID}`,
])('page and call refuse the same list: %s', (query) => {
  expect([parsePage(query), parseCall(query)]).toEqual([undefined, undefined]);
});
