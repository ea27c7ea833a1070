import { expect, test } from 'vitest';
import { matchesAllWords, highlight, parseQueryWords } from './highlight.ts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';

/** A text with its matches in brackets. */
const mark = (text: string, search: string) =>
  highlight(text, parseQueryWords(search))
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['Front Desk 24', 'desk', 'Front [Desk] 24'],
  ['Front Desk 24', 'front 24', '[Front] Desk [24]'],
  ['ChatGPT helper', 'gpt', 'Chat[GPT] helper'],
  ['Café Łódź', 'cafe lodz', '[Café] [Łódź]'],
  ['ＧＰＴ', 'gpt', '[ＧＰＴ]'],
  ['Straße', 'strasse', '[Straße]'],
  ['C++ and C', 'c++', '[C++] and C'],
  ['Node.js', 'nodejs', '[Node.js]'],
  ['Node.js', 'node.js', '[Node].[js]'],
  ['multi-agent', 'multiagent', '[multi-agent]'],
  ['An ace in a car', 'a', 'An ace in [a] car'],
  ['Accountant', 'ac', '[Ac]countant'],
  ['Space', 'ac', 'Space'],
  ['reads the mail for you', 'mail for', 'reads the [mail] for you'],
  ['東京都の案内', '京都', '東[京都]の案内'],
  ['for the', 'the', 'for [the]'],
  ['report reporter', 'report reporter', '[report] [reporter]'],
  ['Nothing here', 'else', 'Nothing here'],
  ['Nothing here', '???', 'Nothing here'],
  ['', 'x', ''],
])('in %j, a search for %j marks %j', (text, search, marked) => {
  expect(mark(text, search)).toBe(marked);
});

test.each([
  ['otter counting river', true],
  ['vision otter', true],
  ['computer otter', true],
  ['creative otter', false],
  ['otter beaver', false],
])('whether an agent has all words of %j, wherever they are: %s', (search, isFound) => {
  const agent = makeAgent({ name: 'Otter', capabilities: ['counting'], category: 'vision', description: 'In rivers.' });
  expect(matchesAllWords(agent, parseQueryWords(search))).toBe(isFound);
});
