import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { createManagementKey, type Change, type Changes } from '@agent-registry/contracts';
import { makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createChangeStore } from '../changes/change-log.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine } from '../testing/source-server.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { writePublic } from './export.ts';

const key = createManagementKey();
const publicUrl = 'https://registry.example';
const select = (id: string) => ({ ids: new Set([id]) });

type Followed = Record<string, Change['agent']>;

describe.each(engines)('a public export on $name', ({ open }) => {
  let folder: string;
  let path: string;
  let database: TestDatabase;
  let operator: OperatorStore;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.empty();
    operator = createOperatorStore(database.engine);
    app = await startTestApp({ database });
    folder = await mkdtemp(join(tmpdir(), 'agent-registry-export-'));
    path = join(folder, 'agents.ndjson.gz');
    return async () => {
      await app.close();
      await rm(folder, { recursive: true });
    };
  });

  afterAll(() => database.remove());

  const register = async (isHeld = false) => (await app.agents.register(makeNewAgent(), { key, isHeld })).agent;

  /** Reads the lines of the file: the first one, and the agents by id. */
  async function readExport(): Promise<{ cursor: string; registry?: string; agents: Followed }> {
    const text = String(gunzipSync(await readFile(path)));
    const [header, ...lines] = text.split('\n').slice(0, -1);
    const agents = lines.map((line) => JSON.parse(line) as NonNullable<Change['agent']>);
    expect(text.split(/\r\n|[\n\r\u2028\u2029]/)).toHaveLength(agents.length + 2);
    return { ...JSON.parse(header ?? ''), agents: Object.fromEntries(agents.map((agent) => [agent.id, agent])) };
  }

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
    let told = 0;
    const changes = createChangeStore(database.engine.db);
    const count = await writePublic(path, { agents: { stream }, changes, publicUrl }, (agents) => (told += agents));
    const { cursor, registry, agents } = await readExport();
    expect(registry).toBe(publicUrl);
    expect(Object.keys(agents).length).toBeGreaterThan(60);
    expect([count, told]).toEqual([Object.keys(agents).length, count]);
    expect(agents).not.toHaveProperty(held.id);
    const copy = await follow(agents, cursor);
    expect(copy).toEqual(await follow({}));
    expect(Object.keys(copy)).toHaveLength(await app.agents.count());
  });

  test('has the listed agents only, each on one line, no address of an owner, and is readable for a web server', async () => {
    const hostile = makeHostileAgents();
    await app.agents.load(hostile);
    const unlisted = [await register(true), await register(), await register(), await register()];
    await operator.hide(select(unlisted[1]!.id), 'spam');
    await operator.hold(select(unlisted[2]!.id));
    await app.agents.withdraw(unlisted[3]!.id, { key });
    const settings = { PUBLIC_URL: publicUrl };
    expect(await runCommandLine(database, ['export', path, '--public'], { settings })).toMatchObject({
      code: 0,
      stdout: `Exported ${hostile.length} agents to ${path}, without contact emails.\n`,
    });
    expect((await stat(path)).mode & 0o777).toBe(0o644 & ~process.umask());
    const { agents, registry } = await readExport();
    expect(registry).toBe(publicUrl);
    expect(Object.keys(agents).toSorted()).toEqual(hostile.map(({ id }) => id).toSorted());
    for (const { contactEmail: _, ...agent } of hostile) expect(agents[agent.id]).toEqual(agent);
  });
});
