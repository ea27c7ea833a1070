import { expect, test } from 'vitest';
import { fold } from './characters.ts';

test.each([
  ['OTTER', 'otter'],
  ['Café', 'cafe'],
  ['Cafe\u0301', 'cafe'],
  ['Łódź', 'lodz'],
  ['smørrebrød', 'smorrebrod'],
  ['ÆON', 'aeon'],
  ['Straße', 'strasse'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['Σίσυφος', 'σισυφοσ'],
  ['İstanbul', 'istanbul'],
  ['ｇｐｔ', 'gpt'],
  ['ﬁne', 'fine'],
  ['ｶﾞｲﾄﾞ', 'ガイド'],
  ['ガイド', 'ガイド'],
  ['한국어', '한국어'],
  ['हिन्दी', 'हिन्दी'],
  ['کتابی', 'كتابي'],
  ['كِتَابٌ', 'كتاب'],
  ['كتـــاب', 'كتاب'],
  ['\u05E9\u05C1\u05B8\u05DC\u05D5\u05B9\u05DD', '\u05E9\u05DC\u05D5\u05DD'],
])('%s is compared as %s', (text, folded) => {
  expect(fold(text)).toBe(folded);
  expect(fold(folded)).toBe(folded);
});

test('kana with and without voicing marks stay different letters', () => {
  expect(fold('か')).not.toBe(fold('が'));
});
