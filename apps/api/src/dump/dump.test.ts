import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createManagementKey, type Change, type Changes } from '@agent-registry/contracts';
import { makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createChangeStore } from '../changes/change-log.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { startServerProcess } from '../testing/processes.ts';
import { send, startTestApp, type TestApp } from '../testing/test-app.ts';
import { createDumpJob, DUMP_FILE, writeDump, type DumpSource } from './dump.ts';

const DAY = 86_400_000;
const key = createManagementKey();
/** An agent without an owner. */
const imported = makeAgent();
const select = (id: string) => ({ ids: new Set([id]) });

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-dump-'));
  path = join(folder, DUMP_FILE);
  return () => rm(folder, { recursive: true });
});

type Followed = Record<string, Change['agent']>;

/** Reads the lines of a dump: the first one, and the agents by id. */
async function readDump(): Promise<{ cursor: string; registry?: string; agents: Followed }> {
  const text = String(gunzipSync(await readFile(path)));
  const [header, ...lines] = text.split('\n').slice(0, -1);
  const agents = lines.map((line) => JSON.parse(line) as NonNullable<Change['agent']>);
  expect(text.split(/\r\n|[\n\r\u2028\u2029]/)).toHaveLength(agents.length + 2);
  return { ...JSON.parse(header ?? ''), agents: Object.fromEntries(agents.map((agent) => [agent.id, agent])) };
}

