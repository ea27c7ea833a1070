import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { SCHEMA } from '../db/schema/create-schema.ts';
import { countBackup, readBackup, writeBackup } from './backup.ts';

const records: RegistryRecord[] = [
  ...Array.from({ length: 450 }, (_, index) => ({
    kind: 'agent' as const,
    agent: makeAgent({ name: `名前 ${index}`, ...(index === 7 && { exampleTasks: ['Name ten more of them.'] }) }),
    ...(index % 2 === 0 && { keyHash: 'c0ffee' }),
  })),
  { kind: 'hidden', agent: makeAgent(), reason: 'Spam', since: '2026-11-20T10:00:00.000Z' },
  {
    kind: 'reports',
    agentId: makeAgent().id,
    reports: [{ reason: 'spam', text: null, createdAt: '2026-11-20T10:00:00.000Z' }],
  },
  {
    kind: 'change',
    number: 4,
    agentId: makeAgent().id,
    at: '2026-11-20T10:00:00.000Z',
    change: 'updated',
    actor: 'owner',
    fields: { website: [null, 'https://example.com/'], description: null },
  },
  {
    kind: 'proposal',
    agentId: makeAgent().id,
    state: 'released',
    since: '2026-11-20T10:00:00.000Z',
    patch: { name: 'New', website: null },
    former: { name: 'Old', website: 'https://example.com/' },
    reason: '',
  },
  ...[makeAgent().id, null].map((agentId, number) => ({
    kind: 'action' as const,
    number,
    at: '2026-11-20T10:00:00.000Z',
    by: 'ana',
    command: agentId === null ? 'restore' : 'hide',
    agentId,
    name: agentId && 'Otter',
    reason: 'Spam',
  })),
  { kind: 'event', number: 5, at: '2026-11-20T10:00:00.000Z', type: 'agent.held', agentId: makeAgent().id },
  { kind: 'views', day: '2026-11-20', views: 3 },
  { kind: 'agent-views', agentId: makeAgent().id, days: [{ day: '2026-11-20', views: 3 }] },
  {
    kind: 'source',
    name: 'mcp',
    address: 'https://example.com/',
    mark: null,
    syncedAt: '2026-11-20T10:00:00.000Z',
    reading: '',
  },
  {
    kind: 'agent-source',
    source: 'mcp',
    entryKey: 'c0ffee',
    agentId: null,
    isOrigin: false,
    attribution: '',
    licence: '',
    importedAt: '2026-11-20T10:00:00.000Z',
  },
  { kind: 'pinned', agentId: makeAgent().id, fields: ['name'] },
  { kind: 'server-name-key', value: 'key' },
  { kind: 'server-name', number: 1, hash: 'hash', name: 'example.registry/tides', agentId: makeAgent().id },
  {
    kind: 'offer',
    agentId: makeAgent().id,
    address: 'mcp https://example.com/mcp',
    readAt: '2026-11-20T10:00:00.000Z',
    offer: { count: 1, tools: [{ name: 'tides', hash: 'hash' }] },
    streak: 0,
  },
  {
    kind: 'server-document',
    agentId: makeAgent().id,
    version: '1.0.0',
    name: 'com.example/tides',
    status: 'active',
    document: '{}',
    basis: 'hash',
    isLatest: true,
    keptAt: '2026-11-20T10:00:00.000Z',
  },
  {
    kind: 'publication',
    agentId: makeAgent().id,
    name: 'com.example/tides',
    domain: 'example.com',
    version: '1.0.0',
    content: 'hash',
  },
  { kind: 'registration', key: 'key', agent: makeAgent(), createdAt: '2026-11-20T10:00:00.000Z' },
];
const idOf = (index: number) => (records[index] as { agent: Agent }).agent.id;
const counts = {
  agent: 450,
  hidden: 1,
  held: 0,
  refused: 0,
  withdrawn: 0,
  tombstone: 0,
  reports: 1,
  proposal: 1,
  change: 1,
  action: 2,
  event: 1,
  views: 1,
  'agent-views': 1,
  source: 1,
  'agent-source': 1,
  pinned: 1,
  'server-name-key': 1,
  'server-name': 1,
  'server-document': 1,
  offer: 1,
  publication: 1,
  registration: 1,
};

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  path = join(folder, 'registry.backup');
});

