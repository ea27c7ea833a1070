import { expect, test } from 'vitest';
import { parseVisit, rollOver } from './visit.ts';

test.each([
  ['no visit before', undefined, { seenAt: '2026-11-26T10:00:00.000Z' }],
  [
    'a pause of 30 minutes',
    { seenAt: '2026-11-26T09:30:00.000Z', since: '2026-11-18' },
    { seenAt: '2026-11-26T10:00:00.000Z', since: '2026-11-18' },
  ],
  [
    'a longer pause on the same day',
    { seenAt: '2026-11-26T09:29:59.999Z', since: '2026-11-18' },
    { seenAt: '2026-11-26T10:00:00.000Z' },
  ],
  [
    'a visit on an earlier day',
    { seenAt: '2026-11-18T23:59:59.000Z', since: '2026-10-01' },
    { seenAt: '2026-11-26T10:00:00.000Z', since: '2026-11-18' },
  ],
  [
    'a clock that was set back',
    { seenAt: '2026-12-24T10:00:00.000Z', since: '2026-11-18' },
    { seenAt: '2026-11-26T10:00:00.000Z', since: '2026-11-18' },
  ],
])('after %s', (_name, visit, next) => {
  expect(rollOver(visit, new Date('2026-11-26T10:00:00Z'))).toEqual(next);
});

test('a visit over midnight is one', () => {
  const visit = { seenAt: '2026-11-25T23:50:00.000Z', since: '2026-11-18' };
  expect(rollOver(visit, new Date('2026-11-26T00:10:00Z')).since).toBe('2026-11-18');
});

test.each([
  [{ seenAt: '2026-11-26T10:00:00.000Z', since: '2026-11-18' }, true],
  [{ seenAt: '2026-11-26T10:00:00.000Z' }, true],
  [{ seenAt: '2026-11-26T10:00:00.000Z', since: '2026-02-30' }, false],
  [{ seenAt: '2026-11-26T10:00:00.000Z', isHidden: true }, false],
])('of %j, all is parsed: %s', (stored, isWhole) => {
  const visit = parseVisit(stored);
  expect(visit).toEqual(isWhole ? stored : { seenAt: stored.seenAt });
});

test.each([null, {}, { seenAt: 'yesterday' }, { seenAt: {} }])('%j is no visit', (stored) => {
  expect(() => parseVisit(stored)).toThrow();
});
