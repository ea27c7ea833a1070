import { mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { postJson, startTestApp } from '../../testing/test-app.ts';
import { openDatabase } from '../open-database.ts';
import { openSqliteFile } from './connection.ts';

const HEADER_SIZE = 100;
const PAGE_SIZE = 4_096;

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  file = join(folder, 'registry.db');
});

afterEach(() => rm(folder, { recursive: true }));

/** Overwrites the bytes of the file from one position to another, by default to its end. */
async function damage(from: number, to?: number): Promise<void> {
  const length = (to ?? (await stat(file)).size) - from;
  const handle = await open(file, 'r+');
  await handle.write(Buffer.alloc(length, 'x'), 0, length, from);
  await handle.close();
}

test.each<[string, { damaged: [from: number, to?: number]; write: string; reason: RegExp }]>([
  [
    'header',
    {
      damaged: [0, HEADER_SIZE],
      write: 'UPDATE agent_counts SET changes = changes + 1',
      reason: /The database is damaged: file is not a database/,
    },
  ],
  [
    'table',
    {
      damaged: [PAGE_SIZE],
      write: 'PRAGMA user_version = 1',
      reason: /The database is damaged: database disk image is malformed/,
    },
  ],
])('a process whose database file has an overwritten %s is not ready', async (_part, { damaged, write, reason }) => {
  const lines: string[] = [];
  const { engine } = await openDatabase(`file:${file}`);
  const app = await startTestApp({
    agents: createAgentStore(engine),
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
  });
  const register = () => postJson(`${app.url}/api/agents`, makeNewAgent());
  expect((await register()).status).toBe(201);
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);

  const other = openSqliteFile(file);
  other.pragma('user_version = 0');
  other.prepare('UPDATE agent_counts SET changes = changes + 1').run();
  other.pragma('wal_checkpoint(TRUNCATE)');
  await damage(...damaged);
  // After a write by another connection, pages are read from the file again.
  other.exec(write);

  const statuses = [(await register()).status];
  for (const path of ['/readyz', '/api/agents', '/api/search?q=agent']) {
    statuses.push((await fetch(app.url + path)).status);
  }
  await app.close();
  other.close();
  await engine.close();
  expect(statuses).toEqual([503, 503, 503, 503]);
  expect(lines).not.toHaveLength(0);
  for (const line of lines) expect(line).toMatch(reason);
});

test('a process that has read a damaged page is not ready and refuses registrations, also where other pages are whole', async () => {
  const { engine } = await openDatabase(`file:${file}`);
  const app = await startTestApp({ agents: createAgentStore(engine) });
  const register = (description: string) => postJson(`${app.url}/api/agents`, makeNewAgent({ description }));
  const { id } = (await (await register('platypus '.repeat(200))).json()) as Agent;
  const other = openSqliteFile(file);
  other.pragma('wal_checkpoint(TRUNCATE)');
  const position = (await readFile(file)).indexOf('platypus platypus');
  const page = position - (position % PAGE_SIZE);
  await damage(page, page + PAGE_SIZE);
  other.pragma('user_version = 1');
  other.close();

  const status = async (path: string) => (await fetch(app.url + path)).status;
  const before = await status('/readyz');
  const read = await status(`/api/agents/${id}`);
  await expect.poll(() => status('/readyz')).toBe(503);
  const registration = await register('otter');
  await app.close();
  await engine.close();
  expect([before, read, registration.status]).toEqual([200, 503, 503]);
});

test('a process whose database file was emptied is not ready and refuses registrations', async () => {
  const { engine } = await openDatabase(`file:${file}`);
  const app = await startTestApp({ agents: createAgentStore(engine) });
  const register = async () => (await postJson(`${app.url}/api/agents`, makeNewAgent())).status;
  const before = await register();
  await truncate(file);
  const after = await register();
  // The file is checked a few times a second.
  await expect.poll(async () => (await fetch(`${app.url}/readyz`)).status).toBe(503);
  await app.close();
  await engine.close();
  expect([before, after]).toEqual([201, 503]);
});

test('a registration is answered 503 when the file was damaged before the first write', async () => {
  await openDatabase(`file:${file}`).then(({ engine }) => engine.close());
  const { engine } = await openDatabase(`file:${file}`);
  const app = await startTestApp({ agents: createAgentStore(engine) });
  await damage(0, HEADER_SIZE);
  const responses = [];
  for (let index = 0; index < 2; index += 1) responses.push(await postJson(`${app.url}/api/agents`, makeNewAgent()));
  const answers = await Promise.all(responses.map(async (response) => [response.status, await response.text()]));
  await app.close();
  await engine.close();
  const sentence = expect.stringMatching(/^The registry cannot reach its database for the moment; /) as string;
  expect(answers).toEqual([
    [503, sentence],
    [503, sentence],
  ]);
});