afterEach(() => rm(folder, { recursive: true }));

async function* iterate(written = records) {
  yield* written;
}

async function collect(read: AsyncIterable<RegistryRecord>): Promise<RegistryRecord[]> {
  const collected: RegistryRecord[] = [];
  for await (const record of read) collected.push(record);
  return collected;
}

/** Makes a backup of a header and records: adds the last line, and compresses it. */
function seal(lines: readonly string[]): Buffer {
  const text = lines.map((line) => `${line}\n`).join('');
  const end = { kind: 'end', records: lines.length - 1, sha256: createHash('sha256').update(text).digest('hex') };
  return gzipSync(`${text}${JSON.stringify(end)}\n`);
}

/** The header and the records of the backup. */
const readLines = async () =>
  String(gunzipSync(await readFile(path)))
    .split('\n')
    .slice(0, -2);

const write = (overwrite = false) => writeBackup(path, iterate(), { overwrite, onRecords: () => {} });

test('a backup reads as it was written, and only its owner can read it', async () => {
  expect(await write()).toEqual(counts);
  expect(await collect(readBackup(path))).toEqual(records);
  expect((await stat(path)).mode & 0o077).toBe(0);
  expect(await readdir(folder)).toEqual(['registry.backup']);
});

test('an idempotency key may equal the id of an agent', async () => {
  const likeAnAgent = { ...(records.at(-1) as RegistryRecord & { kind: 'registration' }), key: idOf(0) };
  await writeBackup(path, iterate([...records, likeAnAgent]), { onRecords: () => {} });
  expect(await countBackup(path)).toEqual({ ...counts, registration: 2 });
});

test('a backup of format version 1 is read', async () => {
  const agent = makeAgent();
  const [since, createdAt] = ['2026-11-20T10:00:00.000Z', '2026-11-21T12:00:00.000Z'];
  const lines = [
    { format: 'agent-registry-backup', version: 1, createdAt, migrations: ['0001-first-release'] },
    { kind: 'agent', agent, keyHash: 'c0ffee' },
    ...['hidden', 'held', 'withdrawn'].map((kind) => ({
      kind,
      agent: makeAgent({ updatedAt: createdAt }),
      reason: 'Spam',
      since,
    })),
    { kind: 'tombstone', id: makeAgent().id, since },
    { kind: 'reports', agentId: agent.id, reports: [{ reason: 'spam', text: 'Casino', createdAt }] },
    { kind: 'views', day: '2026-11-20', views: 3 },
    { kind: 'registration', key: 'key', agent, createdAt },
  ];
  await writeFile(path, seal(lines.map((line) => JSON.stringify(line))));
  expect(await collect(readBackup(path))).toEqual(lines.slice(1));
});

test.each(['0001-first-release', '0026-changes-in-order', '9999-later'])(
  'a backup of the schema %s is read',
  async (schema) => {
    await write();
    const lines = await readLines();
    lines[0] = lines[0]!.replace(SCHEMA, schema);
    await writeFile(path, seal(lines));
    expect(await countBackup(path)).toEqual(counts);
  },
);

test('records of kinds that are kept no more are skipped, whatever their fields', async () => {
  await write();
  const [header = '', ...lines] = await readLines();
  const former = JSON.stringify({ kind: 'weather', agentId: makeAgent().id, sun: true });
  await writeFile(path, seal([header, former, ...lines, former]));
  expect(await collect(readBackup(path, path, new Set(['weather', 'views'])))).toEqual(
    records.filter(({ kind }) => kind !== 'views'),
  );
  await writeFile(path, edit((text) => text.replace('"sun":true', '"sun":null'))(await readFile(path)));
  await expect(collect(readBackup(path, path, new Set(['weather'])))).rejects.toThrow('it was changed');
});

test.each(['figures', 'refused-event', 'website-host'])('records of the kind %s are kept no more', async (kind) => {
  await write();
  const [header = '', ...lines] = await readLines();
  await writeFile(path, seal([header, JSON.stringify({ kind, id: 1 }), ...lines]));
  expect(await collect(readBackup(path))).toEqual(records);
});

test('a missing folder is created', async () => {
  const inside = join(folder, 'kept', 'here', 'registry.backup');
  await writeBackup(inside, iterate(), { onRecords: () => {} });
  expect(await countBackup(inside)).toEqual(counts);
});

