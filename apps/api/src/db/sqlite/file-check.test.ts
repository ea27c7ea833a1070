import { copyFile, mkdtemp, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type SQLite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DatabaseUnavailableError, DatabaseUnwritableError } from '../../database-error.ts';
import { openSqliteFile, DatabaseDamagedError, createFileCheck, toOutage } from './connection.ts';

let folder: string;
let file: string;
let database: SQLite.Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  file = join(folder, 'registry.db');
  database = openSqliteFile(file);
});

afterEach(async () => {
  database.close();
  await rm(folder, { recursive: true });
});

function errorOf(check: () => void): unknown {
  try {
    check();
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each(['', '-wal', '-shm'])('registry.db%s that is moved fails with one error until it is back', async (suffix) => {
  const { check } = createFileCheck(file);
  expect(errorOf(check)).toBeUndefined();
  await rename(file + suffix, join(folder, 'elsewhere'));
  const error = errorOf(check);
  expect(error).toBeInstanceOf(DatabaseUnavailableError);
  expect((error as Error).message).toContain(`${file}${suffix} was deleted or replaced`);
  // Another file with the same content is not the open one.
  await copyFile(join(folder, 'elsewhere'), file + suffix);
  expect(errorOf(check)).toBe(error);
  await rename(join(folder, 'elsewhere'), file + suffix);
  expect(errorOf(check)).toBeUndefined();
});

test.each(['to nothing', 'by half'])('a file that is cut %s fails with one error', async (by) => {
  fillTable();
  const { check } = createFileCheck(file);
  check();
  const content = await readFile(file);
  const size = by === 'by half' ? content.length / 2 : 0;
  await truncate(file, size);
  const error = errorOf(check);
  expect(error).toBeInstanceOf(DatabaseDamagedError);
  expect((error as Error).message).toBe(`${file} was cut to ${size} bytes. Restore a backup.`);
  // Connections have other pages in memory by now.
  await writeFile(file, content);
  expect(errorOf(check)).toBe(error);
});

test('a file that VACUUM makes smaller does not fail', async () => {
  fillTable();
  const { check } = createFileCheck(file);
  check();
  const { length } = await readFile(file);
  database.exec('DELETE FROM texts; VACUUM');
  database.pragma('wal_checkpoint(TRUNCATE)');
  expect((await readFile(file)).length).toBeLessThan(length);
  check();
});

/** Writes some pages to the file. */
function fillTable(): void {
  database.exec('CREATE TABLE texts (text)');
  database.prepare('INSERT INTO texts VALUES (?)').run('x'.repeat(100_000));
  database.pragma('wal_checkpoint(TRUNCATE)');
}

test('a symbolic link may lead to the file, and not to another one later', async () => {
  const link = join(folder, 'link.db');
  await symlink(file, link);
  const { check } = createFileCheck(link);
  expect(errorOf(check)).toBeUndefined();
  await rm(link);
  await copyFile(file, join(folder, 'other.db'));
  await symlink(join(folder, 'other.db'), link);
  expect(errorOf(check)).toBeInstanceOf(DatabaseUnavailableError);
});

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
