import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { SCHEMA } from '../db/schema/create-schema.ts';
import { engines, surfaceEngines, type TestDatabase, type TestEngine } from '../testing/engines.ts';
import { runCommand } from '../testing/processes.ts';
import { runCommandLine } from '../testing/source-server.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { runsAll } from '../testing/tier.ts';

const ofRepository = {
  website: 'https://github.com/otters/agent',
  websiteCheckedAt: '2026-11-01T00:00:00.000Z',
  websiteProof: 'repository',
} as const;

const start = process.cwd();
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  process.chdir(folder);
});

afterEach(async () => {
  process.chdir(start);
  await rm(folder, { recursive: true });
});

/** Runs a command on an open database, or on one that it opens itself. */
const registry = (database: TestDatabase | string, ...args: string[]) => runCommandLine(database, args);

async function openDatabase({ open }: TestEngine): Promise<TestDatabase> {
  const database = await open();
  onTestFinished(() => database.remove());
  return database;
}

async function serve(database: TestDatabase): Promise<TestApp> {
  const server = await startTestApp({ database });
  onTestFinished(() => server.close());
  return server;
}

async function getJson<Answer>({ url }: TestApp, path: string): Promise<Answer> {
  return (await (await fetch(`${url}${path}`)).json()) as Answer;
}

async function register({ url }: TestApp, name: string): Promise<Agent> {
  const response = await postJson(`${url}/api/agents`, makeNewAgent({ name }));
  expect(response.status).toBe(201);
  return (await response.json()) as Agent;
}

