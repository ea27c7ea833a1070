import { DatabaseError as PostgresError } from 'pg';
import { expect, test } from 'vitest';
import {
  DatabaseConflictError,
  DatabaseTimeoutError,
  DatabaseUnavailableError,
  DatabaseUnwritableError,
} from '../database-error.ts';
import { toOutage as toSqliteOutage } from './sqlite/connection.ts';
import { isPassing, isRead, toOutage } from './postgres/outages.ts';

const ofServer = (code: string) => Object.assign(new PostgresError('broken', 0, 'error'), { code });

/** A code of each class of SQLSTATE (PostgreSQL, appendix A), and whether it is no error of ours. */
test.each([
  ['08006', DatabaseUnavailableError],
  ['25006', DatabaseUnwritableError],
  ['25P03', DatabaseUnavailableError],
  ['25P04', DatabaseUnavailableError],
  ['28P01', DatabaseUnavailableError],
  ['3D000', DatabaseUnavailableError],
  ['40001', DatabaseConflictError],
  ['40003', DatabaseUnavailableError],
  ['40P01', DatabaseConflictError],
  ['42501', DatabaseUnavailableError],
  ['53000', DatabaseUnavailableError],
  ['53100', DatabaseUnwritableError],
  ['53200', DatabaseUnavailableError],
  ['53300', DatabaseUnavailableError],
  ['55000', DatabaseConflictError],
  ['55P03', DatabaseConflictError],
  ['57000', DatabaseUnavailableError],
  ['57014', DatabaseTimeoutError],
  ['57P01', DatabaseUnavailableError],
  ['57P05', DatabaseUnavailableError],
  // The server itself has failed: a file or a library is missing or of another version, an index is corrupt.
  ['58000', DatabaseUnavailableError],
  ['58P01', DatabaseUnavailableError],
  ['F0000', DatabaseUnavailableError],
  ['XX000', DatabaseUnavailableError],
  ['XX002', DatabaseUnavailableError],
])('an error of PostgreSQL with the code %s is an outage', (code, Outage) => {
  expect((toOutage(ofServer(code)) as Error).constructor).toBe(Outage);
});

test.each(
  '03000 09000 0A000 0F000 20000 21000 22021 23505 24000 25001 26000 2F000 34000 42P01 44000 54000 P0001 HV000'.split(
    ' ',
  ),
)('an error of PostgreSQL with the code %s stays itself', (code) => {
  const error = ofServer(code);
  expect(toOutage(error)).toBe(error);
});

test.each([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'EPROTO',
])('an error of the network with the code %s is an outage, and stays itself without a call of the system', (code) => {
  const error = Object.assign(new Error('broken'), { code });
  expect(toOutage(error)).toBe(error);
  expect(toOutage(Object.assign(error, { syscall: 'connect' }))).toBeInstanceOf(DatabaseUnavailableError);
});

test.each([
  ['SQLITE_BUSY_SNAPSHOT', DatabaseUnavailableError],
  ['SQLITE_LOCKED', DatabaseUnavailableError],
  ['SQLITE_PROTOCOL', DatabaseUnavailableError],
  ['SQLITE_PERM', DatabaseUnavailableError],
  ['SQLITE_IOERR_READ', DatabaseUnavailableError],
  ['SQLITE_CANTOPEN', DatabaseUnavailableError],
  ['SQLITE_NOMEM', DatabaseUnavailableError],
  ['SQLITE_FULL', DatabaseUnwritableError],
  ['SQLITE_READONLY', DatabaseUnwritableError],
])('an error of SQLite with the code %s is an outage', (code, Outage) => {
  expect(toSqliteOutage(Object.assign(new Error('broken'), { code }))).toBeInstanceOf(Outage);
});

test.each(['SQLITE_ERROR', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_MISMATCH', 'SQLITE_TOOBIG', 'SQLITE_RANGE'])(
  'an error of SQLite with the code %s stays itself',
  (code) => {
    const error = Object.assign(new Error('broken'), { code });
    expect(toSqliteOutage(error)).toBe(error);
  },
);

test('what passes is asked again: conflicts, lost connections and servers that restart', () => {
  const codes = ['08006', '40001', '40P01', '55P03', '57P01'];
  for (const code of codes) expect([code, isPassing(toOutage(ofServer(code)))]).toEqual([code, true]);
  for (const code of ['28P01', '42P01', '53300', '53100', '25006', '57014', 'XX001']) {
    expect([code, isPassing(toOutage(ofServer(code)))]).toEqual([code, false]);
  }
  expect(isPassing(toOutage(new Error('Connection terminated unexpectedly')))).toBe(true);
  expect(isPassing(toOutage(new Error('Query read timeout')))).toBe(false);
});

test.each<[statement: string, isReading: boolean]>([
  ['select "id", "updated_at" from "agents"', true],
  ['\n  SELECT sum(changes) FROM agent_counts', true],
  ['with found as (select 1) select * from found', true],
  ['with gone as (delete from "agents" returning id) select * from gone', false],
  ['select "id" from "agents" for update', false],
  ["SELECT nextval('seq')", false],
  ['insert into "agents" ("id") select $1', false],
  ['update "agents" set "name" = $1', false],
  ['delete from "agents"', false],
  ['begin', false],
  ['commit', false],
])('of %j it is known whether it only reads', (statement, isReading) => {
  expect(isRead(statement)).toBe(isReading);
});