describe.each(engines)('the dump on $name', ({ open }) => {
  let database: TestDatabase;
  let operator: OperatorStore;
  let app: TestApp;
  let source: Omit<Parameters<typeof createDumpJob>[0], 'folder'>;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.empty();
    operator = createOperatorStore(database.engine);
    app = await startTestApp({ database, DUMP_DIR: folder });
    const changes = createChangeStore(database.engine.db);
    const rateLimitStore = createRateLimitStore(database.engine);
    source = { agents: app.agents, changes, rateLimitStore, publicUrl: 'https://registry.example' };
    return () => app.close();
  });

  afterAll(() => database.remove());

  const runJob = (signal = new AbortController().signal) => createDumpJob({ ...source, folder })(signal);
  const register = async (isHeld = false) => (await app.agents.register(makeNewAgent(), { key, isHeld })).agent;
  const request = (headers = {}, method = 'GET') => send(`${app.url}/${DUMP_FILE}`, { method, headers });
  const setAge = (age: number) => utimes(path, new Date(), new Date(Date.now() - age));

  /** Applies the changes after a cursor to agents, as a mirror does. */
  async function follow(agents: Followed, cursor?: string): Promise<Followed> {
    const copy = { ...agents };
    for (let after = cursor, hasMore = true; hasMore;) {
      const query = `include=agents${after === undefined ? '' : `&after=${after}`}`;
      const page = (await (await fetch(`${app.url}/api/changes?${query}`)).json()) as Changes;
      for (const { id, agent } of page.changes) {
        if (agent) copy[id] = agent;
        else delete copy[id];
      }
      ({ next: after, hasMore } = page);
    }
    return copy;
  }

  test('with the changes after its cursor is the registry, whatever happens while it is written', async () => {
    await app.agents.load(Array.from({ length: 60 }, () => makeAgent()));
    const known = [await register(), await register(), await register(), await register()];
    await operator.hide(select(known[3]!.id), 'spam');
    const held = await register(true);
    const change = async () => {
      await app.agents.update((await register()).id, { key }, { name: 'Renamed' });
      const { id } = known.pop() ?? (await register());
      await operator.hide(select(id), 'spam');
      await app.agents.withdraw((await register()).id, { key });
    };
    async function* stream() {
      for await (const agents of app.agents.stream()) {
        await change();
        yield agents;
        await change();
      }
    }
    await writeDump(path, { ...source, agents: { stream } });
    const { cursor, registry, agents } = await readDump();
    expect(registry).toBe('https://registry.example');
    expect(Object.keys(agents).length).toBeGreaterThan(60);
    expect(agents).not.toHaveProperty(held.id);
    const copy = await follow(agents, cursor);
    expect(copy).toEqual(await follow({}));
    expect(Object.keys(copy)).toHaveLength(await app.agents.count());
    expect((await request()).status).toBe(404);
  });

  test('has the listed agents only, each on one line, and no address of an owner', async () => {
    const hostile = makeHostileAgents();
    await app.agents.load(hostile);
    const unlisted = [await register(true), await register(), await register(), await register()];
    await operator.hide(select(unlisted[1]!.id), 'spam');
    await operator.hold(select(unlisted[2]!.id));
    await app.agents.withdraw(unlisted[3]!.id, { key });
    await runJob();
    const { agents } = await readDump();
    expect(Object.keys(agents).toSorted()).toEqual(hostile.map(({ id }) => id).toSorted());
    for (const { contactEmail: _, ...agent } of hostile) expect(agents[agent.id]).toEqual(agent);
  });

  test('is served whole, in ranges, and not again while it stays the same', async () => {
    await register();
    await runJob();
    const bytes = await readFile(path);
    const whole = await fetch(`${app.url}/${DUMP_FILE}`, { headers: { origin: 'https://app.example' } });
    expect(Buffer.from(await whole.arrayBuffer())).toEqual(bytes);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/gzip',
      'content-length': String(bytes.length),
      'accept-ranges': 'bytes',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=0, must-revalidate',
      'x-content-type-options': 'nosniff',
    });
    expect(whole.headers.has('content-encoding')).toBe(false);
    const etag = whole.headers.get('etag')!;
    const size = bytes.length;
    for (const [headers, status, range] of [
      [{ range: 'bytes=2-5' }, 206, `bytes 2-5/${size}`],
      [{ range: 'bytes=-3' }, 206, `bytes ${size - 3}-${size - 1}/${size}`],
      [{ range: 'bytes=2-5', 'if-range': etag }, 206, `bytes 2-5/${size}`],
      [{ range: 'bytes=2-5', 'if-range': '"other"' }, 200, undefined],
      [{ range: `bytes=${size}-` }, 416, `bytes */${size}`],
      [{ 'if-none-match': etag }, 304, undefined],
      [{ 'if-none-match': '"other"' }, 200, undefined],
      [{ 'if-match': '"other"' }, 412, undefined],
    ] as const) {
      const response = await request(headers);
      expect([headers, response.status, response.headers['content-range']]).toEqual([headers, status, range]);
      if (status > 400) expect(response.headers['content-type']).toMatch(/^text\/plain/);
    }
    const head = await request({}, 'HEAD');
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([200, String(size), etag]);
    expect((await request({}, 'POST')).status).toBe(405);
  });

  const removals: [name: string, remove: (id: string) => Promise<unknown>][] = [
    ['hiding', (id) => operator.hide(select(id), 'spam')],
    ['holding', (id) => operator.hold(select(id))],
    ['a withdrawal by its owner', (id) => app.agents.withdraw(id, { key })],
    ['a withdrawal by the operator', (id) => operator.withdraw(select(id))],
    ['a withdrawal by a source', () => operator.withdraw(select(imported.id), 'import')],
    ['an erasure', (id) => operator.erase(select(id))],
    [
      'hiding, though it is listed again',
      (id) => operator.hide(select(id), '').then(() => operator.unhide(select(id))),
    ],
    ['a restore, after which the cursor is of another log', () => restore()],
  ];

  async function restore(): Promise<void> {
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.replace(
      (async function* () {
        yield* records;
      })(),
    );
  }

  test.each(removals)(
    'ends by %s of an agent: no response and no file has it until the next night',
    async (_, remove) => {
      const { id } = await register();
      const other = await register();
      await operator.add([imported]);
      await runJob();
      await app.agents.update(other.id, { key }, { name: 'Renamed' });
      const {
        status,
        headers: { etag = '' },
      } = await request({}, 'HEAD');
      expect(status).toBe(200);
      await remove(id);
      for (const headers of [{}, { range: 'bytes=0-3' }, { 'if-none-match': etag }]) {
        const refused = await request(headers);
        expect([refused.status, refused.body]).toEqual([
          404,
          'There is no dump now: one is made each night, and ends when an agent leaves the list. /api/changes has all agents.',
        ]);
        const wait = Number(refused.headers['retry-after']) * 1_000;
        // At three o'clock.
        expect(new Date(Date.now() + wait).toISOString()).toMatch(/T0(?:3:00:0|2:59:5)/);
      }
      await runJob();
      expect([await readdir(folder), (await stat(path)).size]).toEqual([[DUMP_FILE], 0]);
      await runJob();
      expect((await request()).status).toBe(404);
      await setAge(DAY);
      expect((await request()).headers['retry-after']).toBe('600');
      await database.engine.db.deleteFrom('rate_limits').execute();
      await runJob();
      expect((await request()).status).toBe(200);
      expect((await readDump()).agents).toEqual(await follow({}));
    },
  );

  test('is made once a night by one of several processes, and again where that failed', async () => {
    await register();
    let runs = 0;
    const agents: DumpSource['agents'] = {
      async *stream() {
        runs += 1;
        if (runs === 1) throw new Error('The database is away.');
        yield* app.agents.stream();
      },
    };
    const round = () =>
      Promise.allSettled(
        [1, 2, 3].map(() => createDumpJob({ ...source, folder, agents })(new AbortController().signal)),
      );
    const reasons = (await round()).flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
    expect(reasons).toEqual(['Error: The dump cannot be written into DUMP_DIR: The database is away.']);
    expect(await readdir(folder)).toEqual([]);
    await round();
    expect(runs).toBe(1);
    for (let night = 0; night < 2; night += 1) {
      await database.engine.db.deleteFrom('rate_limits').execute();
      await round();
    }
    expect([runs, await readdir(folder)]).toEqual([2, [DUMP_FILE]]);
  });

  test('that is broken off leaves the former one, and a file that is no dump is not served', async () => {
    await register();
    await runJob();
    await setAge(DAY);
    await database.engine.db.deleteFrom('rate_limits').execute();
    await expect(runJob(AbortSignal.abort())).rejects.toThrow('aborted');
    expect([await readdir(folder), (await request()).status]).toEqual([[DUMP_FILE], 200]);
    await writeFile(path, 'Something else');
    expect((await request()).status).toBe(404);
  });
});

test('without the setting there is no dump, and the response says where the agents are', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  const { status, body, headers } = await send(`${app.url}/${DUMP_FILE}`);
  expect([status, body]).toEqual([404, 'This registry makes no dump. /api/changes has all agents.']);
  expect(headers).not.toHaveProperty('retry-after');
});

test('a server that cannot write its dump says so in the log, and goes on', async () => {
  await writeFile(join(folder, 'file'), '');
  const server = await startServerProcess(folder, {
    PORT: '0',
    DATABASE_URL: `file:${join(folder, 'registry.db')}`,
    WEB_DIR: folder,
    SHUTDOWN_DELAY: '0',
    DUMP_DIR: join(folder, 'file/dumps'),
  });
  const logged = () => server.log.filter((line) => line.includes('The dump cannot be written into DUMP_DIR: E')).length;
  await expect.poll(logged, { timeout: 10_000 }).toBe(1);
  const { status, headers } = await fetch(`${server.url}/${DUMP_FILE}`);
  expect([status, headers.get('retry-after')]).toEqual([404, '600']);
  expect(await server.stop('SIGTERM')).toBe(0);
});
