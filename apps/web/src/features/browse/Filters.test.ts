import { expect, test } from 'vitest';
import { listPeriods } from './Filters.tsx';

test.each([
  ['2026-11-26', ['2026-11-19', '2026-10-26', '2025-11-26']],
  ['2026-03-31', ['2026-03-24', '2026-02-28', '2025-03-31']],
  ['2026-05-31', ['2026-05-24', '2026-04-30', '2025-05-31']],
  ['2026-01-03', ['2025-12-27', '2025-12-03', '2025-01-03']],
  ['2028-02-29', ['2028-02-22', '2028-01-29', '2027-02-28']],
])('on %s a week, a month and a year ago are %j', (today, days) => {
  expect(listPeriods(today).map(({ value }) => value)).toEqual(days);
});
