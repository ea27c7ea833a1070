import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { openDatabase, type OpenDatabase } from '../db/open-database.ts';
import type { SearchSession } from './search.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

let database: TestDatabase;
let counted: OpenDatabase;
let statements = 0;

beforeAll(async () => {
  database = await engines[1].open();
  await createAgentStore(database.engine).load([makeAgent({ name: 'Otter Ferry' }), makeAgent({ name: 'Beaver' })]);
  counted = await openDatabase(database.url, { onQuery: () => (statements += 1) });
});

afterAll(async () => {
  await counted.engine.close();
  await database.remove();
});

async function count(call: () => Promise<unknown>): Promise<number> {
  const before = statements;
  await call();
  return statements - before;
}

test('the searches of one request plan a text once', async () => {
  const store = createAgentStore(counted.engine);
  const search = { text: 'oter fery', limit: 20 };
  const facets = { text: search.text };
  const searchAlone = await count(() => store.search(search));
  const facetsAlone = await count(() => store.countFacets(facets));
  const session: SearchSession = { plans: new Map(), unknownTerms: 0 };
  const both = await count(() =>
    Promise.all([store.search({ ...search, session }), store.countFacets({ ...facets, session })]),
  );
  expect(both - searchAlone).toBeLessThan(facetsAlone / 2);
  const [one, other] = await Promise.all([
    store.search({ ...search, session }),
    store.search({ ...search, text: 'beavr', session }),
  ]);
  expect([one?.correction, other?.correction]).toEqual(['otter ferry', 'beaver']);
});
