import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { createAgentStore } from '../../stores.ts';
import { createChangeStore } from '../../changes/change-log.ts';
import { buildApp } from '../../app.ts';
import { createRateLimitStore } from '../../rate-limit/rate-limit-store.ts';
import { createViewStore, createViewCounter } from '../../stats/view-store.ts';
import { createPublicationStore } from '../../publisher/publication-store.ts';
import { createServerStore } from '../../servers/server-store.ts';
import { createSourceStore } from '../../sync/source-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { createTestPostgres, type TestPostgres } from '../../testing/postgres.ts';
import { startServerProcess } from '../../testing/processes.ts';
import { startTcpProxy } from '../../testing/tcp-proxy.ts';
import { postJson, send, startTestApp, type RawRequest } from '../../testing/test-app.ts';
import { DatabaseConflictError } from '../../database-error.ts';
import { openDatabase } from '../open-database.ts';
import { runsAll } from '../../testing/tier.ts';

const UNAVAILABLE = 'The registry cannot reach its database for the moment; please try again in a few seconds.';
const UNWRITABLE = 'The registry can be read, but cannot store anything for the moment; please try again later.';

const quick = { DATABASE_POOL_SIZE: 4, DATABASE_STATEMENT_TIMEOUT: 500, connectTimeout: 500 };
const READS = ['/api/agents', '/api/search?q=plain', '/api/stats', '/api/agents/category/vision?limit=200'];

/** A server of its own, for tests that stop it. */
let server: TestPostgres;

beforeAll(async () => {
  server = await createTestPostgres();
  await server.start();
});

afterAll(() => server.remove());

async function openSharedDatabase(): Promise<TestDatabase> {
  const database = await engines[1].open();
  onTestFinished(() => database.remove());
  return database;
}

/** Starts an application over a database, by default with short timeouts. */
async function startApp(databaseUrl: string, postgres = quick) {
  const { engine } = await openDatabase(databaseUrl, { postgres });
  const views = createViewCounter({ store: createViewStore(engine), onError: () => {} });
  const app = await buildApp({
    stores: {
      agents: createAgentStore(engine),
      changes: createChangeStore(engine.db),
      sources: createSourceStore(engine),
      servers: createServerStore(engine),
      publications: createPublicationStore(engine),
      views,
    },
    rateLimitStore: createRateLimitStore(engine),
    REGISTER_LIMIT: 1_000_000,
    REGISTER_LIMIT_GLOBAL: 0,
    editLimit: 0,
    READ_LIMIT: 0,
    writeBytesPerDay: 0,
    webDir: '/no-web',
    // Each read needs the database.
    CACHE_SIZE: 0,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.close();
    await engine.close();
  });
  return {
    read: (path: string) => fetch(url + path),
    readStatus: async (path: string) => (await fetch(url + path)).status,
    register: () => postJson(`${url}/api/agents`, makeNewAgent()),
  };
}

