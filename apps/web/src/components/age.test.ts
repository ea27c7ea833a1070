import { expect, test } from 'vitest';
import { describeAge, isNew } from './age.ts';

const today = '2026-11-23';

test.each([
  ['2026-11-23T23:59:59.999Z', 'today'],
  ['2026-11-24T00:00:00.000Z', 'today'],
  ['2026-11-22T00:00:00.000Z', 'yesterday'],
  ['2026-10-24T12:00:00.000Z', '30 days ago'],
  ['2026-10-23T12:00:00.000Z', '1 month ago'],
  ['2026-09-02T12:00:00.000Z', '2 months ago'],
  ['2025-11-24T12:00:00.000Z', '11 months ago'],
  ['2025-11-22T12:00:00.000Z', '1 year ago'],
  ['2024-01-01T12:00:00.000Z', '2 years ago'],
])('%s is described as %s', (instant, age) => {
  expect(describeAge(instant, today)).toBe(age);
});

test('an agent is new for seven days', () => {
  expect(isNew('2026-11-17T00:00:00.000Z', today)).toBe(true);
  expect(isNew('2026-11-16T23:59:59.999Z', today)).toBe(false);
});
