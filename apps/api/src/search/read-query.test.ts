import { MAX_COUNTED_RESULTS } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { analyze } from './analyze.ts';
import { matchAll } from './candidates.ts';
import { readQuery } from './read-query.ts';
import { Vocabulary } from './vocabulary.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `w${'abcdefghijklmnop'[index]}x`);
const read = (text: string) =>
  readQuery(text)?.chunks.map(({ terms, joined }) => [terms.map((term) => term.text), joined?.text]);

test.each([' ', '-', '_', '.'])('ten words of a search count, with %j between them', (separator) => {
  expect(read(words(14).join(separator))?.flatMap(([terms]) => terms)).toEqual(words(10));
});

test('ten words count in all, however they are spread over chunks', () => {
  const [a, b, c, ...rest] = words(14);
  expect(read(`${a}-${b}-${c} ${rest.join('.')}`)).toEqual([
    [[a, b, c], `${a}${b}${c}`],
    [rest.slice(0, 7), undefined],
  ]);
});

test('a word counts once in a chunk, where it is the last', () => {
  expect(read('ing-ing-ing_ing.ing')).toEqual([[['ing'], undefined]]);
  expect(read('go-fast-go')).toEqual([[['fast', 'go'], 'gofastgo']]);
  expect(readQuery('go-fast-go')?.chunks[0]?.terms.map(({ isLast }) => isLast)).toEqual([false, true]);
});

test('a last word that more agents use than are counted is not the beginning of another', () => {
  const vocabulary = new Vocabulary();
  const isUnfinished = () =>
    readQuery('to translate', vocabulary)
      ?.chunks.at(-1)
      ?.terms.map(({ isLast }) => isLast);
  for (let agent = 0; agent < MAX_COUNTED_RESULTS; agent += 1) vocabulary.add(['translate']);
  expect(isUnfinished()).toEqual([true]);
  vocabulary.add(['translate']);
  expect(isUnfinished()).toEqual([false]);
});

test('of a long text the ten rarest words that agents use count, in their order', () => {
  const vocabulary = new Vocabulary();
  const [frequent, unused, ...rest] = words(12) as [string, string, ...string[]];
  for (let agent = 0; agent < 3; agent += 1) vocabulary.add([frequent]);
  vocabulary.add(rest);
  const text = [frequent, unused, ...rest].join(' ');
  expect(readQuery(text, vocabulary)?.chunks.flatMap(({ terms }) => terms.map((term) => term.text))).toEqual(rest);
});

test.each([
  ['one character', () => '한'],
  ['different characters', (index: number) => String.fromCharCode(0xac00 + index)],
])('a pasted text without blanks, of %s, is a query with a bounded number of conditions', (_what, toCharacter) => {
  const text = Array.from({ length: 2_000 }, (_, index) => toCharacter(index)).join('');
  const query = readQuery(text);
  expect(JSON.stringify(query && matchAll(query, 'forms')).match(/"token"/g)?.length).toBeLessThanOrEqual(300);
});

test.each([
  ["what's the weather", 'weather'],
  ["I'm bored and I'd dance", 'bored dance'],
  ["they've lost it, we're late, you'll wait", 'lost late wait'],
  ["don't sleep", 'sleep'],
  ["a photo that isn't blurry", 'photo blurry'],
  ["my boss's mails", 'boss mails'],
  ["l'histoire d'une ville", 'histoire ville'],
  ["qu'est-ce qu'une facture", 'facture'],
  ["j'apprends avec quelqu'un dans l'eau", 'apprends eau'],
  ["l'oroscopo dell'anno", 'oroscopo anno'],
  ["cos'è un'impresa", 'impresa'],
  ["copo d'água", 'copo agua'],
  ["zo'n foto's", 'foto'],
  ["wie geht's dem Garten", 'garten'],
  ["Ankara'da hava", 'ankara hava'],
])('no contraction and no elision of %j is a word, whichever mark it has: %j', (text, expected) => {
  for (const mark of ["'", '’', 'ʼ', '＇']) {
    const query = readQuery(text.replaceAll("'", mark));
    expect(query?.chunks.flatMap(({ terms }) => terms.map((term) => term.text)).join(' ')).toBe(expected);
  }
});

test('a text that is nothing but a contraction is searched as it is', () => {
  expect(read("don't")).toEqual([[['don', 't'], 'dont']]);
});

test.each(["L'Oréal", 'Rock’n’Roll', "O'Reilly"])('a name with an apostrophe is compared as a whole: %s', (text) => {
  expect(readQuery(text)?.name).toEqual(analyze(text));
});
