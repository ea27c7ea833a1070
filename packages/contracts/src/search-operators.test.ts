import { expect, test } from 'vitest';
import { parseText } from './search-operators.ts';

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
