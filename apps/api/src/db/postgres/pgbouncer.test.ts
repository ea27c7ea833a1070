import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { createAgentStore } from '../../stores.ts';
import { findFreePort } from '../../start-messages.ts';
import { engines } from '../../testing/engines.ts';
import { openDatabase } from '../open-database.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const hasPgBouncer = spawnSync(PGBOUNCER, ['--version']).status === 0;

/** Starts PgBouncer in front of a database, with its defaults but for the mode and the number of connections. */
async function startPgBouncer(databaseUrl: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-pgbouncer-'));
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const bouncerPort = await findFreePort(16_432);
  const settings = [
    '[databases]',
    `registry = host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} password=${password}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${bouncerPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 2',
  ];
  const path = join(folder, 'pgbouncer.ini');
  await writeFile(path, settings.join('\n'));
  // It refuses to run as root, and reads its settings before it becomes another user.
  const bouncer = spawn(PGBOUNCER, process.getuid?.() === 0 ? ['-u', 'nobody', path] : [path]);
  onTestFinished(async () => {
    const exit = once(bouncer, 'exit');
    bouncer.kill();
    await exit;
    await rm(folder, { recursive: true });
  });
  for await (const line of createInterface(bouncer.stderr)) if (line.includes('process up')) break;
  return `postgres://registry@127.0.0.1:${bouncerPort}/registry`;
}

test.skipIf(!hasPgBouncer)(
  'two processes create a database and share two connections of PgBouncer in transaction mode (needs PgBouncer)',
  async () => {
    const database = await engines[1].open();
    onTestFinished(() => database.remove());
    await database.clear();
    const url = await startPgBouncer(database.url);
    // The first one creates the tables.
    const opened = [await openDatabase(url), await openDatabase(url)];
    const stores = opened.map(({ engine }) => createAgentStore(engine));

    const agents = Array.from({ length: 40 }, (_, index) => makeAgent({ name: `Agent ${index}` }));
    await Promise.all(agents.map((agent, index) => stores[index % 2]!.load([agent])));
    const ids = agents.map(({ id }) => id).toSorted();
    for (const store of stores) expect((await store.list()).map(({ id }) => id).toSorted()).toEqual(ids);
    for (const { engine } of opened) await engine.close();
  },
);

test.skipIf(!hasPgBouncer)(
  'processes that start at the same time create a new database through PgBouncer once',
  async () => {
    const database = await engines[1].open();
    onTestFinished(() => database.remove());
    await database.clear();
    const url = await startPgBouncer(database.url);
    const opened = await Promise.all(Array.from({ length: 6 }, () => openDatabase(url)));
    expect(opened.filter(({ isNew }) => isNew)).toHaveLength(1);
    for (const { engine } of opened) await engine.close();
  },
);
