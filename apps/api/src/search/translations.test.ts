import { fold } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { findSynonyms, findTranslations, translationRows } from './languages.ts';
import synonymGroups from './words/synonyms.json' with { type: 'json' };
import tables from './words/translations.json' with { type: 'json' };

const { rows } = tables;

const allPhrases = new Set(translationRows.flatMap(({ english }) => english.map((phrase) => phrase.join(' '))));

test.each(rows.map((row) => [row.split(',')[0], row]))('%s has a cell for each language', (_concept, row) => {
  expect(row).toMatch(/^[a-z0-9]+(,? [a-z0-9]+)*: [^|: ]+( [^|: ]+)*( \| [^|: ]+( [^|: ]+)*){14}$/u);
});

test('every concept has words in Chinese, Japanese, Korean and Russian, and in other languages unless they use the English one', () => {
  const lacking = (['chinese', 'japanese', 'korean', 'russian'] as const).flatMap((language) =>
    translationRows.filter(({ words }) => words[language]?.length === 0).map(({ english }) => [language, english[0]]),
  );
  expect(lacking).toEqual([]);
  for (const language of tables.languages) {
    const without = translationRows.filter(({ words }) => words[language]?.length === 0);
    expect(without.length).toBeLessThanOrEqual(translationRows.length / 20);
  }
});

test('a concept is in one row, by at most six English phrases', () => {
  for (const { english } of translationRows) expect(english.length).toBeLessThanOrEqual(6);
  const concepts = translationRows.map(({ english }) => english[0]?.join(' '));
  expect(concepts.filter((concept, at) => concepts.indexOf(concept) !== at)).toEqual([]);
});

test('a word stands once in a language of a row, and is no English word of the tables', () => {
  const wrong = translationRows.flatMap(({ words }) =>
    tables.languages.flatMap((language) =>
      words[language]?.filter((word, at, all) => all.indexOf(word) !== at || allPhrases.has(word)),
    ),
  );
  expect(wrong).toEqual([]);
});

test('every word is found as it is folded, with all English words of its row', () => {
  const lost = translationRows.flatMap(({ english, words }) =>
    Object.values(words)
      .flat()
      .filter((word) => {
        const found = new Set(findTranslations(fold(word)).map((phrase) => phrase.join(' ')));
        return !english.every((phrase) => found.has(phrase.join(' ')));
      }),
  );
  expect(lost).toEqual([]);
});

test('a word means two things at most, and finds no English words twice', () => {
  const meanings = new Map<string, number>();
  for (const { words } of translationRows) {
    for (const word of new Set(Object.values(words).flat())) meanings.set(word, (meanings.get(word) ?? 0) + 1);
  }
  expect([...meanings].filter(([, rowCount]) => rowCount > 2)).toEqual([]);
  const repeated = [...meanings.keys()].filter((word) => {
    const found = findTranslations(word).map((phrase) => phrase.join(' '));
    return new Set(found).size !== found.length;
  });
  expect(repeated).toEqual([]);
});

const groups = synonymGroups.map((group) => group.split(', '));

test('a group of synonyms has different phrases, one of which is a word', () => {
  for (const group of groups) {
    expect(group.length).toBeGreaterThan(1);
    expect(new Set(group).size).toBe(group.length);
    expect(group.some((phrase) => !phrase.includes(' '))).toBe(true);
  }
});

test('a word finds all other synonyms of its group, and none twice', () => {
  for (const group of groups) {
    for (const word of group.filter((phrase) => !phrase.includes(' '))) {
      const found = findSynonyms(word).map((phrase) => phrase.join(' '));
      expect(found).toEqual(expect.arrayContaining(group.filter((phrase) => phrase !== word)));
      expect(new Set(found).size).toBe(found.length);
      expect(found).not.toContain(word);
    }
  }
});
