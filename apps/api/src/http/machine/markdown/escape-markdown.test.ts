import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readMarkdown } from '../../../testing/read-markdown.ts';
import { codeMarkdown, escapeMarkdown, linkMarkdown, listMarkdown, quoteMarkdown } from './escape-markdown.ts';
import { runsAll } from '../../../testing/tier.ts';

/** Everything that means something in Markdown, and some of what does not. */
const PIECES = [
  ...Array.from('\\`*_{}[]()<>#+-.!|~:&$^@=\'"/;%? 1aß登'),
  '1. ,10) ,- ,# ,> ,---,===,```,~~~,    ,[ ] ,[^1],![,](,</,<!--, | '.split(','),
  'https://,www.,a.example,mailto:,&amp;,&#x3C;,x@y.example,\u200F,\u{1F99D}'.split(','),
].flat();
const lines = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(''));
const toText = (line: string) => line.trim().replaceAll(/\s+/g, ' ');
const collapse = (texts: readonly string[]) => texts.map(toText);

test('any line stays one text, wherever it stands', () => {
  fc.assert(
    fc.property(lines, (line) => {
      const text = toText(line);
      fc.pre(text !== '');
      const escaped = escapeMarkdown(text);
      const places = [escaped, `# ${escaped}`, `> ${escaped}`, `- ${escaped}`, `Facts: ${escaped}, ${escaped}`];
      const { texts, elements, urls } = readMarkdown(places.join('\n\n'));
      expect(collapse(texts)).toEqual([text, text, text, text, `Facts: ${text}, ${text}`]);
      expect([...elements].toSorted()).toEqual(['blockquote', 'h1', 'li', 'p', 'ul']);
      expect(urls).toEqual([]);
      const code = readMarkdown(codeMarkdown(text));
      expect([collapse(code.texts), code.urls]).toEqual([[text], []]);
      const link = readMarkdown(linkMarkdown(text, 'https://registry.example/?q=a+b'));
      expect(link).toEqual({
        texts: [expect.anything()],
        elements: new Set(['p', 'a']),
        urls: ['https://registry.example/?q=a+b'],
      });
      expect(collapse(link.texts)).toEqual([text]);
    }),
    { numRuns: runsAll ? 500 : 100, seed: 38 },
  );
});

test('any lines stay one quotation', () => {
  fc.assert(
    fc.property(fc.array(lines, { minLength: 1, maxLength: 5 }), (all) => {
      const { texts, elements, urls } = readMarkdown(`Before\n\n${quoteMarkdown(all.join('\n'))}\n\nAfter`);
      const paragraphs = all.map(toText).join('\n').split(/\n\n+/);
      const expected = paragraphs.map((paragraph) => paragraph.trim()).filter(Boolean);
      expect(texts.map((text) => text.split('\n').map(toText).join('\n'))).toEqual(['Before', ...expected, 'After']);
      expect([...elements].filter((name) => !['p', 'br', 'blockquote'].includes(name))).toEqual([]);
      expect(urls).toEqual([]);
    }),
    { numRuns: runsAll ? 300 : 60, seed: 38 },
  );
});

test.each([
  ['a\u0000b\u001B[31mc\u202Ed\u2066e\u{E0041}', String.raw`abc`.replace('bc', String.raw`b\[31mcde`)],
  ['one\ttwo\nthree\u2028four', 'one two three four'],
  ['👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 שלום\u200F', '👩‍💻 🏴󠁧󠁢󠁥󠁮󠁧󠁿 שלום\u200F'],
])('%j loses only characters that nobody sees', (text, escaped) => {
  expect(escapeMarkdown(text)).toBe(escaped);
});

test('a list has an item for each text', () => {
  expect(readMarkdown(listMarkdown(['a', '1. b', '- c'].map(escapeMarkdown))).texts).toEqual(['a', '1. b', '- c']);
});
