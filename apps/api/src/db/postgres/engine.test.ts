import { sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { createAgentStore } from '../../stores.ts';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { defaultConfig } from '../../config.ts';
import { openDatabase } from '../open-database.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { runsAll } from '../../testing/tier.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await engines[1].open();
});

afterEach(() => database.remove());

test('two processes that write the same categories in different orders do not deadlock', async () => {
  const { engine: one } = database;
  const { engine: other } = await openDatabase(database.url);
  const agentsOf = (...categories: Agent['category'][]) => categories.map((category) => makeAgent({ category }));
  const operator = createOperatorStore(one);
  const agents = createAgentStore(other);
  await agents.load(agentsOf('chatbot', 'vision', 'automation'));
  // Locks the second category of both, until each has counted the last category of the other.
  const holder = await one.db.startTransaction().execute();
  await sql`SELECT FROM agent_counts WHERE category = 'vision' FOR UPDATE`.execute(holder);
  const written = Promise.all([
    operator.add(agentsOf('chatbot', 'vision', 'automation')),
    agents.load(agentsOf('automation', 'vision', 'chatbot')),
  ]);
  written.catch(() => {});
  const waiting = async () => {
    const isWaiting = sql`datname = current_database() AND wait_event_type = 'Lock'`;
    return (await sql`SELECT FROM pg_stat_activity WHERE ${isWaiting}`.execute(one.db)).rows.length;
  };
  await expect.poll(waiting).toBe(2);
  await holder.commit().execute();
  expect(await written).toEqual([['added', 'added', 'added'], undefined]);
  expect(await agents.countByCategory()).toMatchObject({ chatbot: 3, vision: 3, automation: 3 });
  await other.close();
});

test('JIT is off, and sequential scans are allowed', async () => {
  const read = async (setting: string) => (await sql`SHOW ${sql.id(setting)}`.execute(database.engine.db)).rows[0];
  expect(await read('jit')).toEqual({ jit: 'off' });
  expect(await read('enable_seqscan')).toEqual({ enable_seqscan: 'on' });
});

test.runIf(runsAll)('a process that waits for another to create the tables has no time limit', async () => {
  await database.clear();
  const other = new Client({ connectionString: database.url });
  await other.connect();
  await other.query("BEGIN; SELECT pg_advisory_xact_lock(hashtext('agent-registry'))");
  let statements = 0;
  const opening = openDatabase(database.url, {
    postgres: { ...defaultConfig, DATABASE_STATEMENT_TIMEOUT: 500 },
    onQuery: () => (statements += 1),
  });
  // Each is a question whether the other is done, later than the one before.
  await expect.poll(() => statements, { timeout: 10_000 }).toBeGreaterThan(15);
  await other.end();
  const { engine, isNew } = await opening;
  await engine.close();
  expect(isNew).toBe(true);
});

test.each([
  ['a deadlock', '40P01'],
  ['a serialization failure', '40001'],
])('a process that meets %s while it creates the tables tries again', async (_name, code) => {
  await database.clear();
  const other = new Client({ connectionString: database.url });
  await other.connect();
  // The sequence goes on when the transaction is rolled back.
  await other.query(`
    CREATE SCHEMA conflicts;
    CREATE SEQUENCE conflicts.attempts;
    CREATE FUNCTION conflicts.fail() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('conflicts.attempts') < 3 THEN RAISE EXCEPTION 'conflict' USING ERRCODE = '${code}'; END IF;
    END $$;
    CREATE EVENT TRIGGER conflict ON ddl_command_start WHEN TAG IN ('CREATE TRIGGER') EXECUTE FUNCTION conflicts.fail();
  `);
  const { engine, isNew } = await openDatabase(database.url);
  const agents = createAgentStore(engine);
  await agents.load([makeAgent()]);
  expect([isNew, await agents.count()]).toEqual([true, 1]);
  await engine.close();
  await other.end();
});

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database in %s is refused with the statement that creates another',
  async (encoding) => {
    const server = new Client({ connectionString: inject('postgresUrl') });
    await server.connect();
    const name = `"Agents in ${encoding}"`;
    const drop = () => server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    onTestFinished(async () => {
      await drop();
      await server.end();
    });
    await server.query(`CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`);
    const url = new URL(database.url);
    url.pathname = `/${encodeURIComponent(`Agents in ${encoding}`)}`;

    const { message } = (await openDatabase(url.href).catch((error: unknown) => error)) as Error;
    const [, statement = ''] =
      /^The database cannot be opened: its encoding is \w+ and must be UTF8\. Create one with (.+)\.$/.exec(message) ??
      [];
    await drop();
    await server.query(statement);
    const { engine, isNew } = await openDatabase(url.href);
    await createAgentStore(engine).load([makeAgent({ name: '🤖' })]);
    expect(isNew).toBe(true);
    await engine.close();
  },
);

test.each([
  ['postgres://user:p#ss@127.0.0.1/registry', /: DATABASE_URL is not a valid URL; [^\n]+ percent-encoded\.$/],
  ['postgres://user@127.0.0.1:99999/registry', /: DATABASE_URL is not a valid URL; [^\n]+\.$/],
  ['postgres://user@127.0.0.1/%ff', /: DATABASE_URL is not a valid URL; [^\n]+\.$/],
  ['postgres://user@127.0.0.1/registry?port=x', /: the port in DATABASE_URL is not a number\.$/],
  ['postgres://user@127.0.0.1/registry?sslrootcert=/none', /: ENOENT: [^\n]+\.$/],
])('the URL %s is refused with a sentence', async (url, sentence) => {
  await expect(openDatabase(url)).rejects.toThrow(sentence);
});
