import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { createKyselyAgentStore } from '../../agents/kysely-agent-store.ts';
import { createKyselyOperatorStore } from '../../agents/kysely-operator-store.ts';
import { buildApp } from '../../app.ts';
import { postJson } from '../../testing/test-app.ts';
import { createKyselyRateLimitStore } from '../../rate-limit/kysely-rate-limit-store.ts';
import { createKyselyViewStore } from '../../stats/kysely-view-store.ts';
import { createViewCounter } from '../../stats/view-counter.ts';
import { openDatabase } from '../open-database.ts';
import { createTestPostgres, type TestPostgres } from '../../testing/postgres.ts';

let server: TestPostgres;

beforeEach(async () => {
  server = await createTestPostgres();
  await server.start();
});

afterEach(() => server.remove());

test('while the server is away every call answers 503, and when it is back the process goes on, with nothing lost', async () => {
  const { engine } = await openDatabase(server.url);
  const views = createViewCounter({ store: createKyselyViewStore(engine), onError: () => {} });
  const app = await buildApp({
    agents: createKyselyAgentStore(engine),
    views,
    rateLimitStore: createKyselyRateLimitStore(engine),
    limits: { register: 1_000_000, registerGlobal: 0, read: 0 },
    webDir: '/no-web',
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const acknowledged: string[] = [];
  const register = async () => {
    const response = await postJson(`${url}/api/agents`, makeNewAgent());
    if (response.status === 201) acknowledged.push(((await response.json()) as Agent).id);
    return response;
  };
  const until = async (status: number) => {
    let response = await register();
    while (response.status !== status) {
      expect([201, 503]).toContain(response.status);
      response = await register();
    }
    return response;
  };

  await until(201);
  const [refused] = await Promise.all([until(503), server.stop()]);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.text()).toBe(
    'The registry cannot reach its database for the moment; please try again in a few seconds.',
  );
  for (const path of ['/api/agents', '/api/search?q=plain', '/api/stats', '/api/agents/category/vision']) {
    expect((await fetch(url + path)).status).toBe(503);
  }
  await server.start();
  await until(201);

  const stored = (await (await fetch(`${url}/api/agents`)).json()) as Agent[];
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
  await app.close();
  await views.close();
  await engine.close();
});

test('a statement that takes too long is ended, and says so as an outage', async () => {
  const { engine } = await openDatabase(server.url, {
    postgres: { poolSize: 2, statementTimeout: 1_000, connectTimeout: 5_000 },
  });
  const slow = sql`SELECT pg_sleep(30)`;
  await expect(slow.execute(engine.db)).rejects.toThrow('The database does not answer');
  await engine.close();
});

test('a connection that breaks between two statements fails its transaction, and nothing else', async () => {
  const { engine } = await openDatabase(server.url);
  const transaction = engine.db.transaction().execute(async (within) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(within);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(engine.db);
    await sql`SELECT 1`.execute(within);
  });
  await expect(transaction).rejects.toThrow('The database does not answer');
  expect((await sql`SELECT 1 AS one`.execute(engine.db)).rows).toEqual([{ one: 1 }]);
  await engine.close();
});

test('two processes that write the same categories in different orders at once both get through', async () => {
  const [{ engine: one }, { engine: other }] = [await openDatabase(server.url), await openDatabase(server.url)];
  const agentsOf = (...categories: Agent['category'][]) => categories.map((category) => makeAgent({ category }));
  const operator = createKyselyOperatorStore(one);
  const agents = createKyselyAgentStore(other);
  await agents.load(agentsOf('chatbot', 'vision', 'automation'));
  // What both count second is held, until both have counted what the other counts last.
  const holder = await one.db.startTransaction().execute();
  await sql`SELECT FROM agent_counts WHERE category = 'vision' FOR UPDATE`.execute(holder);
  const written = Promise.all([
    operator.add(agentsOf('chatbot', 'vision', 'automation')),
    agents.load(agentsOf('automation', 'vision', 'chatbot')),
  ]);
  written.catch(() => {});
  const waiting = async () => (await sql`SELECT FROM pg_locks WHERE NOT granted`.execute(one.db)).rows.length;
  await expect.poll(waiting).toBe(2);
  await holder.commit().execute();
  expect(await written).toEqual([['added', 'added', 'added'], undefined]);
  expect(await agents.countByCategory()).toMatchObject({ chatbot: 3, vision: 3, automation: 3 });
  for (const engine of [one, other]) await engine.close();
});
