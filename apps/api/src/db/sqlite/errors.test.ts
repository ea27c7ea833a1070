import { expect, test } from 'vitest';
import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';
import { DatabaseDamagedError, toOutage } from './errors.ts';

test.each([
  ['SQLITE_FULL', DatabaseUnwritableError],
  ['SQLITE_READONLY_DBMOVED', DatabaseUnwritableError],
  ['SQLITE_BUSY', DatabaseUnavailableError],
  ['SQLITE_CANTOPEN', DatabaseUnavailableError],
  ['SQLITE_CORRUPT_VTAB', DatabaseDamagedError],
  // A thread of the database could not start.
  ['ERR_WORKER_INIT_FAILED', DatabaseUnavailableError],
  ['EMFILE', DatabaseUnavailableError],
])('an error with the code %s is an outage', (code, outage) => {
  const error = Object.assign(new Error('broken'), { code });
  expect(toOutage(error)).toBeInstanceOf(outage);
  expect(toOutage(new Error('a thread has failed', { cause: error }))).toBeInstanceOf(outage);
});

test('any other error stays itself', () => {
  const error = Object.assign(new Error('no such column'), { code: 'SQLITE_ERROR' });
  expect(toOutage(error)).toBe(error);
});
