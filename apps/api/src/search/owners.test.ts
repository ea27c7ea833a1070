import { expect, test } from 'vitest';
import { spreadOwners } from './owners.ts';
import type { Scored } from './score.ts';

const digits = 'abcdefghijklmnopqrst';
type Fields = { description?: string; website?: string; websiteCheckedAt?: string; seq?: number; nameRank?: 3 };
/** Lists agents, the oldest first, each with a description of its own unless it has one here. */
const list = (owners: readonly (string | Fields)[]) =>
  owners.map((owner, place): Scored => {
    const { nameRank = 0, ...fields } = typeof owner === 'string' ? { website: owner } : owner;
    const description = `Agent ${digits[place]}.`;
    return {
      nameRank,
      agent: { seq: place, website: null, websiteCheckedAt: null, description, ...fields },
    } as Scored;
  });

/** The places of the agents afterwards. */
const spread = (owners: readonly (string | Fields)[], text = 'otter') =>
  spreadOwners(list(owners), { text }).map(({ agent }) => agent.seq);

const different = Array.from({ length: 12 }, (_, index) => `https://other${index}.example/`);
const unchanged = Array.from({ length: 15 }, (_, index) => index);
const moved = [0, 1, ...unchanged.slice(3, 11), 2, ...unchanged.slice(11)];

test.each<[what: string, owners: (string | Fields)[], text: string, expected: number[]]>([
  ['a site', ['https://a.same.example/', 'https://b.same.example/x', 'https://same.example/'], 'otter', moved],
  ['an account', ['https://github.com/me/a', 'https://github.com/me/b', 'https://GitHub.com/Me/c'], 'otter', moved],
  ['a description', [{ description: 'Same.' }, { description: 'same.' }, { description: 'SAME.' }], 'otter', moved],
  [
    'a description with other digits and signs',
    [{ description: 'Same 1.' }, { description: 'same (2)' }, { description: '#3 sáme!' }],
    'otter',
    moved,
  ],
  [
    'a description on sites that nobody has proved',
    ['a', 'b', 'c'].map((host) => ({ description: 'Same.', website: `https://${host}.example/` })),
    'otter',
    moved,
  ],
  [
    'a description on proved sites',
    ['a', 'b', 'c'].map((host) => ({ description: 'S.', website: `https://${host}.example/`, websiteCheckedAt: 'x' })),
    'otter',
    unchanged,
  ],
  ['accounts', ['https://github.com/a', 'https://github.com/b', 'https://github.com/c'], 'otter', unchanged],
  [
    'unknown accounts',
    ['https://lobehub.com/agent/a', 'https://lobehub.com/agent/b', 'https://lobehub.com/agent/c'],
    'otter',
    unchanged,
  ],
  [
    'a named site',
    ['https://same.example/1', 'https://same.example/2', 'https://same.example/3'],
    'Same otter',
    unchanged,
  ],
  [
    'a named account',
    ['https://github.com/me/a', 'https://github.com/me/b', 'https://github.com/me/c'],
    'otter by me',
    unchanged,
  ],
])('of %s, at most two are among the first ten: %j', (_what, owners, text, expected) => {
  expect(spread([...owners, ...different], text)).toEqual(expected);
});

test('of ten results or fewer the order stays, and of more those of others come first, however few', () => {
  const owner = (count: number) => Array.from({ length: count }, () => 'https://same.example/');
  const few = [...owner(5), ...different.slice(0, 5)];
  expect(spread(few)).toEqual(few.map((_, place) => place));
  expect(spread([...owner(8), ...different.slice(0, 4)])).toEqual([0, 1, 8, 9, 10, 11, 2, 3, 4, 5, 6, 7]);
});

test.each<[what: string, owners: Fields[], first: number[]]>([
  [
    'the agent that was copied',
    [{ seq: 40 }, { seq: 30 }, { seq: 20 }].map(({ seq }) => ({ seq, description: 'Same.' })),
    [40, 20],
  ],
  [
    'agents that have proved the site',
    [{ seq: 40 }, { seq: 30 }, { seq: 20, websiteCheckedAt: 'x' }, { seq: 50, websiteCheckedAt: 'x' }].map(
      (fields) => ({ ...fields, website: 'https://same.example/' }),
    ),
    [20, 50],
  ],
  [
    'an agent that the search names',
    [{ seq: 40, nameRank: 3 as const }, { seq: 30 }, { seq: 20 }].map((fields) => ({ ...fields, description: 'S.' })),
    [40, 20],
  ],
])('%s is not displaced by others of its owner', (_what, owners, first) => {
  const seqs = spread([...owners, ...different.map((website, place) => ({ website, seq: 100 + place }))]);
  expect(seqs.slice(0, 10).filter((seq) => seq < 100)).toEqual(first);
});
