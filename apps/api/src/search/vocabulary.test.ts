import { expect, test } from 'vitest';
import { editDistance } from './edit-distance.ts';
import { Vocabulary } from './vocabulary.ts';

const words = ['otter', 'swiftotter', 'beaver', 'otters', 'badger', 'ottar', 'other', 'ütter'];

/** A vocabulary that came in two parts. */
function makeVocabulary(): Vocabulary {
  const vocabulary = new Vocabulary();
  vocabulary.add(words.slice(0, 3));
  vocabulary.add([]);
  vocabulary.add(words.slice(3));
  return vocabulary;
}

test('words that hold a part are found in the order in which they came, up to a limit', () => {
  const vocabulary = makeVocabulary();
  expect(vocabulary.findContaining('otte', 9)).toEqual(['otter', 'swiftotter', 'otters']);
  expect(vocabulary.findContaining('otte', 2)).toEqual(['otter', 'swiftotter']);
  expect(vocabulary.findContaining('ver', 9)).toEqual(['beaver']);
  expect(vocabulary.findContaining('erb', 9)).toEqual([]);
});

test('a word that holds a part twice is found once', () => {
  const vocabulary = new Vocabulary();
  vocabulary.add(['tomtom', 'tom']);
  expect(vocabulary.findContaining('tom', 9)).toEqual(['tomtom', 'tom']);
});

test('similar words are those within the edits, the nearest first, then those with the same first letter, without the word itself', () => {
  const vocabulary = makeVocabulary();
  expect(vocabulary.findSimilar('otter', 1, 9)).toEqual([
    { term: 'otters', edits: 1 },
    { term: 'ottar', edits: 1 },
    { term: 'other', edits: 1 },
    { term: 'ütter', edits: 1 },
  ]);
  expect(vocabulary.findSimilar('swfitoter', 2, 9)).toEqual([{ term: 'swiftotter', edits: 2 }]);
  expect(vocabulary.findSimilar('otter', 1, 1)).toEqual([{ term: 'otters', edits: 1 }]);
});

test('a word asked for again and again while words come finds each time what it would if all had been there before', () => {
  const growing = new Vocabulary();
  const coming = ['badger', 'ottar', 'swiftotter', 'otters', 'other', 'otterly', 'notter'];
  for (const [place, word] of coming.entries()) {
    growing.add([word]);
    const whole = new Vocabulary();
    whole.add(coming.slice(0, place + 1));
    for (const limit of [1, 2, 9]) {
      for (let time = 0; time < 2; time += 1) {
        expect(growing.findSimilar('otter', 1, limit)).toEqual(whole.findSimilar('otter', 1, limit));
        expect(growing.findContaining('otte', limit)).toEqual(whole.findContaining('otte', limit));
      }
    }
  }
  expect(growing.findSimilar('otter', 1, 9).map(({ term }) => term)).toEqual(['ottar', 'otters', 'other', 'notter']);
  expect(growing.findContaining('otte', 9)).toEqual(['swiftotter', 'otters', 'otterly', 'notter']);
});

test('an empty vocabulary has nothing', () => {
  expect(new Vocabulary().findContaining('otter', 9)).toEqual([]);
  expect(new Vocabulary().findSimilar('otter', 2, 9)).toEqual([]);
});

test('thousands of words find their place', () => {
  const vocabulary = new Vocabulary();
  for (let index = 0; index < 5_000; index += 1) vocabulary.add([`word${index}x`]);
  expect(vocabulary.findContaining('d4999x', 9)).toEqual(['word4999x']);
  expect(vocabulary.findSimilar('wordd4999x', 1, 9)).toEqual([{ term: 'word4999x', edits: 1 }]);
});

test('each of its misspellings finds a word, and nothing that is farther from it', () => {
  const vocabulary = makeVocabulary();
  const misspell = (word: string) =>
    Array.from(word).flatMap((_, at) => [
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}k${word.slice(at)}`,
      `${word.slice(0, at)}k${word.slice(at + 1)}`,
      word.slice(0, at) + (word[at + 1] ?? 'k') + word[at] + word.slice(at + 2),
    ]);
  for (const [word, maxEdits, misspellings] of [
    ['swiftotter', 2, misspell('swiftotter').flatMap(misspell)],
    ['beaver', 1, misspell('beaver').flatMap(misspell)],
  ] as const) {
    for (const typed of misspellings) {
      const edits = editDistance(typed, word, maxEdits);
      const found = vocabulary.findSimilar(typed, maxEdits, 9).some(({ term }) => term === word);
      expect({ typed, found }).toEqual({ typed, found: edits > 0 && edits <= maxEdits });
    }
  }
});
