import { expect, test } from 'vitest';
import { Vocabulary } from './vocabulary.ts';

const words = ['otter', 'swiftotter', 'beaver', 'otters', 'badger', 'ottar', 'other', 'ütter'];

function makeVocabulary(terms: readonly string[] = words): Vocabulary {
  const vocabulary = new Vocabulary();
  vocabulary.add(terms);
  return vocabulary;
}

test('words that contain an infix are found up to a limit, the shortest first', () => {
  const vocabulary = makeVocabulary();
  expect(vocabulary.findContaining('otte', 9)).toEqual(['otter', 'otters', 'swiftotter']);
  expect(vocabulary.findContaining('otte', 2)).toEqual(['otter', 'otters']);
  expect(vocabulary.findContaining('ver', 9)).toEqual(['beaver']);
  expect(vocabulary.findContaining('erb', 9)).toEqual([]);
});

test('a word of two agents is found once', () => {
  const vocabulary = makeVocabulary(['otter', 'otter']);
  expect(vocabulary.findContaining('otte', 9)).toEqual(['otter']);
});

test('an empty vocabulary has nothing', () => {
  expect(new Vocabulary().findContaining('otter', 9)).toEqual([]);
});