test('an existing file is replaced only with overwrite', async () => {
  await writeFile(path, 'precious');
  await expect(write()).rejects.toThrow(`The file ${path} exists. Replace it with --overwrite.`);
  expect(await readFile(path, 'utf8')).toBe('precious');
  await write(true);
  expect(await countBackup(path)).toEqual(counts);
});

test('a link with the name of the partial file is not followed', async () => {
  const other = join(folder, 'other');
  await writeFile(other, 'precious');
  await symlink(other, `${path}.partial`);
  await write();
  expect(await readFile(other, 'utf8')).toBe('precious');
  expect(await countBackup(path)).toEqual(counts);
});

test('a failed backup leaves no file and does not change an earlier one', async () => {
  await write();
  const before = await readFile(path);
  async function* failing() {
    yield* iterate();
    throw new Error('It fails.');
  }
  await expect(writeBackup(path, failing(), { overwrite: true, onRecords: () => {} })).rejects.toThrow('It fails.');
  expect((await readFile(path)).equals(before)).toBe(true);
  expect(await readdir(folder)).toEqual(['registry.backup']);
});

const edit = (change: (text: string) => string) => (content: Buffer) =>
  gzipSync(change(gunzipSync(content).toString()));

test.each<[string, (content: Buffer) => Buffer, RegExp]>([
  ['cut off', (content) => content.subarray(0, content.length / 2), /it is incomplete or was changed\.$/],
  ['without its end', edit((text) => text.replace(/[^\n]*\n$/, '')), /its last line is missing\.$/],
  [
    'with another value',
    edit((text) => text.replace('Plain', 'Plane').replace('名前 7"', '名前 8"')),
    /it was changed\.$/,
  ],
  ['without one record', edit((text) => text.replace(/\n[^\n]*名前 7"[^\n]*/, '')), /it was changed\.$/],
  [
    'with a line after its end',
    edit((text) => `${text}{"kind":"views","day":"2026-11-21","views":1}\n`),
    /line 471 is not valid\.$/,
  ],
  [
    'with a line that is no record',
    edit((text) => text.replace(/\n.*名前 7"/, '\n{"kind":"x"')),
    /line 9 is not valid\.$/,
  ],
  [
    'with an agent that is hidden and seen',
    edit((text) =>
      text.replace(/"kind":"hidden","agent":\{"id":"[^"]*"/, `"kind":"hidden","agent":{"id":"${idOf(0)}"`),
    ),
    /line 452 repeats another record\.$/,
  ],
  ['with an invalid id', edit((text) => text.replace(idOf(0), '../etc')), /line 2 is not valid\.$/],
  [
    'with a time in another format',
    edit((text) => text.replace('"createdAt":"2026-01-01T00:00:00.000Z"', '"createdAt":"1 January 2026"')),
    /line 2 is not valid\.$/,
  ],
  [
    'of a newer version',
    edit((text) => text.replace('"version":1', '"version":2')),
    /was written by a newer version of Agent Registry: this version does not know version 2 of backups\.$/,
  ],
  [
    'with records of another kind',
    edit((text) => text.replace('"kind":"hidden"', '"kind":"we\\u001bther"')),
    /was written by a newer version of Agent Registry: this version does not know the kind we\uFFFDther of line 452\.$/,
  ],
  [
    'whose agents have another field',
    edit((text) => text.replace('"name":"名前 7"', '$&,"colour":"red"')),
    /was written by a newer version of Agent Registry: this version does not know the field colour in line 9\.$/,
  ],
  ['that is something else', () => Buffer.from('something else'), /is not a backup of a registry\.$/],
  ['that is some other compressed file', () => gzipSync('something else'), /is not a backup of a registry\.$/],
  ['with a line of any length', () => gzipSync(Buffer.alloc(10_000_000, 'x')), /^Line 1 of .+ is too long\.$/],
  ['that is empty', () => Buffer.alloc(0), /it is incomplete or was changed\.$/],
])('a file %s is refused with a sentence', async (_name, change, message) => {
  await write();
  await writeFile(path, change(await readFile(path)));
  const error: unknown = await countBackup(path).catch((reason: unknown) => reason);
  expect((error as Error).message).toMatch(message);
  expect((error as Error).message).not.toContain('\n');
});