describe.each(surfaceEngines)('the command line on $name', (engine) => {
  const otherEngine = engines.find(({ name }) => name !== engine.name) as TestEngine;

  test.runIf(runsAll)('backs up a registry during writes, and restores it on both engines', async () => {
    const database = await openDatabase(engine);
    const { url } = database;
    const server = await serve(database);
    const proved = makeAgent(ofRepository);
    await server.agents.load([proved]);
    const registered = [proved, await register(server, 'Agent 0')];
    const before = [...registered];
    const hidden = await register(server, 'To be hidden');
    expect(await registry(url, 'hide', hidden.id, '--reason', 'Spam')).toMatchObject({ code: 0 });

    // A process of its own, so that server and backup run at the same time.
    const backingUp = runCommand(folder, { DATABASE_URL: url }, ['backup', 'registry.backup']);
    const backup = { isDone: false };
    void backingUp.finally(() => (backup.isDone = true));
    while (!backup.isDone) registered.push(await register(server, `Agent ${registered.length}`));
    const { code, stdout, stderr } = await backingUp;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Backed up \d+ agents? and 1 hidden agent to registry\.backup and verified the file\.\n$/);
    expect(registered.length).toBeGreaterThan(before.length + 1);

    const other = await openDatabase(otherEngine);
    expect(await registry(other.url, 'restore', 'registry.backup')).toMatchObject({ code: 0, stderr: '' });
    const restored = await createAgentStore(other.engine).list();
    // A snapshot: every agent up to one moment and none after it.
    const byId = new Map(restored.map((agent) => [agent.id, agent]));
    expect(registered.slice(0, byId.size).map(({ id }) => byId.get(id))).toEqual(registered.slice(0, byId.size));
    expect(byId.size).toBeGreaterThanOrEqual(before.length);
    expect((await registry(other.url, 'list', '--hidden')).stdout).toContain(hidden.id);

    const refusal = await registry(url, 'restore', 'registry.backup');
    expect(refusal).toMatchObject({ code: 1, stdout: '' });
    expect(refusal.stderr).toMatch(/^The database has \d+ agents\. Replace them with --overwrite\.\n$/);
    expect(await getJson(server, '/api/agents')).toHaveLength(registered.length);

    expect(await registry(url, 'restore', '--overwrite', 'registry.backup')).toMatchObject({ code: 0, stderr: '' });
    expect(await getJson(server, '/api/agents')).toEqual(restored);
    expect(await getJson(server, '/api/stats')).toMatchObject({ totalAgents: restored.length });
    const after = await register(server, 'Registered after');
    expect(await getJson(server, '/api/search?q=registered')).toEqual([after]);
    expect(await registry(url, 'unhide', hidden.id)).toMatchObject({ code: 0 });
    expect(await getJson(server, `/api/agents/${hidden.id}`)).toEqual(hidden);
  });

  test('searches as visitors do, and says what a score is made of', async () => {
    const database = await openDatabase(engine);
    const { url } = database;
    await register(await serve(database), 'Capybara Desk');
    const { code, stdout } = await registry(url, 'search', '--explain', 'capybara', 'desks');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^all words\n.*\tCapybara Desk\n {4}capybara .*\(name\) █+\n/),
    ]);
    expect((await registry(url, 'search', 'qqqq')).stdout).toBe('');
  });

  test('hides an agent of a running server at once, and shows it again', async () => {
    const database = await openDatabase(engine);
    const { url } = database;
    const server = await serve(database);
    const [spam, other] = [await register(server, 'Parrot'), await register(server, 'Lighthouse')];
    const look = async () => ({
      status: (await fetch(`${server.url}/api/agents/${spam.id}`)).status,
      all: await getJson(server, '/api/agents'),
      category: await getJson(server, '/api/agents/category/automation'),
      found: await getJson(server, '/api/search?q=parrot'),
      stats: await getJson<{ totalAgents: number }>(server, '/api/stats').then(({ totalAgents }) => totalAgents),
    });
    const whole = await look();
    expect(whole).toMatchObject({ status: 200, found: [spam], stats: 2 });
    expect(whole.all).toHaveLength(2);

    const hiding = await registry(url, 'hide', spam.id.toUpperCase(), '--reason', ' Link spam ');
    expect(hiding).toEqual({ code: 0, stdout: `Hidden: Parrot (${spam.id}).\n`, stderr: '' });
    expect(await look()).toEqual({ status: 404, all: [other], category: [other], found: [], stats: 1 });

    const listed = await registry(url, 'list', '--hidden', '--json');
    expect(JSON.parse(listed.stdout)).toMatchObject({ id: spam.id, name: 'Parrot', reason: 'Link spam' });
    const again = await registry(url, 'hide', spam.id, '--reason', 'Again');
    expect(again.code).toBe(1);
    expect(again.stderr).toMatch(/^Nothing was changed: the agent [^ ]+ is hidden, since \d{4}-[^\n]+: Link spam\.\n$/);

    const showing = await registry(url, 'unhide', spam.id);
    expect(showing).toEqual({ code: 0, stdout: `Shown again: Parrot (${spam.id}).\n`, stderr: '' });
    expect(await look()).toEqual(whole);
    const stderr = `Nothing was changed: the agent ${spam.id} is listed.\n`;
    for (const args of [['unhide'], ['restore-agent'], ['release'], ['refuse', '--reason', 'x']])
      expect(await registry(url, ...args, spam.id)).toEqual({ code: 1, stdout: '', stderr });
  });

  test.runIf(runsAll)(
    'hides many agents of running servers at once, shows them again together, and erases some',
    async () => {
      const database = await openDatabase(engine);
      const { url } = database;
      const servers = [await serve(database), await serve(database)] as const;
      const spam: Agent[] = [];
      for (let index = 0; index < 3; index += 1) spam.push(await register(servers[0], `Casino ${index}`));
      const honest = await register(servers[1], 'Lighthouse');
      const look = (server: TestApp) =>
        Promise.all([
          getJson<Agent[]>(server, '/api/agents'),
          getJson<Agent[]>(server, '/api/search?q=casino'),
          getJson<{ totalAgents: number }>(server, '/api/stats').then(({ totalAgents }) => totalAgents),
        ]);
      const before = await look(servers[0]);
      expect(await look(servers[1])).toEqual(before);
      const spamLines = spam.map(({ id, createdAt, name }) => `${id}\t${createdAt}\t${name}\n`).join('');
      const listed = await registry(url, 'list', '--text', 'casino');
      expect(listed).toEqual({ code: 0, stdout: spamLines, stderr: '' });
      await writeFile(join(folder, 'spam.txt'), listed.stdout);

      const selection = ['--file', 'spam.txt', '--since', '1h', '--email', '@EXAMPLE.com'];
      expect(await registry(url, 'hide', '--reason', 'Spam', ...selection)).toEqual({
        code: 1,
        stdout: spamLines,
        stderr: '3 agents would be hidden. Repeat the command with --yes to do it.\n',
      });
      expect(await look(servers[0])).toEqual(before);
      const hiding = await registry(url, 'hide', '--reason', 'Spam', ...selection, '--yes');
      expect(hiding).toMatchObject({ code: 0, stderr: '' });
      const [, hiddenAt = ''] =
        /^Hidden: 3 agents\.\nTo show them again: .* --hidden-at (\S+)\n$/.exec(hiding.stdout) ?? [];
      for (const server of servers) expect(await look(server)).toEqual([[honest], [], 1]);

      expect(await registry(url, 'hide', '--reason', 'Spam', ...selection, '--yes')).toMatchObject({
        code: 1,
        stderr: 'No agent matches.\n',
      });
      const showing = await registry(url, 'unhide', '--yes', '--hidden-at', hiddenAt);
      expect(showing).toEqual({ code: 0, stdout: 'Shown again: 3 agents.\n', stderr: '' });
      for (const server of servers) expect(await look(server)).toEqual(before);

      const [erased, other] = spam as [Agent, Agent];
      const refusal = await registry(url, 'erase', erased.id);
      expect(refusal).toMatchObject({ code: 1, stderr: expect.stringMatching(/^1 agent would be erased/) as string });
      const unknown = '00000000-0000-4000-8000-000000000000';
      expect(await registry(url, 'erase', erased.id, unknown, '--yes')).toEqual({
        code: 1,
        stdout: expect.stringMatching(`^Erased: Casino 0 \\(${erased.id}\\)\\.\nBackups[^\n]+\n$`) as string,
        stderr: '1 other id selected no agent.\n',
      });
      expect((await fetch(`${servers[1].url}/api/agents/${erased.id}`)).status).toBe(404);
      expect((await fetch(`${servers[1].url}/api/agents/${other.id}`)).status).toBe(200);
    },
  );

  test.runIf(runsAll)(
    'imports a file again without duplicates, also after a failure and when agents were hidden',
    async () => {
      const database = await openDatabase(engine);
      const agents = createAgentStore(database.engine);
      const entries = Array.from({ length: 5 }, (_, index) => makeNewAgent({ name: `Agent ${index}` }));
      const lines = entries.map((entry) => JSON.stringify(entry));
      // An import that failed after some agents.
      await writeFile(join(folder, 'part.ndjson'), lines.slice(0, 3).join('\n'));
      expect(await registry(database.url, 'import', 'part.ndjson')).toMatchObject({ code: 0, stderr: '' });
      const spam = (await agents.list()).find(({ name }) => name === 'Agent 1') as Agent;
      expect(await registry(database.url, 'hide', spam.id, '--reason', 'Spam')).toMatchObject({ code: 0 });

      await writeFile(join(folder, 'all.ndjson'), [...lines, lines[4]].join('\n'));
      expect(await registry(database.url, 'import', 'all.ndjson')).toEqual({
        code: 0,
        stdout: 'Imported 2 agents from all.ndjson. 4 agents were imported before.\n',
        stderr: '',
      });
      const names = (await agents.list()).map(({ name }) => name);
      expect(names.toSorted()).toEqual(['Agent 0', 'Agent 2', 'Agent 3', 'Agent 4']);
      await writeFile(join(folder, 'all.json'), JSON.stringify(entries));
      expect(await registry(database.url, 'import', 'all.json', '--all-or-nothing')).toEqual({
        code: 0,
        stdout: 'Imported 0 agents from all.json. 5 agents were imported before.\n',
        stderr: '',
      });
    },
  );

  test('a statement that the database refuses is told in one sentence', async () => {
    const { url, engine: opened } = await openDatabase(engine);
    await opened.db.schema.dropTable('reports').execute();
    const { code, stdout, stderr } = await registry(url, 'dismiss-reports', '00000000-0000-4000-8000-000000000000');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^The database refused a statement: [^\n]*reports[^\n]*\.\n$/);
  });

  test('prints the statistics of a database, and refuses an empty one', async () => {
    const database = await openDatabase(engine);
    await createAgentStore(database.engine).load([makeAgent({ category: 'vision' })]);
    const { stdout } = await registry(database.url, 'stats', '--json');
    const measured = JSON.parse(stdout) as { databaseBytes: number; migrations: string[] };
    expect(measured).toMatchObject({
      agents: 1,
      hidden: 0,
      byCategory: { vision: 1, chatbot: 0 },
      monthlyViews: 0,
      allViews: 0,
    });
    expect(measured.databaseBytes).toBeGreaterThan(10_000);
    expect(measured.migrations).toEqual([SCHEMA]);

    await database.clear();
    expect((await registry(database.url, 'stats')).code).toBe(1);
    await database.reopen();
  });
});