/** Starts a proxy before the server of a URL; returns the URL of the proxy. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const proxy = await startTcpProxy(Number(url.port));
  onTestFinished(() => proxy.close());
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

test('calls get 503 while the server is stopped, and succeed after its restart, with nothing lost', async () => {
  const app = await startApp(server.url);
  const acknowledged: string[] = [];
  const until = async (status: number) => {
    for (;;) {
      const response = await app.register();
      if (response.status === 201) acknowledged.push(((await response.clone().json()) as Agent).id);
      if (response.status === status) return response;
      expect([201, 503]).toContain(response.status);
    }
  };

  await until(201);
  const [refused] = await Promise.all([until(503), server.stop()]);
  expect(refused.headers.get('retry-after')).toBe('5');
  expect(await refused.text()).toBe(UNAVAILABLE);
  for (const path of READS) expect(await app.readStatus(path)).toBe(503);
  await server.start();
  await until(201);

  const stored = (await (await app.read('/api/agents')).json()) as Agent[];
  expect(stored.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged));
});

test.runIf(runsAll)('calls get 503 while the server is paused, and succeed once it resumes', async () => {
  const app = await startApp(server.url);
  expect(await app.readStatus('/readyz')).toBe(200);
  await server.pause();
  const statuses = await Promise.all([...READS, '/readyz'].map((path) => app.readStatus(path)));
  expect(statuses).toEqual(statuses.map(() => 503));
  expect(await (await app.register()).text()).toBe(UNAVAILABLE);
  server.resume();
  for (const path of [...READS, '/readyz']) expect(await app.readStatus(path)).toBe(200);
  expect((await app.register()).status).toBe(201);
});

test('calls get 503 while the server cannot load its procedural language, as after an upgrade', async () => {
  const database = await openSharedDatabase();
  const { db } = database.engine;
  const setLibrary = (path: string) =>
    sql`UPDATE pg_proc SET probin = ${path} WHERE proname LIKE 'plpgsql%' AND probin IS NOT NULL`.execute(db);
  await setLibrary('$libdir/none');
  const app = await startApp(database.url);
  const refused = await app.register();
  expect([refused.status, await refused.text()]).toEqual([503, UNAVAILABLE]);
  await setLibrary('$libdir/plpgsql');
  expect((await app.register()).status).toBe(201);
});

test.runIf(runsAll)(
  'while the server is paused, every surface keeps one limit for all that a request needs',
  async () => {
    // Far longer limits of their own, which no request may wait for.
    const postgres = { DATABASE_POOL_SIZE: 4, DATABASE_STATEMENT_TIMEOUT: 600_000, connectTimeout: 600_000 };
    const { engine } = await openDatabase(server.url, { postgres });
    onTestFinished(() => engine.close());
    const app = await startTestApp({
      database: { engine },
      withSite: true,
      PUBLIC_URL: 'https://registry.example',
      DATABASE_STATEMENT_TIMEOUT: 500,
      CACHE_SIZE: 0,
      REGISTER_LIMIT: 1_000,
      editLimit: 1_000,
    });
    onTestFinished(() => app.close());
    const { id } = (await (await postJson(`${app.url}/api/agents`, makeNewAgent())).json()) as Agent;
    const json = { 'content-type': 'application/json' };
    const mcp = { ...json, accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' };
    const call = { method: 'tools/call', params: { name: 'get_agent', arguments: { id } } };
    const requests: [path: string, request?: RawRequest][] = [
      ...READS.map((path): [string] => [path]),
      [`/api/agents/${id}`],
      [`/api/agents/${id}`, { headers: { authorization: `Bearer ${'k'.repeat(43)}` } }],
      ['/trpc/stats.get'],
      ['/feed.xml'],
      ['/sitemap.xml'],
      [`/agent/${id}/badge.svg`],
      [`/agent/${id}/picture.png`],
      [`/agent/${id}`, { headers: { accept: 'text/markdown' } }],
      ['/ard/agents'],
      [`/ard/agents/urn:air:registry.example:agent:${id}`],
      ['/ard/search', { method: 'POST', headers: json, body: '{"query":{"text":"plain"}}' }],
      ['/api/agents', { method: 'POST', headers: json, body: JSON.stringify(makeNewAgent()) }],
      ['/readyz'],
    ];
    const read = async () =>
      Promise.all(requests.map(async ([path, request]) => [path, (await send(app.url + path, request)).status]));
    const callTool = async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call });
      return (await send(`${app.url}/mcp`, { method: 'POST', headers: mcp, body })).body;
    };

    await server.pause();
    onTestFinished(() => server.resume());
    expect(await read()).toEqual(requests.map(([path]) => [path, 503]));
    expect(await callTool()).toContain(UNAVAILABLE);
    // Pages are sent without what they would show of the database.
    expect((await send(app.url)).status).toBe(200);
    server.resume();
    await expect.poll(async () => (await read()).filter(([, status]) => status === 503)).toEqual([]);
    expect(await callTool()).not.toContain(UNAVAILABLE);
  },
);

test.runIf(runsAll)('a signal ends the process while the server is paused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  const env = { PORT: '0', DATABASE_URL: server.url, DATABASE_STATEMENT_TIMEOUT: '500', SHUTDOWN_DELAY: '0' };
  const options = { connectTimeout: 500, webDir: join(folder, 'no-web') };
  const child = await startServerProcess(folder, env, { options });
  onTestFinished(async () => {
    await child.stop('SIGKILL');
    await rm(folder, { recursive: true });
  });
  await Promise.all(READS.map((path) => fetch(child.url + path)));
  await server.pause();
  onTestFinished(() => server.resume());
  expect(await child.stop('SIGTERM')).toBe(0);
});

test.runIf(runsAll)('a silently lost connection delays only its own read', async () => {
  const database = await openSharedDatabase();
  const { proxy, url } = await startProxy(database.url);
  const app = await startApp(url, { ...quick, DATABASE_STATEMENT_TIMEOUT: 60_000 });
  // One after the other, so that there is one connection.
  expect(await app.readStatus('/readyz')).toBe(200);
  proxy.mute();
  proxy.unmute();
  let isLate = true;
  const late = app.readStatus('/api/agents/category/vision').finally(() => (isLate = false));
  for (const path of [...READS, '/readyz']) expect(await app.readStatus(path)).toBe(200);
  expect(isLate).toBe(true);
  proxy.close();
  expect(await late).toBe(503);
});

test.runIf(runsAll)(
  'reads get 503 while the network drops all packets, and the first read after that gets 200',
  async () => {
    const database = await openSharedDatabase();
    const { proxy, url } = await startProxy(database.url);
    const app = await startApp(url);
    await Promise.all(READS.map((path) => app.read(path)));
    proxy.mute();
    for (const path of ['/api/stats', '/readyz']) expect(await app.readStatus(path)).toBe(503);
    expect((await app.register()).status).toBe(503);
    proxy.unmute();
    for (const path of [...READS, '/readyz']) expect(await app.readStatus(path)).toBe(200);
    expect((await app.register()).status).toBe(201);
  },
);

test('with a read-only server, reads succeed and registrations get 503 with a sentence', async () => {
  const database = await openSharedDatabase();
  await sql`ALTER DATABASE ${sql.id(new URL(database.url).pathname.slice(1))} SET default_transaction_read_only = on`.execute(
    database.engine.db,
  );
  const app = await startApp(database.url);
  const refused = await app.register();
  expect(refused.status).toBe(503);
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(await refused.text()).toBe(UNWRITABLE);
  for (const path of [...READS, '/readyz']) expect(await app.readStatus(path)).toBe(200);
});

test('a statement timeout is an outage, and its connection stays open', async () => {
  const database = await openSharedDatabase();
  const { engine } = await openDatabase(database.url, { postgres: { ...quick, DATABASE_POOL_SIZE: 1 } });
  onTestFinished(() => engine.close());
  const readPid = async () => (await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(engine.db)).rows;
  const before = await readPid();
  await expect(sql`SELECT pg_sleep(30)`.execute(engine.db)).rejects.toThrow('The database does not answer');
  expect(await readPid()).toEqual(before);
});

test('a connection that breaks between two statements fails only its transaction', async () => {
  const { engine } = await openSharedDatabase();
  const transaction = engine.db.transaction().execute(async (within) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(within);
    await sql`SELECT pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(engine.db);
    await sql`SELECT 1`.execute(within);
  });
  await expect(transaction).rejects.toThrow('The database does not answer');
  expect((await sql`SELECT 1 AS one`.execute(engine.db)).rows).toEqual([{ one: 1 }]);
});

/** Makes statements of one kind fail with a SQLSTATE, so many times; returns how often they were asked. */
async function failTimes({ engine: { db } }: TestDatabase, code: string, times: number) {
  await sql`CREATE SEQUENCE asked`.execute(db);
  await sql`
    CREATE FUNCTION ask() RETURNS integer LANGUAGE plpgsql AS ${sql.lit(`BEGIN
      IF nextval('asked') <= ${times} THEN RAISE EXCEPTION 'not now' USING ERRCODE = '${code}'; END IF;
      RETURN 1;
    END`)}
  `.execute(db);
  return async () => (await sql<{ asked: number }>`SELECT last_value AS asked FROM asked`.execute(db)).rows[0]?.asked;
}

