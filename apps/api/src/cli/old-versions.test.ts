import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Engine } from '../db/engine.ts';
import { databasePath, openDatabase } from '../db/open-database.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { recordTables, type RegistryRecord } from '../db/record-kinds.ts';
import { createAgentStore } from '../stores.ts';
import { engines, surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine } from '../testing/source-server.ts';
import { readBackup } from './backup.ts';

/** Backups that these commits wrote of a registry with each kind of record, and the numbers of their records. */
const backups = [
  {
    commit: '722e714',
    agents: '2 agents, 1 hidden agent, 1 held agent and 1 withdrawn agent',
    counts: { agent: 2, hidden: 1, held: 1, withdrawn: 1, tombstone: 1, reports: 1, views: 2, registration: 2 },
    // The log begins with the agents that are listed.
    added: { change: 2 },
  },
  {
    commit: '66203603',
    agents: '2 agents, 2 hidden agents, 1 held agent, 1 refused agent and 1 withdrawn agent',
    counts: {
      agent: 2,
      hidden: 2,
      held: 1,
      refused: 1,
      withdrawn: 1,
      tombstone: 1,
      reports: 1,
      proposal: 2,
      change: 4,
      action: 2,
      event: 2,
      figures: 1,
      views: 2,
      'agent-views': 2,
      'website-host': 2,
      source: 2,
      'agent-source': 3,
      pinned: 1,
      registration: 2,
    },
    added: {},
  },
];

describe.each(surfaceEngines)('on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  const restore = (path: string) => runCommandLine(database.url, ['restore', path, '--by', 'the test']);

  test.each(backups)('a backup of $commit restores completely, in its order', async ({ commit, agents, ...backup }) => {
    const path = toPath(`${commit}.backup`);
    const written = await collect(readBackup(path));
    expect(countKinds(written)).toEqual(backup.counts);
    expect(await restore(path)).toEqual({ code: 0, stdout: `Restored ${agents} from ${path}.\n`, stderr: '' });
    const restored = await readRecords(database.engine);
    expect(countKinds(restored)).toEqual({ ...backup.counts, ...backup.added });
    const known = restored.filter(({ kind }) => Object.hasOwn(backup.counts, kind));
    expect(known.map(withoutNumber)).toEqual(written.map(withoutNumber));
  });

  test('an erasure leaves no text of the agents in any record', async () => {
    await restore(toPath('66203603.backup'));
    const readTexts = async () => {
      const { db } = database.engine;
      const rows = await Promise.all(recordTables.map((table) => db.selectFrom(table).selectAll().execute()));
      const found = JSON.stringify(rows).toLowerCase();
      return ['otter', 'heron', 'mole', 'spam', '手紙', 'owner@', 'mcp registry'].filter((text) =>
        found.includes(text),
      );
    };
    expect(await readTexts()).toHaveLength(7);
    expect(await createOperatorStore(database.engine).erase({})).toHaveLength(7);
    expect(await readTexts()).toEqual([]);
  });
});

// Databases into which these commits restored their backups.
describe.each(engines)('a database on $name', ({ open }) => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await open();
    await database.clear();
    return () => database.remove();
  });

  test('of 66203603 is migrated with every record, and is searched and written', async () => {
    await place('66203603', database.url);
    const { engine, isNew, migrations } = await openDatabase(database.url);
    onTestFinished(() => engine.close());
    expect({ isNew, first: migrations[0] }).toEqual({ isNew: false, first: '0015-clock-and-texts' });
    const written = await collect(readBackup(toPath('66203603.backup')));
    expect((await readRecords(engine)).map(withoutNumber)).toEqual(written.map(withoutNumber));
    const agents = createAgentStore(engine);
    await agents.register(makeNewAgent({ name: 'Otter desk' }));
    const found = await agents.search({ text: 'otter', limit: 9 });
    expect(found?.agents.map(({ name }) => name)).toEqual(['Otter', 'Otter desk']);
  });

  test('of 722e714 is refused with the way over a backup, and stays as it is', async () => {
    await place('722e714', database.url);
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openDatabase(database.url)).rejects.toThrow(
        'The database was made by a version before the first release: make a backup with that version, and restore it into a new database.',
      );
    }
  });
});

/** Makes the database at a URL the one that a commit made. */
async function place(commit: string, url: string): Promise<void> {
  const path = databasePath(url);
  const content = gunzipSync(await readFile(toPath(path === undefined ? `${commit}.sql.gz` : `${commit}.db.gz`)));
  if (path !== undefined) return writeFile(path, content);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(content.toString());
  await client.end();
}

/** All records but those of what this test does. */
async function readRecords(engine: Engine): Promise<RegistryRecord[]> {
  const records = await collect(createOperatorStore(engine).read());
  return records.filter((record) => !(record.kind === 'action' && record.by === 'the test'));
}

function toPath(file: string): string {
  return fileURLToPath(new URL(`../testing/old-versions/${file}`, import.meta.url));
}

/** A restore gives other numbers. */
function withoutNumber(record: RegistryRecord): RegistryRecord {
  return 'number' in record ? { ...record, number: 0 } : record;
}

function countKinds(records: readonly RegistryRecord[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(records, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length]));
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}