describe('withdrawn, held and reported agents, whose stores are tested on both engines', () => {
  const [sqlite, postgres] = engines;

  test('withdraws and restores agents, resets a key, and deletes for good', async () => {
    const database = await openDatabase(sqlite);
    const server = await serve(database);
    const agent = await register(server, 'Otter');
    const look = async () => (await fetch(`${server.url}/api/agents/${agent.id}`)).status;
    const withdrawing = await registry(database, 'withdraw', agent.id);
    expect(withdrawing).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Withdrawn: Otter .*30 days/s) as string,
    });
    expect(await look()).toBe(410);
    expect(await registry(database, 'list', '--withdrawn')).toMatchObject({
      stdout: expect.stringMatching(`^${agent.id}\t[^\t]+\tOtter\n$`) as string,
    });
    for (const command of ['reset-key', 'withdraw'])
      expect(await registry(database, command, agent.id)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          `^Nothing was changed: the agent ${agent.id} is withdrawn, since .+Z\\.\n$`,
        ) as string,
      });
    expect(await registry(database, 'restore-agent', agent.id)).toMatchObject({ code: 0 });
    expect(await look()).toBe(200);

    const key = (await registry(database, 'reset-key', agent.id)).stdout.trim();
    expect(await registry(database, 'backup', 'registry.backup')).toMatchObject({ code: 0 });
    const other = await openDatabase(postgres);
    expect(await registry(other, 'restore', 'registry.backup')).toMatchObject({ code: 0 });
    const restored = await serve(other);
    const withKey = { method: 'DELETE', headers: { authorization: `Bearer ${key}` } };
    for (const { url: base } of [server, restored]) {
      expect((await fetch(`${base}/api/agents/${agent.id}`, withKey)).status).toBe(200);
    }
    expect(await registry(database, 'delete', agent.id, '--yes')).toMatchObject({ code: 0 });
    expect(await look()).toBe(404);
  });

  test('lists and releases held agents, and lists and dismisses reports', async () => {
    const database = await openDatabase(postgres);
    const store = createAgentStore(database.engine);
    const names = ['Otter', 'Otter Desk', 'Badger'];
    const agents: Agent[] = [];
    for (const name of names) agents.push((await store.register(makeNewAgent({ name }), { isHeld: true })).agent);
    const [otter, desk, badger] = agents as [Agent, Agent, Agent];
    const lines = agents.map(({ id, createdAt, name }) => `${id}\t${createdAt}\t${name}\n`);
    const list = await registry(database, 'list', '--held');
    expect(list).toMatchObject({ code: 0 });
    expect(list.stdout.replaceAll(/\t[0-9a-f]{64}\n/g, '\n')).toBe(
      lines.map((line) => line.replace('\n', '\tnew\n')).join(''),
    );
    expect(await registry(database, 'release', '--text', 'otter')).toEqual({
      code: 1,
      stdout: lines.slice(0, 2).join(''),
      stderr: '2 agents would be released. Repeat the command with --yes to do it.\n',
    });
    const released = await registry(database, 'release', '--text', 'otter', '--yes');
    const undo = [otter, desk].map(({ id, name }) => `${id}\t${name}\n`).join('');
    expect(released).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(`^${undo}Released: 2 agents\\.\nTo take them back`) as string,
    });
    await writeFile(join(folder, 'released.txt'), undo);
    const undoing = await registry(database, 'hold', '--yes', '--file', 'released.txt');
    expect(undoing).toMatchObject({ code: 0, stdout: `${undo}Held: 2 agents.\n` });
    expect(await store.list()).toEqual([]);
    const single = await registry(database, 'release', badger.id);
    expect(single).toEqual({ code: 0, stdout: `Released: Badger (${badger.id}).\n`, stderr: '' });

    await store.report(badger.id, { reason: 'spam', text: 'Buy\nthis' });
    await store.report(badger.id, { reason: 'broken', text: null });
    await store.report(badger.id, { reason: 'spam', text: null });
    expect(await registry(database, 'list', '--reported')).toMatchObject({
      code: 0,
      stdout: `${badger.id}\t3\tspam 2, broken 1\tBadger\tBuy this\n`,
    });
    const dismissing = await registry(database, 'dismiss-reports', badger.id);
    expect(dismissing).toEqual({ code: 0, stdout: 'Dismissed: 3 reports.\n', stderr: '' });
    expect(await registry(database, 'dismiss-reports', badger.id)).toMatchObject({ code: 1 });
  });
});

