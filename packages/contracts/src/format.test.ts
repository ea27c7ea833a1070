import { expect, test } from 'vitest';
import { formatCount } from './format.ts';

test('a count is written as in American English', () => {
  for (const count of [0, 7, 99, 100, 999, 1_000, 12_345, 999_999, 1_000_000, 12_345_678, 2 ** 53 - 1]) {
    expect(formatCount(count)).toBe(new Intl.NumberFormat('en-US').format(count));
  }
});
