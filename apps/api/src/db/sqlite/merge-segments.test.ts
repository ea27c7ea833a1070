import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import SQLite from 'better-sqlite3';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { createAgentStore } from '../../stores.ts';
import { openSqlite } from './engine.ts';
import { mergeSegments } from './token-index.ts';
import { engines } from '../../testing/engines.ts';

test('segments are merged into one, and searches find the same', async () => {
  const database = await engines[0].open();
  const connection = new SQLite(database.url.slice('file:'.length), { readonly: true });
  const countSegments = connection.prepare('SELECT count(DISTINCT segid) FROM agent_tokens_idx').pluck();
  const store = createAgentStore(database.engine);
  for (const name of ['Otter', 'Beaver', 'Otter Two']) await store.load([makeAgent({ name })]);
  expect(countSegments.get()).toBe(3);

  await mergeSegments(database.engine.db);
  expect(countSegments.get()).toBe(1);
  const found = await store.search({ text: 'otter' });
  expect(found?.agents.map(({ name }) => name)).toEqual(['Otter', 'Otter Two']);

  await mergeSegments(database.engine.db);
  expect(countSegments.get()).toBe(1);
  connection.close();
  await database.remove();
});

test('segments are merged while agents are registered', async () => {
  const database = await engines[0].open();
  const store = createAgentStore(database.engine);
  for (let index = 0; index < 60; index += 1) await store.load([makeAgent()]);
  const connection = new SQLite(database.url.slice('file:'.length), { readonly: true });
  const segments = connection.prepare('SELECT count(DISTINCT segid) FROM agent_tokens_idx').pluck().get();
  expect(segments).toBeLessThan(20);
  connection.close();
  await database.remove();
});

test('the error of a merge is told', async () => {
  const database = await engines[0].open();
  const errors: unknown[] = [];
  await sql`DROP TABLE agent_tokens`.execute(database.engine.db);
  const engine = openSqlite(database.url.slice('file:'.length), { onError: (error) => errors.push(error) });
  // Segments are merged once a process has begun to search.
  await expect(engine.search({ text: 'otter', limit: 1 })).rejects.toThrow();
  await expect.poll(() => String(errors), { timeout: 20_000 }).toContain('no such table: agent_tokens');
  await engine.close();
  expect(errors).toHaveLength(1);
  await database.remove();
});
