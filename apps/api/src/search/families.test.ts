import { expect, test } from 'vitest';
import { findFamily } from './families.ts';
import { Vocabulary } from './vocabulary.ts';

const vocabulary = new Vocabulary();
vocabulary.add(['paint', 'decision', 'biology', 'compare', 'plan', 'trade', 'act', 'numbers', 'translate', 'paint']);
vocabulary.add(['paint', 'paintor']);

test.each([
  ['painter', ['paint', 'paintor']],
  ['decide', ['decision']],
  ['biologist', ['biology']],
  ['comparison', ['compare']],
  ['planner', ['plan']],
  ['trader', ['trade']],
  ['actor', []],
  ['number', []],
  ['plan', []],
  ['художник', []],
])('words that agents use of the family of %s are %j, the most used first', (word, expected) => {
  expect(findFamily(word, vocabulary)).toEqual(expected);
});
