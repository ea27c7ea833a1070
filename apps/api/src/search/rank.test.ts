import { expect, test } from 'vitest';
import { spreadOwners } from './rank.ts';
import type { Scored } from './score.ts';

/** Lists agents by their websites, or by their descriptions if they have none. */
const list = (owners: readonly (string | { description: string })[]) =>
  owners.map((owner, seq): Scored => {
    const website = typeof owner === 'string' ? owner : null;
    const { description } = typeof owner === 'string' ? { description: '' } : owner;
    return { agent: { seq, website, description } } as Scored;
  });

/** The places of the agents afterwards. */
const spread = (owners: readonly (string | { description: string })[], text = 'otter') =>
  spreadOwners(list(owners), { text }).map(({ agent }) => agent.seq);

const different = Array.from({ length: 12 }, (_, index) => `https://other${index}.example/`);
const unchanged = Array.from({ length: 15 }, (_, index) => index);
const moved = [0, 1, ...unchanged.slice(3, 11), 2, ...unchanged.slice(11)];

test.each<[what: string, owners: (string | { description: string })[], text: string, expected: number[]]>([
  ['a site', ['https://a.same.example/', 'https://b.same.example/x', 'https://same.example/'], 'otter', moved],
  ['an account', ['https://github.com/me/a', 'https://github.com/me/b', 'https://GitHub.com/Me/c'], 'otter', moved],
  ['a description', [{ description: 'Same.' }, { description: 'same.' }, { description: 'SAME.' }], 'otter', moved],
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

test('without ten others, the order stays', () => {
  const owners = [...Array.from({ length: 5 }, () => 'https://same.example/'), ...different.slice(0, 7)];
  expect(spread(owners)).toEqual(owners.map((_, seq) => seq));
});
