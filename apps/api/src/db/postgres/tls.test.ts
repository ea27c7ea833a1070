import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createTestPostgres, type TestPostgres } from '../../testing/postgres.ts';
import { certificate } from '../../testing/tls-certificate.ts';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { openDatabase } from '../open-database.ts';

let server: TestPostgres;
let folder: string;
let authority: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  authority = join(folder, 'ca.crt');
  await writeFile(authority, certificate);
  server = await createTestPostgres();
  await server.start();
});

afterAll(async () => {
  await server.remove();
  await rm(folder, { recursive: true });
});

/** Opens the database with these parameters of its URL; tells whether the connection is encrypted. */
async function open(parameters: Record<string, string>, host = '127.0.0.1'): Promise<boolean | undefined> {
  const url = new URL(server.url);
  url.hostname = host;
  url.search = new URLSearchParams(parameters).toString();
  const { engine } = await openDatabase(url.href);
  const { rows } = await sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(
    engine.db,
  );
  await engine.close();
  return rows[0]?.ssl;
}

test.each(['verify-full', 'require', 'verify-ca', 'prefer'])(
  'with sslmode=%s the connection is encrypted and checked, without a warning',
  async (sslmode) => {
    const warn = vi.spyOn(process, 'emitWarning');
    onTestFinished(() => warn.mockRestore());
    expect(await open({ sslmode, sslrootcert: authority })).toBe(true);
    // No public authority has signed the certificate, and it has no other name.
    await expect(open({ sslmode })).rejects.toThrow(/self-signed certificate/);
    await expect(open({ sslmode, sslrootcert: authority }, 'localhost')).rejects.toThrow(/does not match certificate/);
    expect(warn).not.toHaveBeenCalled();
    // One that has expired while the process runs is no error of ours.
    await expect(open({ sslmode })).rejects.toMatchObject({ cause: expect.any(DatabaseUnavailableError) });
  },
);

test('without a mode or with sslmode=disable nothing is encrypted, and no-verify checks nothing', async () => {
  expect(await open({})).toBe(false);
  expect(await open({ sslmode: 'disable' })).toBe(false);
  expect(await open({ sslmode: 'no-verify' })).toBe(true);
  expect(await open({ uselibpqcompat: 'true', sslmode: 'require' })).toBe(true);
});
