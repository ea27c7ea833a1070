import { describe, expect, test } from 'vitest';
import { findTextFault, removeBroken } from './plain-text.ts';

const fault = (text: string, isLine = true) => findTextFault(text, { max: 1_000, isLine });
const INVISIBLE = 'must not have the invisible character ';

describe('texts that people write', () => {
  test.each([
    ['Persian with a joiner', 'می‌خواهم'],
    ['Sinhala with a joiner', 'ශ්‍රී ලංකා'],
    ['an emoji of several', '👨‍👩‍👧‍👦 👩🏿‍❤️‍💋‍👨🏿 🏳️‍🌈 1️⃣ ❤️ 🇪🇪'],
    ['an emoji with a doubled selector', '❤\uFE0F\uFE0F'],
    ['flags with tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿'],
    ['Arabic and Hebrew with marks of direction', 'C++\u200E ו\u200F\u200EC#\u200F, \u061Cعربي'],
    ['a soft hyphen', 'Donau\u00ADdampf\u00ADschiff'],
    ['a zero width space in Khmer', 'ភាសា\u200Bខ្មែរ'],
    ['an ideograph with a variation', '葛\u{E0100}城市 辻\u{E0101}'],
    ['a text style', '☎\uFE0E'],
    ['Mongolian with a separator', 'ᠪᠠᠢᠨ\u180Eᠠ ᠭ\u180B'],
    ['Korean fillers', 'ㅤ이름\u1160'],
    ['Hebrew with cantillation', 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃ יְרוּשָׁלִַ֗͏ְ'],
    ['Vietnamese, decomposed', 'Tiếng Việt có dấu: Nguyễn Thị Diệu Ngọc'.normalize('NFD')],
    ['Tibetan', 'བོད་སྐད། སྒྲུབ་པ རྒྱུད་ ཧྐྵྨླྺྼྻྂ'],
    ['Devanagari', 'हिन्दी में क्षत्रिय कार्त्स्न्य, वाग्भिर्ऽ र्त्स्न्याँ'],
    ['Thai', 'ภาษาไทย ที่นี่มีน้ำ กู้ยืม ปั๊ม ญี่ปุ่น'],
    ['Burmese', 'မြန်မာဘာသာ ကျွန်ုပ် မြွှာ အုပ်ချုပ်'],
    ['Arabic with vowels', 'بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ'],
    ['Khmer', 'ខ្ញុំស្រឡាញ់ភាសាខ្មែរ ស្ត្រី'],
    ['Tamil', 'க்ஷ்மௌ தமிழ்'],
    ['phonetic letters', 'd͡ʒ ŋ̩̊ ɔ̃ː k͡p̚'],
    ['the eight marks of a letter', `a${'\u0301'.repeat(8)}b`],
    ['letters of private use', '\uF8FF Mac'],
  ])('%s is accepted in one line and in several', (_what, text) => {
    expect([fault(text), fault(text, false)]).toEqual([undefined, undefined]);
  });
});

describe('invisible characters without a meaning', () => {
  test.each(
    [
      ['0000', '001B', '007F', '009B', '202D', '202E', '2060', '2061', '2064', '2065', '206A', '206F'],
      ['D800', 'DFFF', 'FDD0', 'FDEF', 'FEFF', 'FFF0', 'FFF9', 'FFFB', 'FFFE', 'FFFF', '1FFFE', '10FFFF'],
      ['E0000', 'E0001', 'E0041', 'E007F', 'E0080', 'E01F0'],
    ].flat(),
  )('U+%s is refused by its number, in one line and in several', (code) => {
    const text = `a${String.fromCodePoint(Number.parseInt(code, 16))}b`;
    for (const isLine of [true, false]) expect(fault(text, isLine)).toBe(`${INVISIBLE}U+${code}`);
  });

  test.each([
    ['tags after a letter', 'ab\u{E0068}\u{E0069}', 'U+E0068'],
    ['a flag of no country', '🏴\u{E0068}\u{E0069}\u{E007F}', 'U+E0068'],
    ['a text behind a flag', '🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0068}', 'U+E0068'],
    ['a text of selectors behind an emoji', '😀\u{E0158}\u{E0155}', 'U+E0158'],
    ['a second selector behind an ideograph', '葛\u{E0100}\u{E0155}', 'U+E0155'],
    ['a selector of ideographs behind a flag', '葛🏴󠁧󠁢󠁥󠁮󠁧󠁿\u{E0100}', 'U+E0100'],
    ['a text of the first selectors', '❤\uFE06\uFE08\uFE06\uFE09', 'U+FE08'],
  ])('%s is refused', (_what, text, code) => {
    for (const isLine of [true, false]) expect(fault(text, isLine)).toBe(INVISIBLE + code);
  });

  test('embeddings and isolates are refused in one line only', () => {
    for (const character of '\u202A\u202B\u202C\u2066\u2067\u2068\u2069') {
      expect(fault(`a${character}b`)).toMatch(/^must not have the invisible character U\+20/);
      expect(fault(`a${character}b`, false)).toBeUndefined();
    }
  });

  test('five in a row are refused, of any kind', () => {
    for (const run of ['\u200B'.repeat(5), '\u200C\u200D\u200C\u200D\u200D', '\u200E\u200F\u200E\u200F\u200E\u200F']) {
      expect(fault(`a${run}b`, false)).toBe('must not have 5 invisible characters in a row');
    }
  });
});

test.each([
  ['nine', `a${'\u0301'.repeat(9)}`],
  ['ninety-six', `a${'\u0335\u0489\u0300'.repeat(32)}b`],
  ['nine, apart by joiners', `a${'\u0301\u0301\u0301\u200D'.repeat(3)}`],
  ['nine, apart by graphemes joiners', `a${'\u0301\u034F'.repeat(9)}`],
])('%s marks on a letter are refused', (_what, text) => {
  for (const isLine of [true, false]) expect(fault(text, isLine)).toBe('must not have more than 8 marks on one letter');
});

test('control characters, noncharacters and lone surrogates are removed, and everything else stays', () => {
  const kept = 'a\tb\nc\r\n\u2028\u202E\u{E0041} é 👩‍💻 \u{10FFFD}';
  expect(removeBroken(`\u0000\u001B\u009B${kept}\uFFFE\u{1FFFF}\uFDD0\uD800\uDC00x\uD800`)).toBe(
    `${kept}\uD800\uDC00x`,
  );
});
