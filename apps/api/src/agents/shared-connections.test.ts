import type { Connection } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { writeRecords } from '../db/records.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { createAgentStore } from '../stores.ts';
import { createSourceStore } from '../sync/source-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const mcp: Connection = { kind: 'mcp', transport: 'sse', url: 'https://tides.example.com/mcp' };
const npm = (version: string): Connection => ({ kind: 'mcp-package', registry: 'npm', identifier: 'tides', version });
const oci = (tag: string): Connection => ({ kind: 'mcp-package', registry: 'oci', identifier: `ghcr.io/a/b${tag}` });
const proof = { websiteCheckedAt: at(1), websiteProof: 'host' } as const;
const plain = makeAgent({ name: 'Plain', createdAt: at(1), connections: [mcp], website: null });
const proved = makeAgent({ name: 'Proved', createdAt: at(2), connections: [mcp, npm('1.0.0')], ...proof });
const imported = makeAgent({ name: 'Imported', createdAt: at(3), connections: [oci(':1.0')], website: null });
const later = (connections?: Connection[]) =>
  makeAgent({ name: 'Later', createdAt: at(4), connections, website: null });

describe.each(engines)('on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
    await createAgentStore(database.engine).load([plain, proved, imported]);
    const entry = { source: 'mcp', entryKey: 'x', isOrigin: true, attribution: '', licence: '', importedAt: at(3) };
    await writeRecords(database.engine.db, 'agent-source', [{ ...entry, agentId: imported.id }]);
    return () => database.remove();
  });

  test.each([
    ['the address of a proved entry', [mcp], ['Proved']],
    ['another version of a package', [npm('9.9.9')], ['Proved']],
    ['another tag of an image', [oci('@sha256:00')], ['Imported']],
    ['connections of two entries', [mcp, oci(':2')], ['Proved', 'Imported']],
    ['another kind at the address', [{ kind: 'openapi', url: mcp.url }], []],
    ['no connections', undefined, []],
  ] satisfies [string, Connection[] | undefined, string[]][])(
    'a later entry with %s names the earlier one',
    async (_case, connections, names) => {
      const found = await createSourceStore(database.engine).besides(later(connections));
      expect(found.map(({ name, shares }) => [name, shares])).toEqual(names.map((name) => [name, 'connection']));
    },
  );

  test('an earlier entry names none, and the operator reads which one a waiting entry or edit shares', async () => {
    const store = createSourceStore(database.engine);
    for (const agent of [plain, proved, imported]) expect(await store.besides(agent)).toEqual([]);
    const agents = createAgentStore(database.engine);
    const operator = createOperatorStore(database.engine);
    const sharedBy = async (id: string) => (await operator.inspect(id))?.sharing.map(({ name }) => name);
    const { createdAt: _, id: __, rating: ___, reviewCount: ____, ...fields } = later([mcp]);
    const held = await agents.register(fields, { isHeld: true });
    const edited = await agents.register({ ...fields, connections: undefined }, { key: 'key' });
    await agents.update(edited.agent.id, { key: 'key' }, { connections: [oci(':3')] }, { except: new Set() });
    expect([await sharedBy(held.agent.id), await sharedBy(edited.agent.id)]).toEqual([['Proved'], ['Imported']]);
    // A removed entry is named no more.
    await operator.hide({ ids: new Set([proved.id]) }, 'spam');
    expect(await sharedBy(held.agent.id)).toEqual([]);
    await operator.edit({ ids: new Set([imported.id]) }, { connections: [npm('1.0.0')] });
    expect([await sharedBy(edited.agent.id), await store.besides(later([npm('2.0.0')]))]).toMatchObject([
      [],
      [{ name: 'Imported' }],
    ]);
  });
});
