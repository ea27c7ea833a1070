import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { compileCache } from './testing/processes.ts';

type Walk = { status: number; files: string[] };

/** The most source files, without those of the worker that writes a SQLite file; lower them with each file that goes. On a busy machine an answer of the worker falls into a search. */
const LIMITS = { search: 52, register: 45 };

test('a search and a registration run through few source files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-walks-'));
  const args = [
    fileURLToPath(new URL('./testing/walk-process.ts', import.meta.url)),
    `file:${join(folder, 'registry.db')}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { ...process.env, ...compileCache } });
  await rm(folder, { recursive: true });
  const { search, register } = JSON.parse(stdout) as Record<keyof typeof LIMITS, Walk>;
  expect([search.status, register.status]).toEqual([200, 201]);
  // As lists, so that a failure names the files.
  expect(search.files).toEqual(search.files.slice(0, LIMITS.search));
  expect(register.files).toEqual(register.files.slice(0, LIMITS.register));
});
