import { expect, test } from 'vitest';
import { addCorrections, addForms, editDistance, findCorrections } from './forms.ts';
import { ranking } from './ranking.ts';
import { readQuery } from './read-query.ts';
import { Vocabulary } from './vocabulary.ts';

const words = ['otter', 'swiftotter', 'beaver', 'otters', 'badger', 'ottar', 'other', 'ütter'];

function makeVocabulary(terms: readonly string[] = words): Vocabulary {
  const vocabulary = new Vocabulary();
  vocabulary.add(terms);
  return vocabulary;
}

test('a word of two agents is found once', () => {
  expect(findCorrections('ottar', makeVocabulary(['otter', 'otter']))).toEqual([{ word: 'otter', edits: 1 }]);
});

test('similar words are within the edits: nearest first, then the same first letter, more agents, the alphabet', () => {
  const vocabulary = makeVocabulary();
  vocabulary.add(['otters']);
  expect(findCorrections('otter', vocabulary)).toEqual([
    { word: 'otters', edits: 1 },
    { word: 'other', edits: 1 },
    { word: 'ottar', edits: 1 },
    { word: 'ütter', edits: 1 },
  ]);
  expect(findCorrections('swfitoter', vocabulary)).toEqual([{ word: 'swiftotter', edits: 2 }]);
});

test('a word has one edit, from eight letters on two, and the six best corrections', () => {
  const vocabulary = makeVocabulary(['badgers', 'swiftotter', ...Array.from('abcdefgh', (letter) => `otte${letter}`)]);
  expect(findCorrections('badgres', vocabulary)).toEqual([{ word: 'badgers', edits: 1 }]);
  expect(findCorrections('badgxxs', vocabulary)).toEqual([]);
  expect(findCorrections('swiftxxter', vocabulary)).toEqual([{ word: 'swiftotter', edits: 2 }]);
  const corrections = Array.from('abcdef', (letter) => ({ word: `otte${letter}`, edits: 1 }));
  expect(findCorrections('otter', vocabulary)).toEqual(corrections);
  expect(corrections).toHaveLength(ranking.maxCorrections);
});

test('an empty vocabulary has no similar words', () => {
  expect(findCorrections('otter', new Vocabulary())).toEqual([]);
});

test('every misspelling within the edits finds its word, and no other misspelling does', () => {
  const vocabulary = makeVocabulary();
  const misspell = (word: string) =>
    Array.from(word).flatMap((_, at) => [
      word.slice(0, at) + word.slice(at + 1),
      `${word.slice(0, at)}k${word.slice(at)}`,
      `${word.slice(0, at)}k${word.slice(at + 1)}`,
      word.slice(0, at) + (word[at + 1] ?? 'k') + word[at] + word.slice(at + 2),
    ]);
  for (const word of ['swiftotter', 'beaver']) {
    for (const typed of misspell(word).flatMap(misspell)) {
      const maxEdits = typed.length < ranking.minLengthForEdits.two ? 1 : 2;
      const edits = editDistance(typed, word, maxEdits);
      const found = findCorrections(typed, vocabulary).some((similar) => similar.word === word);
      expect({ typed, found }).toEqual({ typed, found: edits > 0 && edits <= maxEdits });
    }
  }
});

test.each([
  ['a text by an', 'editor', 'editing'],
  ['an', 'editors', 'edit'],
  ['my', 'writer', 'write'],
  ['a', 'singer', 'singing'],
  ['a', 'planner', 'plans'],
  ['a', 'composer', 'composing'],
  ['a', 'coder', 'code'],
  ['un pour les', 'chanteur', 'chanter'],
  ['ich suche einen', 'schreiber', 'schreiben'],
  ['busco un para mi', 'editor', 'editar'],
])('for %s: %s and %s find each other', async (question, doer, verb) => {
  for (const [typed, other] of [
    [doer, verb],
    [verb, doer],
  ] as const) {
    const query = readQuery(`${question} ${typed}`)!;
    const { chunks } = await addForms(query, makeVocabulary([typed, other]));
    expect(chunks.flatMap(({ terms }) => terms.flatMap(({ forms }) => forms.stem))).toEqual([other]);
  }
});

test.each([
  ['career', 'care'],
  ['letter', 'lets'],
  ['user', 'us'],
  ['hoping', 'hops'],
])('%s and %s do not', async (one, other) => {
  const { chunks } = await addForms(readQuery(one)!, makeVocabulary([one, other]));
  expect(chunks[0]?.terms[0]?.forms.stem).toEqual([]);
});

test.each([
  ['argues', 'argument'],
  ['ships', 'shipment'],
  ['judges', 'judgment'],
  ['parents', 'parenthood'],
  ['neighbours', 'neighbourhood'],
])('%s, which no agent uses, is no slip and may stand for %s', async (word, derived) => {
  const vocabulary = makeVocabulary([derived, `x${derived}`]);
  const { corrected } = await addCorrections(readQuery(`who ${word}`)!, vocabulary);
  expect(corrected.chunks[0]?.terms[0]?.forms).toMatchObject({ infix: [derived], correction: [] });
});

test('a word that no agent uses is no noun of a doer', async () => {
  const { chunks } = await addForms(readQuery('reconcillor')!, makeVocabulary(['reconciler']));
  expect(chunks[0]?.terms[0]?.forms.stem).toEqual([]);
});
