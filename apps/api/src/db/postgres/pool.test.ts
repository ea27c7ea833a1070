import { expect, test } from 'vitest';
import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';
import { toOutage } from './pool.ts';

test.each([
  ['ECONNREFUSED', DatabaseUnavailableError],
  ['08006', DatabaseUnavailableError],
  ['25006', DatabaseUnwritableError],
  ['53100', DatabaseUnwritableError],
  ['53200', DatabaseUnavailableError],
  ['57P05', DatabaseUnavailableError],
  // The server itself has failed: a file or a library is missing or of another version, an index is corrupt.
  ['58000', DatabaseUnavailableError],
  ['58P01', DatabaseUnavailableError],
  ['XX000', DatabaseUnavailableError],
  ['XX002', DatabaseUnavailableError],
])('an error with the code %s is an outage', (code, outage) => {
  expect(toOutage(Object.assign(new Error('broken'), { code }))).toBeInstanceOf(outage);
});

test.each(['22021', '23505', '42P01', 'P0001'])('an error with the code %s stays itself', (code) => {
  const error = Object.assign(new Error('wrong'), { code });
  expect(toOutage(error)).toBe(error);
});
