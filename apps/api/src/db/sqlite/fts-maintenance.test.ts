import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import SQLite from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createKyselyAgentStore } from '../../agents/kysely-agent-store.ts';
import { tidyTokens } from './fts-maintenance.ts';
import { engines } from '../../testing/engines.ts';

test('what was written in pieces is one piece afterwards, and is found as before', async () => {
  const database = await engines[0].open();
  const connection = new SQLite(database.url.slice('file:'.length), { readonly: true });
  const countPieces = connection.prepare('SELECT count(DISTINCT segid) FROM agent_tokens_idx').pluck();
  const store = createKyselyAgentStore(database.engine);
  for (const name of ['Otter', 'Beaver', 'Otter Two']) await store.load([makeAgent({ name })]);
  expect(countPieces.get()).toBe(3);

  await tidyTokens(database.engine.db);
  expect(countPieces.get()).toBe(1);
  const found = await store.search({ text: 'otter' });
  expect(found?.agents.map(({ name }) => name)).toEqual(['Otter', 'Otter Two']);

  await tidyTokens(database.engine.db);
  expect(countPieces.get()).toBe(1);
  connection.close();
  await database.remove();
});

test('what is written in very many pieces is merged into few while it is written', async () => {
  const database = await engines[0].open();
  const store = createKyselyAgentStore(database.engine);
  for (let index = 0; index < 60; index += 1) await store.load([makeAgent()]);
  const connection = new SQLite(database.url.slice('file:'.length), { readonly: true });
  const pieces = connection.prepare('SELECT count(DISTINCT segid) FROM agent_tokens_idx').pluck().get();
  expect(pieces).toBeLessThan(20);
  connection.close();
  await database.remove();
});
