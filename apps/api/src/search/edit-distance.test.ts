import { expect, test } from 'vitest';
import { makeRandom } from '../testing/corpora.ts';
import { editDistance } from './forms.ts';

test.each([
  ['otter', 'otter', 0],
  ['otter', 'oter', 1],
  ['otter', 'ottter', 1],
  ['otter', 'ottar', 1],
  ['otter', 'toter', 1],
  ['otter', 'otetr', 1],
  ['otter', 'tter', 1],
  ['otter', 'xotter', 1],
  ['otter', 'eottr', 2],
  ['summary', 'sumery', 2],
  ['', 'ab', 2],
  ['x'.repeat(65), 'x'.repeat(65), 0],
])('%j and %j are %d apart, both ways', (from, to, edits) => {
  expect(editDistance(from, to, 2)).toBe(edits);
  expect(editDistance(to, from, 2)).toBe(edits);
});

test.each([
  ['otter', 'beaver'],
  ['otter', 'ot'],
  ['abcdef', 'fedcba'],
])('%j and %j are more than two apart', (from, to) => {
  expect(editDistance(from, to, 2)).toBeGreaterThan(2);
});

test('the distance of random words equals the full table of distances', () => {
  const random = makeRandom(7);
  const makeWord = () =>
    Array.from({ length: Math.floor(random() * 7) }, () => 'abc'[Math.floor(random() * 3)]).join('');
  for (let round = 0; round < 3_000; round += 1) {
    const [from, to] = [makeWord(), makeWord()];
    const whole = distanceByTable(from, to);
    for (const limit of [1, 2]) {
      const edits = editDistance(from, to, limit);
      expect(edits <= limit ? edits : 'more', `${from} and ${to} within ${limit}`).toBe(
        whole <= limit ? whole : 'more',
      );
    }
  }
});

/** The same distance by its definition, without limits. */
function distanceByTable(from: string, to: string): number {
  const table = new Map<string, number>();
  const at = (row: number, column: number): number => table.get(`${row} ${column}`) ?? Number.POSITIVE_INFINITY;
  for (let row = 0; row <= from.length; row += 1) {
    for (let column = 0; column <= to.length; column += 1) {
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const edits = Math.min(
        row === 0 ? column : at(row - 1, column) + 1,
        column === 0 ? row : at(row, column - 1) + 1,
        row > 0 && column > 0 ? at(row - 1, column - 1) + (from[row - 1] === to[column - 1] ? 0 : 1) : Infinity,
        isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
      );
      table.set(`${row} ${column}`, edits);
    }
  }
  return at(from.length, to.length);
}
