import { fileURLToPath } from 'node:url';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Engine } from '../db/engine.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { recordTables, type RegistryRecord } from '../db/record-kinds.ts';
import { createAgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
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
    stats: { agents: 2, hidden: 1, held: 1, proposed: 0, byCategory: { automation: 2 }, allViews: 9 },
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
      views: 2,
      'agent-views': 2,
      source: 2,
      'agent-source': 3,
      pinned: 1,
      registration: 2,
    },
    added: {},
    stats: { agents: 2, hidden: 2, held: 1, proposed: 1, byCategory: { automation: 2 }, allViews: 9 },
  },
];

describe.each(engines)('on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  const restore = (path: string) => runCommandLine(database.url, ['restore', path, '--by', 'the test']);

  test.each(backups)(
    'a backup of $commit restores completely, in its order, and is counted, searched and written',
    async ({ commit, agents, ...backup }) => {
      const path = toPath(`${commit}.backup`);
      const written = await collect(readBackup(path));
      expect(countKinds(written)).toEqual(backup.counts);
      expect(await restore(path)).toEqual({ code: 0, stdout: `Restored ${agents} from ${path}.\n`, stderr: '' });
      const restored = await readRecords(database.engine);
      expect(countKinds(restored)).toEqual({ ...backup.counts, ...backup.added });
      const known = restored.filter(({ kind }) => Object.hasOwn(backup.counts, kind));
      expect(known.map(withoutNumber)).toEqual(written.map(withoutNumber));
      const { stdout } = await runCommandLine(database.url, ['stats', '--json']);
      expect(JSON.parse(stdout)).toMatchObject(backup.stats);
      const store = createAgentStore(database.engine);
      await store.register(makeNewAgent({ name: 'Otter desk' }));
      const found = await store.search({ text: 'otter', limit: 9 });
      expect(found?.agents.map(({ name }) => name)).toEqual(['Otter', 'Otter desk']);
    },
  );

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
