import { expect, test } from 'vitest';
import { defaultCategories } from './category.ts';
import { describeList, describeSubject } from './describe-list.ts';

test.each([
  [{ total: 42 }, { text: '' }, '42 agents · newest first'],
  [{ total: 1_142 }, { text: 'translate' }, '1,142 agents for ‘translate’ · best match first'],
  [{ total: 10_000, totalBound: 'lower' }, { text: 'logo' }, '10,000+ agents for ‘logo’ · best match first'],
  [{ total: 1 }, { text: 'logo', sort: 'newest' }, '1 agent for ‘logo’ · newest first'],
  [{ total: 7 }, { text: 'logo', category: 'vision' }, '7 agents in Computer Vision · newest first'],
  [{ total: 7 }, { text: '', sort: 'name' }, '7 agents · A to Z'],
  [{ total: 7, full: 7 }, { text: 'logo' }, '7 agents for ‘logo’ · best match first'],
  [{ total: 68, full: 0 }, { text: 'logo' }, '68 agents with some of these words for ‘logo’ · best match first'],
  [{ total: 1, full: 0 }, { text: 'logo' }, '1 agent with some of these words for ‘logo’ · best match first'],
  [{ total: 71, full: 3 }, { text: 'x' }, '71 agents for ‘x’, 68 of them with some of these words · best match first'],
] as const)('%j agents of %j are described as %s', (list, params, text) => {
  expect(describeList(list, params, defaultCategories)).toBe(text);
});

test.each([
  [{}, ''],
  [{ text: 'logo' }, '‘logo’'],
  [{ text: 'logo', category: 'vision' }, 'Computer Vision'],
  [
    { text: 'logo', pricing: ['free', 'paid'], apiAccess: ['yes', 'no'], proved: ['yes'], capability: 'ocr' },
    '‘logo’, Free, Paid, API Available, No API, Proved by its owner, ocr',
  ],
  [{ since: '2026-11-18' }, 'Added since Nov 18, 2026'],
] as const)('the agents of %j are %s', (list, subject) => {
  expect(describeSubject(list, defaultCategories)).toBe(subject);
});