describe('files of the command line, which are the same on every engine', () => {
  const [engine] = engines;

  test('prints texts that were stored earlier without what a terminal obeys or hides, and refuses to import them', async () => {
    const database = await openDatabase(engine);
    const store = createAgentStore(database.engine);
    const old = makeAgent({ name: 'A\u001B[31m\u009B\tB\u202E\uFFFE\u{E0041}🏴󠁧󠁢󠁥󠁮󠁧󠁿\u200Eم' });
    await store.load([old]);
    await store.report(old.id, { reason: 'spam', text: 'x\n\u2066y\u0007' });
    const shown = 'A\uFFFD[31m\uFFFD B\uFFFD\uFFFD\uFFFD🏴󠁧󠁢󠁥󠁮󠁧󠁿\u200Eم';
    const { stdout: rows } = await registry(database, 'list');
    expect(rows).toBe(`${old.id}\t${old.createdAt}\t${shown}\n`);
    const { stdout: reported } = await registry(database, 'list', '--reported');
    expect(reported).toBe(`${old.id}\t1\tspam 1\t${shown}\tx \uFFFDy\uFFFD\n`);
    const { stdout: json } = await registry(database, 'list', '--json');
    expect(json).not.toMatch(/[[\p{Cc}--\n]\u202E\uFFFE\u{E0041}]/v);
    expect(JSON.parse(json)).toMatchObject({ id: old.id, name: old.name });
    expect((await registry(database, 'hide', old.id, '--reason', 'Spam')).stdout).toBe(
      `Hidden: ${shown} (${old.id}).\n`,
    );
    await writeFile(join(folder, 'old.ndjson'), JSON.stringify(makeNewAgent({ name: old.name })));
    expect(await registry(database, 'import', 'old.ndjson')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Line 1: Name must not have the invisible character U\+001B\.\n/) as string,
    });
  });

  test.runIf(runsAll)('refuses a backup of a newer version and changes nothing', async () => {
    const database = await openDatabase(engine);
    const { agent } = await createAgentStore(database.engine).register(makeNewAgent());
    expect(await registry(database, 'backup', 'registry.backup')).toMatchObject({ code: 0 });
    const path = join(folder, 'registry.backup');
    const lines = gunzipSync(await readFile(path)).toString();
    await writeFile(path, gzipSync(lines.replace('"version":1', '"version":2')));
    expect(await registry(database, 'restore', '--overwrite', 'registry.backup')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'registry.backup was written by a newer version of Agent Registry: this version does not know version 2 of backups.\n',
    });
    expect(await createAgentStore(database.engine).list()).toEqual([agent]);
  });

  test('imports the valid lines of a file, prints the others and writes them to a file; or imports none', async () => {
    const database = await openDatabase(engine);
    const known = makeAgent({ name: 'Known' });
    const agents = createAgentStore(database.engine);
    await agents.load([known]);
    const [whole, given] = [makeAgent({ rating: 4.5, createdAt: '2026-02-03T04:05:06.007Z' }), makeNewAgent()];
    const lines = [whole, { ...given, name: '' }, given, known, '{'].map((line) =>
      typeof line === 'string' ? line : JSON.stringify(line),
    );
    await writeFile(join(folder, 'agents.ndjson'), lines.join('\n'));

    // Invalid lines are reported before anything is written.
    const none = await registry(database, 'import', 'agents.ndjson', '--all-or-nothing');
    expect(none).toEqual({
      code: 1,
      stdout: 'Imported 0 agents from agents.ndjson.\n',
      stderr:
        'Line 2: Name is required.\nLine 5: The line is not valid JSON.\n' +
        '2 lines were refused. The reasons are in agents.ndjson.rejected.ndjson.\n',
    });
    await writeFile(join(folder, 'taken.ndjson'), [lines[0], lines[3]].join('\n'));
    expect(await registry(database, 'import', 'taken.ndjson', '--all-or-nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Line 2: Another agent has this id\.\n1 line was refused/) as string,
    });
    expect(await agents.list()).toEqual([known]);

    const some = await registry(database, 'import', 'agents.ndjson');
    expect(some).toMatchObject({ code: 1, stdout: 'Imported 2 agents from agents.ndjson.\n' });
    expect(await agents.list()).toEqual([
      { ...given, id: expect.any(String), rating: 0, reviewCount: 0, createdAt: expect.any(String) },
      whole,
      known,
    ]);
    const rejected = (await readFile(join(folder, 'agents.ndjson.rejected-2.ndjson'), 'utf8')).trim().split('\n');
    expect(rejected.map((line) => JSON.parse(line) as unknown)).toEqual([
      { line: 2, reason: 'Name is required', text: lines[1] },
      { line: 5, reason: 'The line is not valid JSON', text: '{' },
      { line: 4, reason: 'Another agent has this id', text: lines[3] },
    ]);
  });

  test('exports and imports the same agents in the same order, in each format', async () => {
    const [from, to] = [await openDatabase(engine), await openDatabase(engine)];
    const agents = Array.from({ length: 12 }, (_, index) =>
      makeAgent({
        name: `=Otter ${index % 3}, "${index}"`,
        capabilities: ['a, b', `'c${index}`],
        rating: index / 10,
        ...(index === 3 && ofRepository),
      }),
    );
    for (const agent of agents) await createAgentStore(from.engine).load([agent]);
    const look = async ({ engine }: TestDatabase) => {
      const store = createAgentStore(engine);
      return [await store.list(), await store.search({ text: 'otter' }), await store.countByCategory()];
    };
    for (const name of ['agents.ndjson', 'agents.json', 'agents.csv']) {
      expect(await registry(from, 'export', name)).toMatchObject({ code: 0, stderr: '' });
      await to.empty();
      expect(await registry(to, 'import', name)).toMatchObject({ code: 0, stderr: '' });
      expect(await look(to)).toEqual(await look(from));
    }
    expect((await readdir(folder)).toSorted()).toEqual(['agents.csv', 'agents.json', 'agents.ndjson']);
    expect((await registry(from, 'export', 'agents.csv')).code).toBe(1);
  });

  test.runIf(runsAll)(
    'with PUBLIC_CONTACT=page exports contact emails on request only, and an import says that they are missing',
    async () => {
      const [{ engine: from, url }, to] = [await openDatabase(engine), await openDatabase(engine)];
      const agent = makeAgent({ contactEmail: 'otter@example.com' });
      await createAgentStore(from).load([agent]);
      const withPolicy = (...args: string[]) => runCommandLine(url, args, { settings: { PUBLIC_CONTACT: 'page' } });
      expect(await withPolicy('export', 'public.json')).toMatchObject({
        code: 0,
        stdout:
          'Exported 1 agent to public.json. Contact emails were left out, because PUBLIC_CONTACT is page; --contacts adds them.\n',
      });
      expect(JSON.parse(await readFile(join(folder, 'public.json'), 'utf8'))).toEqual([
        { ...agent, contactEmail: null },
      ]);
      expect((await withPolicy('export', 'list.csv')).code).toBe(0);
      expect(await readFile(join(folder, 'list.csv'), 'utf8')).not.toContain('@');
      expect((await registry(to, 'import', 'public.json')).stderr).toContain(
        'Entry 1: Contact email is required; an export has it with --contacts.\n',
      );
      expect(await withPolicy('export', 'all.json', '--contacts')).toMatchObject({
        stdout: 'Exported 1 agent to all.json.\n',
      });
      expect(JSON.parse(await readFile(join(folder, 'all.json'), 'utf8'))).toEqual([agent]);
    },
  );
});