test.each(['40001', '40P01', '55P03', '57P01'])(
  'a read that fails with %s is asked once more, and gets 503 if it fails again',
  async (code) => {
    const database = await openSharedDatabase();
    const { db } = database.engine;
    const app = await startApp(database.url);
    await app.register();
    const countAsked = await failTimes(database, code, 1);
    await sql`ALTER TABLE agents RENAME TO stored_agents`.execute(db);
    await sql`CREATE VIEW agents AS SELECT * FROM stored_agents WHERE ask() = 1`.execute(db);
    const path = '/api/agents/category/automation?limit=1';
    expect(await app.readStatus(path)).toBe(200);
    expect(await countAsked()).toBeGreaterThan(1);
    await sql`ALTER SEQUENCE asked MINVALUE -1000 RESTART -1000`.execute(db);
    const refused = await app.read(path);
    expect([refused.status, refused.headers.get('retry-after'), await refused.text()]).toEqual([503, '5', UNAVAILABLE]);
    expect(await countAsked()).toBe(-999);
  },
);

test('neither a write nor a statement of a transaction is asked again', async () => {
  const database = await openSharedDatabase();
  const { db } = database.engine;
  const countAsked = await failTimes(database, '40001', 100);
  await sql`CREATE TABLE written (value integer)`.execute(db);
  await expect(sql`INSERT INTO written SELECT ask()`.execute(db)).rejects.toBeInstanceOf(DatabaseConflictError);
  expect(await countAsked()).toBe(1);
  const reading = db.transaction().execute((transaction) => sql`SELECT ask()`.execute(transaction));
  await expect(reading).rejects.toBeInstanceOf(DatabaseConflictError);
  expect(await countAsked()).toBe(2);
});

test('registrations that a deadlock rolls back are written one by one', async () => {
  const database = await openSharedDatabase();
  const { db } = database.engine;
  const app = await startApp(database.url);
  const countAsked = await failTimes(database, '40P01', 1);
  await sql`CREATE FUNCTION before_insert() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM ask(); RETURN NEW; END'`.execute(
    db,
  );
  await sql`CREATE TRIGGER ask BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION before_insert()`.execute(db);
  const statuses = await Promise.all(Array.from({ length: 3 }, async () => (await app.register()).status));
  // The one that came first may have been alone.
  expect(statuses.filter((status) => status === 201).length).toBeGreaterThanOrEqual(2);
  expect(new Set(statuses)).not.toContain(500);
  expect(await countAsked()).toBeGreaterThan(1);
});
