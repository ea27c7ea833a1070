import { expect, test } from 'vitest';
import { listOperators, parseText } from './search-operators.ts';

const none = { phrases: [], excluded: [], conditions: [] };

test.each([
  ['chat -google', { words: 'chat', excluded: ['google'] }],
  ['chat -"real estate"', { words: 'chat', excluded: ['real estate'] }],
  ['"customer support" bot', { words: 'customer support bot', phrases: ['customer support'] }],
  ['“customer support” bot', { words: 'customer support bot', phrases: ['customer support'] }],
  ['video pricing:free,paid', { words: 'video', conditions: [{ field: 'pricing', values: ['free', 'paid'] }] }],
  ['API:Yes', { words: '', conditions: [{ field: 'api', values: ['yes'] }] }],
  ['name:"Front Desk"', { words: '', conditions: [{ field: 'name', values: ['Front Desk'] }] }],
  ['by:example.com', { words: '', conditions: [{ field: 'by', values: ['example.com'] }] }],
])('%j is read as operators', (text, expected) => {
  const { words, ...operators } = parseText(text);
  expect({ words: words.trim().replaceAll(/\s+/gu, ' '), ...operators }).toEqual({ ...none, ...expected });
});

test.each([
  'no-code builder',
  'a - b',
  'chat --google',
  'C++ -- or',
  'colour:red',
  'pricing:cheap',
  '16:9 video',
  'https://example.com/x',
  'say "hello',
  '""',
  'pricing: free',
  'AND (OR) [NOT]',
])('%j has only words', (text) => {
  expect(parseText(text)).toEqual({ ...none, words: text });
});

test.each(['-google', '-"real estate"', '- -x'])('%j excludes nothing, since nothing else is searched', (text) => {
  expect(parseText(text)).toMatchObject(none);
});

test.each([
  ['chat -google', [['not: google', 'chat']]],
  ['chat -"real estate" x', [['not: real estate', 'chat x']]],
  [
    'pricing:free,paid api:yes',
    [
      ['Pricing: free,paid', 'api:yes'],
      ['API access: yes', 'pricing:free,paid'],
    ],
  ],
  [
    '“front desk” like:"X"',
    [
      ['“front desk”', 'like:"X"'],
      ['Like: X', '"front desk"'],
    ],
  ],
  [
    'google api:yes -google',
    [
      ['API access: yes', 'google -google'],
      ['not: google', 'google api:yes'],
    ],
  ],
  [
    'api:yes -google',
    [
      ['API access: yes', ''],
      ['not: google', 'api:yes'],
    ],
  ],
  ['pricing:cheap -x chat', [['not: x', 'pricing:cheap chat']]],
  ['no-code builder', []],
  ['-google', []],
])('each operator of %j has a label and the text without it', (text, expected) => {
  expect(listOperators(text).map(({ label, rest }) => [label, rest])).toEqual(expected);
});

test('of each kind, five operators count', () => {
  const text = `x ${Array.from({ length: 9 }, (_, index) => `-a${index} name:b${index}`).join(' ')}`;
  const { words, excluded, conditions } = parseText(text);
  expect([words.trim(), excluded.length, conditions.length, listOperators(text).length]).toEqual(['x', 5, 5, 10]);
});