describe('commands', () => {
  const url = () => `file:${join(folder, 'registry.db')}`;

  test('--help lists every command', async () => {
    const { code, stdout } = await registry(url(), '--help');
    expect(code).toBe(0);
    const commands =
      'backup restore import export hide show search release withdraw restore-agent reset-key delete list dismiss-reports log webhook stats';
    for (const command of commands.split(' ')) expect(stdout).toMatch(new RegExp(`^  ${command}[ |]`, 'm'));
  });

  test.each([
    ['hide', 'The id of a hidden agent cannot be registered again.'],
    ['delete', 'Left to you: backups, exports and .rejected.ndjson files'],
    ['import', 'Try it with --dry-run.'],
    ['console', 'It is a process of its own on 127.0.0.1'],
  ])('help %s says what the command does in full', async (command, text) => {
    const { code, stdout } = await registry(url(), 'help', command);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(text);
  });

  test('an unknown command or invalid arguments exit with 2 and create nothing', async () => {
    const wrong = [[], ['destroy'], ['hide', 'id'], ['stats', '--all']];
    const answers = await Promise.all(wrong.map((args) => registry(url(), ...args)));
    expect(answers.map(({ code, stdout }) => ({ code, stdout }))).toEqual(wrong.map(() => ({ code: 2, stdout: '' })));
    expect(answers.filter(({ stderr }) => stderr === '')).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  });

  test('a failed command exits with 1 and one sentence, and creates nothing', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    const missing = (call: string, path: string) =>
      new RegExp(`^ENOENT: no such file or directory, ${call} '${join(folder, path)}[^']*'\\.\\n$`);
    const cases: [string[], RegExp][] = [
      [['stats'], /^The database .+ cannot be opened: there is no such file\.\n$/],
      [['hide', '123', '--reason', 'Spam'], /^The id of an agent must be a UUID, such as [^\n]+\.\n$/],
      [['hide', id, '--reason', '\n'], /^The reason must have visible characters\.\n$/],
      [['hide', id, '--reason', 'a\nb'], /^The reason must be one line\.\n$/],
      [['hide', '--reason', 'Spam', '--yes'], /^Select agents by their ids or by options [^\n]+\.\n$/],
      [['hide', '--reason', 'Spam', '--file', 'missing'], missing('open', 'missing')],
      [['restore', 'missing'], missing('open', 'missing')],
      [['import', 'missing.csv'], missing('stat', 'missing.csv')],
      [['import', 'quotes.csv'], /^quotes\.csv is not valid CSV in line 2: [^\n]+\.\n$/],
      [['import', 'agents.xml'], /^The name of agents\.xml must end in \.ndjson, \.jsonl, \.json, \.csv or \.md\.\n$/],
    ];
    await writeFile(join(folder, 'quotes.csv'), 'name,description\nTV Bot,For a 24" screen,\n');
    const answers = await Promise.all(cases.map(([args]) => registry(url(), ...args)));
    for (const [index, { code, stdout, stderr }] of answers.entries()) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(cases[index]![1]);
    }
    expect(await readdir(folder)).toEqual(['quotes.csv']);
  });

  test('an unreachable database or an invalid setting exits with 1 and one sentence', async () => {
    const away = await registry('postgres://user:password@127.0.0.1:1/registry', 'stats');
    expect(away).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The database cannot be opened: The database does not answer: [^\n]+\n$/),
    });
    const bad = await registry('mysql://host', 'stats');
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/^DATABASE_URL must name [^\n]+\.\n$/);
  });

  test.runIf(runsAll)(
    'an import that cannot write the refused entries exits with 1 and one sentence, and adds nothing',
    async () => {
      await writeFile(join(folder, 'agents.ndjson'), `{}\n${JSON.stringify(makeNewAgent())}\n`);
      const noRoom = ['sh', '-c', 'ulimit -S -f 0 && exec "$@"', 'sh'];
      const { code, stdout, stderr } = await runCommand(
        folder,
        { DATABASE_URL: url() },
        ['import', 'agents.ndjson'],
        noRoom,
      );
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(/^Line 1: [^\n]+\nagents\.ndjson\.rejected\.ndjson cannot be written: EFBIG[^\n]+\.\n$/);
      expect(await readdir(folder)).not.toContain('registry.db');
    },
  );

  test.runIf(runsAll)('a command whose output nobody reads to its end exits with 0 and says nothing', async () => {
    const intoPipe = ['sh', '-c', '{ "$@"; echo "exit code $?" >&2; } | true', 'sh'];
    expect(await runCommand(folder, {}, ['--help'], intoPipe)).toMatchObject({ stderr: 'exit code 0\n' });
  });

  test('an empty file, and options of exports that do not fit, are refused with a sentence', async () => {
    await writeFile(join(folder, 'empty.csv'), '');
    expect(await registry(url(), 'import', 'empty.csv')).toMatchObject({
      code: 1,
      stderr: 'empty.csv is empty.\n',
    });
    expect(await registry(url(), 'export', 'agents.ndjson', '--public')).toMatchObject({
      code: 1,
      stderr: 'With --public the file must end in .ndjson.gz.\n',
    });
    expect(await registry(url(), 'export', 'agents.ndjson.gz', '--public', '--contacts')).toMatchObject({
      code: 1,
      stderr: 'With --public a file has no contact emails. Leave out --contacts.\n',
    });
  });

  test('an import of a file with a syntax error at its end changes nothing', async () => {
    await writeFile(join(folder, 'agents.json'), `[${JSON.stringify(makeNewAgent())},`);
    const { code, stderr } = await registry(url(), 'import', 'agents.json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'agents.json is not valid JSON after its entry 1.\n' });
    expect(await readdir(folder)).toEqual(['agents.json']);
  });
});
