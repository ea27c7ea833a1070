import { expect, test } from 'vitest';
import { findSynonyms, synonymGroups } from './synonyms.ts';

const groups = synonymGroups.map((group) => group.split(', '));

test('a group has different phrases, one of which is a word', () => {
  for (const group of groups) {
    expect(group.length).toBeGreaterThan(1);
    expect(new Set(group).size).toBe(group.length);
    expect(group.some((phrase) => !phrase.includes(' '))).toBe(true);
  }
});

test('a word finds all others of its group, and none twice', () => {
  for (const group of groups) {
    for (const word of group.filter((phrase) => !phrase.includes(' '))) {
      const found = findSynonyms(word).map((phrase) => phrase.join(' '));
      expect(found).toEqual(expect.arrayContaining(group.filter((phrase) => phrase !== word)));
      expect(new Set(found).size).toBe(found.length);
      expect(found).not.toContain(word);
    }
  }
});
