import { MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { expect, test } from 'vitest';
import { parseBrowseParams, toBrowsePath } from './browse-params.ts';

test('only a search is asked for as typed', () => {
  const path = toBrowsePath({ text: 'emial', correct: false });
  expect(parseBrowseParams(new URL(path, 'http://localhost').searchParams)).toMatchObject({ correct: false });
  expect(toBrowsePath({ text: '', correct: false })).toBe('/');
});

test.each(['a', '😀', '日'])('a text of %s is cut where the registry takes no more characters', (character) => {
  const typed = character.repeat(MAX_SEARCH_LENGTH + 1);
  const { text } = parseBrowseParams(new URL(toBrowsePath({ text: typed }), 'http://localhost').searchParams);
  expect(text).toBe(character.repeat(MAX_SEARCH_LENGTH));
});
