import { expect, test } from 'vitest';
import { highlight } from './HighlightedText.tsx';

/** A text with its matches in brackets. */
const mark = (text: string, ...words: string[]) =>
  highlight(text, words)
    .map((piece) => (piece.isMatch ? `[${piece.text}]` : piece.text))
    .join('');

test.each([
  ['Front Desk 24', ['desk*'], 'Front [Desk] 24'],
  ['Front Desk 24', ['front', '24*'], '[Front] Desk [24]'],
  ['Deskless desk', ['desk'], 'Deskless [desk]'],
  ['Accountant', ['ac*'], '[Ac]countant'],
  ['Space', ['ac*'], 'Space'],
  ['Space', ['*ac*'], 'Sp[ac]e'],
  ['ChatGPT helper', ['gpt'], 'Chat[GPT] helper'],
  ['HTMLCode, text2code', ['html', 'code'], '[HTML][Code], text2[code]'],
  ['Café Łódź', ['cafe', 'lodz'], '[Café] [Łódź]'],
  ['Cafe\u0301s', ['cafe*'], '[Cafe\u0301]s'],
  ['ＧＰＴ', ['gpt*'], '[ＧＰＴ]'],
  ['eine Straße', ['strasse*'], 'eine [Straße]'],
  ['C++ and C', ['c++*'], '[C++] and C'],
  ['C++ and C', ['c'], 'C++ and [C]'],
  ['Node.js', ['nodejs*'], '[Node.js]'],
  ['Node.js', ['node', 'js*', 'nodejs*'], '[Node.js]'],
  ['Fact Checker', ['factchecker*'], '[Fact Checker]'],
  ['CrewAI', ['crew', 'ai*', 'crewai*'], '[CrewAI]'],
  ['so many', ['som*', '*oma*'], 'so many'],
  ['keeps a repository of repositories', ['repositories*', 'repository'], 'keeps a [repository] of [repositories]'],
  ['東京都の案内', ['*京都*'], '東[京都]の案内'],
  ['AI助手', ['ai*'], '[AI]助手'],
  ['report reporter', ['report', 'reporter*'], '[report] [reporter]'],
  ['Nothing here', ['else*'], 'Nothing here'],
  ['Nothing here', [], 'Nothing here'],
  ['', ['x*'], ''],
])('in %j, the words %j mark %j', (text, words, marked) => {
  expect(mark(text, ...words)).toBe(marked);
});
