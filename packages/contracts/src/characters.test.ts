import { describe, expect, test } from 'vitest';
import { countCharacters, cutPoints, cutText, toGraphemes } from './characters.ts';

const samples = [
  'Otter',
  '🤖',
  '👨‍👩‍👧‍👦',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '🇪🇪',
  'e\u0301',
  '한',
  '\u1112\u1161\u11AB',
  'ห้',
  'क्षि',
  '1️⃣',
  '\r\n',
  '\n',
  '葛\u{E0100}',
];

test.each([
  ['', 0],
  ['Otter\nDesk', 10],
  ['Otter\r\nDesk', 10],
  ['🤖'.repeat(60), 60],
  ['👨‍👩‍👧‍👦👩🏿‍❤️‍💋‍👨🏿', 2],
  ['e\u0301clair', 6],
  ['สวัสดี', 4],
])('%j has %i characters', (text, count) => {
  expect(countCharacters(text)).toBe(count);
  expect(toGraphemes(text)).toHaveLength(count);
});

describe('a text that is cut', () => {
  test.each(samples)('keeps every %j whole', (sample) => {
    const text = `a${sample.repeat(5)}b`;
    const characters = toGraphemes(text);
    for (let max = 0; max <= characters.length + 1; max += 1) {
      expect(cutText(text, max)).toBe(characters.slice(0, max).join(''));
    }
    for (let max = 0; max <= Array.from(text).length + 1; max += 1) {
      const cut = toGraphemes(cutPoints(text, max));
      expect(cut).toEqual(characters.slice(0, cut.length));
      const next = cut.concat(characters[cut.length] ?? '').join('');
      expect([Array.from(cut.join('')).length <= max, next === text || Array.from(next).length > max]).toEqual([
        true,
        true,
      ]);
    }
  });

  test('keeps a bound in UTF-16 code units too', () => {
    expect(cutText('👨‍👩‍👧‍👦👨‍👩‍👧‍👦', 200, 12)).toBe('👨‍👩‍👧‍👦');
    expect(cutText('🤖'.repeat(300), 200, 200)).toBe('🤖'.repeat(100));
    expect(cutText('x'.repeat(300), 200, 150)).toBe('x'.repeat(150));
    expect(cutText(`a${'\u0301'.repeat(5_000)}`, 100)).toBe('');
  });
});
