import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createManagementKey,
  describeSources,
  type Agent,
  type ListedAgent,
  type EntryFacts,
} from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { forgetWithdrawn, WITHDRAWAL_PERIOD } from '../agents/unlisted-agents.ts';
import { engines, surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { runCommandLine, startSourceServer, type SourceServer } from '../testing/source-server.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { createSourceStore } from './source-store.ts';

const common = { contact: 'operator@example.com', licence: 'CC0-1.0' };
const mcp = {
  ...common,
  name: 'mcp',
  kind: 'mcp-registry',
  address: 'https://website.example/mcp/',
  categories: { '*': 'automation' },
  attribution: 'MCP Registry',
};
const partner = {
  ...common,
  name: 'partner',
  kind: 'agent-registry',
  address: 'https://other.example',
  categories: { assistants: 'chatbot' },
  licence: 'CC-BY-4.0',
  attribution: 'Otter Registry',
};

type Server = { name?: unknown; status?: string; updatedAt?: string; [field: string]: unknown };

/** A server of an MCP registry. */
function makeServer({ name, status = 'active', updatedAt = '2026-11-20T10:00:00Z', ...fields }: Server) {
  const server = { name: `example.${name as string}/server`, description: `Says ${name as string}.`, ...fields };
  return { server, _meta: { 'io.modelcontextprotocol.registry/official': { status, updatedAt } } };
}

/** The log of changes of a registry that has these agents, each known by its name. */
function makeChanges(agents: readonly Partial<Agent>[]) {
  const changes = agents.map((agent) => ({
    id: agent.name,
    change: 'listed',
    agent: { category: 'assistants', ...agent },
  }));
  return { changes, next: 'x', hasMore: false };
}

const names = ['ant', 'bee', 'cat', 'dog', 'elk', 'fox'];
const servers = names.map((name) => makeServer({ name, websiteUrl: `https://${name}.example.com/` }));

describe.each(surfaceEngines)('sync on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let server: SourceServer;
  let operator: OperatorStore;

  beforeAll(async () => {
    [database, server] = await Promise.all([open(), startSourceServer()]);
    app = await startTestApp({ database });
    operator = createOperatorStore(database.engine);
    return async () => {
      await app.close();
      await database.remove();
      await server.close();
    };
  });

  beforeEach(() => database.empty());

  const sync = (...options: string[]) => server.sync(database, [mcp], ...options);
  const follow = async (list: readonly unknown[], ...options: string[]) => {
    server.answerWith(() => ({ body: { servers: list, metadata: {} } }));
    const result = await sync(...options);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    return result.stdout;
  };
  const listNames = async () => (await app.agents.list()).map(({ name }) => name).toSorted();
  const find = async (description: string) =>
    (await app.agents.list()).find((agent) => agent.description === description) as Agent;
  const readFacts = async (id: string) =>
    (await (await fetch(`${app.url}/api/agents/${id}/facts`)).json()) as EntryFacts;

  test('does what it lists with --dry-run: entries with their source, licence and day', async () => {
    const pages = [servers.slice(0, 4), servers.slice(4)];
    server.answerWith((url) => {
      const page = url.searchParams.get('cursor') === null ? 0 : 1;
      return { body: { servers: pages[page], metadata: page === 0 ? { nextCursor: 'a/b:1.0' } : {} } };
    });
    const dry = await sync('--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('mcp (read completely): 6 to add, 0 to change, 0 to withdraw') as string,
    });
    expect(dry.stdout.match(/^mcp\tadd\t.*\tserver$/gm)).toHaveLength(6);
    expect(await listNames()).toEqual([]);
    expect(server.asked.map(String)).toEqual([
      'https://website.example/mcp/v0.1/servers?limit=100&version=latest',
      'https://website.example/mcp/v0.1/servers?limit=100&version=latest&cursor=a%2Fb%3A1.0',
    ]);

    expect(await sync('--by', 'Ada')).toMatchObject({ code: 0 });
    const { stdout: actions } = await runCommandLine(database, ['log']);
    expect(actions.match(/\tAda\tsync\t/g)).toHaveLength(6);
    const agent = await find('Says ant.');
    expect(agent).toMatchObject({
      name: 'server',
      category: 'automation',
      contactEmail: 'operator@example.com',
      website: 'https://ant.example.com/',
      rating: 0,
    });
    const day = new Date().toISOString().slice(0, 10);
    const sources = [{ attribution: 'MCP Registry', licence: 'CC0-1.0', day }];
    expect((await readFacts(agent.id)).sources).toEqual(sources);
    const shown = await runCommandLine(database, ['show', agent.id]);
    expect(shown.stdout).toMatch(/^source +mcp, MCP Registry, CC0-1\.0, of /m);
    expect((await sync()).stdout).toContain('0 to add, 0 to change, 0 to withdraw, 6 unchanged');
  });

  test('reads what changed since: changes, removals and additions, as changes by an import', async () => {
    await follow(servers);
    const [ant, bee] = [await find('Says ant.'), await find('Says bee.')];
    const changed = [
      makeServer({ name: 'ant', title: 'The Ant', remotes: [{ type: 'sse', url: 'https://ant.example.com/sse' }] }),
      makeServer({ name: 'bee', status: 'deleted', updatedAt: '2026-11-21T10:00:00Z' }),
      makeServer({ name: 'gnu', updatedAt: '9999-01-01T00:00:00Z' }),
    ];
    expect(await follow(changed)).toContain('mcp (read since the last time): 1 to add, 1 to change, 1 to withdraw');
    expect(server.asked[0]?.searchParams.get('updated_since')).toBe('2026-11-20T10:00:00.000Z');
    expect(await app.agents.find(ant.id)).toMatchObject({ name: 'The Ant', apiAccess: 'yes', website: null });
    expect(await app.agents.find(bee.id)).toBeUndefined();
    const { history } = (await operator.inspect(bee.id)) ?? {};
    expect(history?.map(({ actor, change }) => [actor, change])).toEqual([
      ['import', 'listed'],
      ['import', 'removed'],
    ]);
    // A time of the future would hide all changes before it.
    await follow([]);
    expect(server.asked[0]?.searchParams.get('updated_since')).toBe('2026-11-21T10:00:00.000Z');
    expect(await listNames()).toHaveLength(6);
  });

  test('absence withdraws after a complete crawl only, and an entry that comes back is listed again', async () => {
    await follow(servers);
    const { id } = await find('Says fox.');
    await follow(servers.slice(0, 5));
    expect(await listNames()).toHaveLength(6);
    expect(await follow(servers.slice(0, 5), '--complete')).toContain(`mcp\twithdraw\t${id}\tserver\n`);
    expect(await app.agents.find(id)).toBeUndefined();
    expect(await follow(servers.slice(0, 5), '--complete')).toContain('0 to withdraw, 5 unchanged');
    expect(await follow([makeServer({ name: 'fox', title: 'Fox' })])).toContain(`mcp\treturn\t${id}\tserver\n`);
    expect(await app.agents.find(id)).toMatchObject({ name: 'Fox' });
  });

  test('an agent that was forgotten after its entry had gone can come back under another id', async () => {
    await follow(servers);
    const { id } = await find('Says fox.');
    await follow(servers.slice(0, 5), '--complete');
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD + 1_000);
    await follow(servers);
    const back = await find('Says fox.');
    expect(back.id).not.toBe(id);
    await follow(servers.slice(0, 5), '--complete');
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD + 1_000);
    const entries = await database.engine.db.selectFrom('agent_sources').selectAll().execute();
    expect(entries).toHaveLength(5);
  });

  test('more than 20 % withdrawals and an empty source stop, with the lines, unless the operator says so', async () => {
    await follow(servers);
    server.answerWith(() => ({ body: { servers: servers.slice(0, 4), metadata: {} } }));
    expect(await sync('--complete')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('mcp\twithdraw\t') as string,
      stderr: expect.stringContaining('2 of its 6 agents would be withdrawn, which is more than 20 %.') as string,
    });
    expect(await listNames()).toHaveLength(6);
    expect(await sync('--complete', '--many-withdrawals', 'mcp')).toMatchObject({ code: 0 });
    expect(await listNames()).toHaveLength(4);
    server.answerWith(() => ({ body: { servers: [], metadata: {} } }));
    expect(await sync('--complete', '--many-withdrawals', 'mcp')).toMatchObject({
      code: 1,
      stderr: 'mcp was not followed: it has no entry that can be read, and 4 of its agents are listed here.\n',
    });
    expect(await listNames()).toHaveLength(4);
  });

  test.each([
    [
      'changed',
      names.slice(0, 2).map((name) => makeServer({ name, title: 'Other' })),
      '2 of its 6 agents would be changed',
    ],
    ['added', ['owl', 'pig'].map((name) => makeServer({ name })), '2 would be added to its 6 agents'],
  ])(
    'more than 20 %% %s by a source that was followed before stop, unless the operator says so',
    async (_what, list, reason) => {
      await follow(servers);
      const before = await app.agents.list();
      server.answerWith(() => ({ body: { servers: list, metadata: {} } }));
      expect(await sync()).toMatchObject({
        code: 1,
        stderr: `mcp was not followed: ${reason}, which is more than 20 %. If that is right, repeat the command with --many-additions mcp.\n`,
      });
      expect(await app.agents.list()).toEqual(before);
      expect(await sync('--many-additions', 'mcp')).toMatchObject({ code: 0 });
      expect(await app.agents.list()).not.toEqual(before);
    },
  );

  test('an agent with a key or a proved website is its owner’s: not changed, not withdrawn, not called imported', async () => {
    await follow(servers);
    const [ant, bee] = [await find('Says ant.'), await find('Says bee.')];
    await operator.setKeyHash(ant.id, 'c0ffee');
    const proved = { website: 'https://bee.example.com/', proof: 'host' } as const;
    await createAgentStore(database.engine).claim(bee.id, proved, createManagementKey());
    const claimed = [await app.agents.find(ant.id), await app.agents.find(bee.id)];
    const others = ['ant', 'bee'].map((name) => makeServer({ name, title: 'Other' }));
    expect(await follow([...others, ...servers.slice(2)])).toContain('4 unchanged, 2 kept');
    expect(await follow(servers.slice(2), '--complete')).toContain('0 to withdraw, 4 unchanged');
    expect([await app.agents.find(ant.id), await app.agents.find(bee.id)]).toEqual(claimed);
    expect((await readFacts(ant.id)).sources).toBeUndefined();
    expect((await readFacts(bee.id)).sources).toBeUndefined();
    // The entry is known, so that it does not become a second agent.
    expect(await follow(servers, '--complete')).toContain('0 to add');
  });

  test('an agent that is claimed while it is written stays as it is', async () => {
    const { agent } = await createAgentStore(database.engine).register(makeNewAgent(), {
      key: createManagementKey(),
    });
    const selection = { ids: new Set([agent.id]) };
    expect(await operator.edit(selection, { name: 'Other' }, 'import')).toEqual([]);
    expect(await operator.withdraw(selection, 'import')).toEqual([]);
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test('a pinned field stays, others follow the source, until it is unpinned', async () => {
    await follow(servers);
    const { id } = await find('Says ant.');
    const command = (...args: string[]) => runCommandLine(database, args);
    await command('edit', id, 'name=Our name', 'category=vision');
    expect(await command('pin', id, 'name', 'category')).toMatchObject({
      code: 0,
      stdout: 'Pinned: name, category.\n',
    });
    await follow([makeServer({ name: 'ant', description: 'New.' })]);
    expect(await app.agents.find(id)).toMatchObject({ name: 'Our name', category: 'vision', description: 'New.' });
    expect(await command('unpin', id, 'name')).toMatchObject({ code: 0, stdout: 'Pinned: category.\n' });
    await follow([makeServer({ name: 'ant', description: 'New.' })]);
    expect(await app.agents.find(id)).toMatchObject({ name: 'server', category: 'vision' });
    expect(await command('pin', id, 'rating')).toMatchObject({ code: 1, stderr: /^Name some of these fields: / });
    expect(await command('pin', makeAgent().id, 'name')).toMatchObject({
      code: 1,
      stderr: 'No source has this agent.\n',
    });
  });

  test('who pinned and unpinned fields is recorded, and a command that changes nothing is not', async () => {
    await follow(servers);
    const { id, name } = await find('Says ant.');
    const command = async (...args: string[]) => runCommandLine(database, [...args, '--by', 'Ana']);
    await command('pin', id, 'name', '--reason', 'Ours is right');
    await command('pin', id, 'name');
    await command('unpin', id, 'category');
    await operator.hide({ ids: new Set([id]) }, 'Spam');
    await command('unpin', id, 'name');
    const { stdout } = await runCommandLine(database, ['log', '--id', id, '--json']);
    const actions = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const who = { by: 'Ana', agentId: id, name };
    expect(actions.slice(-2)).toMatchObject([
      { command: 'pin', reason: 'Ours is right', ...who },
      { command: 'unpin', reason: '', ...who },
    ]);
    expect(actions.map((action) => (action as { command: string }).command)).toEqual(['sync', 'pin', 'unpin']);
  });

  test('the same name and website join as a second source, which takes the agent over when the first has lost it', async () => {
    const entry = (website: string, name = 'Server') => ({ name, description: 'An ant.', website });
    const answer = (list: readonly unknown[], entries: readonly Partial<Agent>[]) =>
      server.answerWith(({ hostname }) => ({
        body: hostname === 'other.example' ? makeChanges(entries) : { servers: list, metadata: {} },
      }));
    const both = (...options: string[]) => server.sync(database, [mcp, partner], '--complete', ...options);
    const entries = [entry('http://www.ant.example.com'), entry('https://new.example.com', 'New')];
    answer(servers, entries);
    const dry = await server.sync(database, [mcp, partner], '--dry-run');
    expect(dry.stdout).toContain(
      'partner (read completely): 1 to add, 0 to change, 0 to withdraw, 1 with the name and',
    );
    const { code, stdout } = await both();
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^partner\tjoin\t.*\tserver$/m) as string,
    });
    const ant = await find('Says ant.');
    // The facts of a page are renewed once an hour.
    const store = createSourceStore(database.engine);
    const attributions = async () => (await store.ofAgent(ant.id)).map(({ attribution }) => attribution);
    expect(await attributions()).toEqual(['MCP Registry', 'Otter Registry']);

    answer(servers.slice(1), entries);
    await sync('--complete');
    expect(await app.agents.find(ant.id)).toMatchObject({ description: 'Says ant.' });
    expect(await attributions()).toEqual(['Otter Registry']);
    await both('--many-additions', 'partner');
    expect(await app.agents.find(ant.id)).toMatchObject({ description: 'An ant.', category: 'chatbot' });
    answer(servers.slice(1), entries.slice(1));
    expect(await both('--many-withdrawals', 'partner')).toMatchObject({ code: 0 });
    expect(await app.agents.find(ant.id)).toBeUndefined();
    // What went with one source comes with another one.
    answer([...servers.slice(1), makeServer({ name: 'owl', websiteUrl: 'https://ant.example.com' })], entries.slice(1));
    await both();
    expect(await find('Says owl.')).toBeDefined();
  });

  test('a shared address alone joins nothing: within a source, between two, and with an agent that was registered', async () => {
    const website = 'https://github.com/acme/monorepo';
    const five = names.slice(0, 5).map((name) => makeServer({ name, title: name, websiteUrl: website }));
    const theirs = makeChanges(['owl', 'pig', 'ant'].map((name) => ({ name, description: `Is ${name}.`, website })));
    const { agent: owned } = await app.agents.register(makeNewAgent({ website }), { key: createManagementKey() });
    server.answerWith(({ hostname }) => ({
      body: hostname === 'other.example' ? theirs : { servers: five, metadata: {} },
    }));
    const { stdout } = await server.sync(database, [mcp, partner]);
    expect(stdout).toContain('mcp (read completely): 5 to add');
    expect(stdout).toContain(
      'partner (read completely): 2 to add, 0 to change, 0 to withdraw, 1 with the name and website',
    );
    expect(await listNames()).toEqual([...names.slice(0, 5), 'owl', 'pig', owned.name].toSorted());
    expect(await app.agents.find(owned.id)).toEqual(owned);
    // Both pages say so.
    const imported = (await app.agents.list()).filter(({ id }) => id !== owned.id);
    expect((await readFacts(owned.id)).besides).toHaveLength(5);
    for (const { id } of imported) {
      expect((await readFacts(id)).besides).toEqual([{ id: owned.id, name: owned.name, shares: 'website' }]);
    }
    const again = await server.sync(database, [mcp, partner], '--complete');
    expect(again.stdout).toMatch(/0 to add, 0 to change, 0 to withdraw, 5 unchanged\.[^]*0 to add.* 3 unchanged\./);
  });

  test('an entry with a website that an owner has proved is not added, and counted', async () => {
    const { agent } = await app.agents.register(makeNewAgent({ website: 'https://ant.example.com/' }), {});
    const proved = { website: 'https://ant.example.com/', proof: 'host' } as const;
    await createAgentStore(database.engine).claim(agent.id, proved, createManagementKey());
    server.answerWith(() => ({ body: { servers, metadata: {} } }));
    expect((await sync()).stdout).toContain(
      '5 to add, 0 to change, 0 to withdraw, 0 unchanged, 1: the owner of another entry has shown control of its website (not added)',
    );
    expect(await listNames()).toHaveLength(6);
    expect((await readFacts(agent.id)).sources).toBeUndefined();
  });

  test.each([
    ['the one that is marked', ['1.10.0', '1.9.0'], 1, '1.9.0'],
    ['else the highest', ['1.9.0', '1.10.0-rc.1', '1.10.0', '1.2.0'], undefined, '1.10.0'],
  ])('of several versions of one entry one is chosen first: %s', async (_which, versions, latest, chosen) => {
    const list = versions.map((version, index) => {
      const { server: described, _meta } = makeServer({ name: 'ant', title: version, version });
      const official = Object.values(_meta)[0] as object;
      return {
        server: described,
        _meta: { 'io.modelcontextprotocol.registry/official': { ...official, isLatest: index === latest } },
      };
    });
    await follow(list);
    expect(await listNames()).toEqual([chosen]);
  });

  test('then its state is read: deprecated is shown with its message, deleted withdraws, an unknown one is not taken', async () => {
    const list = [
      makeServer({ name: 'ant', title: 'Ant', version: '2.0.0', status: 'deprecated' }),
      makeServer({ name: 'bee', title: 'Bee', version: '2.0.0', status: 'deleted' }),
      makeServer({ name: 'bee', title: 'Bee', version: '1.0.0' }),
      makeServer({ name: 'cat', title: 'Cat', version: '1.0.0', status: 'paused' }),
    ];
    Object.assign(Object.values(list[0]!._meta)[0] as object, { statusMessage: 'Use Dog' });
    server.answerWith(() => ({ body: { servers: list, metadata: {} } }));
    const { stderr } = await sync();
    expect(stderr).toContain('mcp, example.cat/server: Its status is unknown.');
    expect(await listNames()).toEqual(['Ant']);
    const [{ id }] = (await app.agents.list()) as [Agent];
    const { sources = [] } = await readFacts(id);
    expect(describeSources(sources)[0]).toMatch(
      /^Imported from MCP Registry, not claimed, deprecated there: Use Dog \(/,
    );
  });

  test('agents that the operator hid, withdrew or erased do not come back', async () => {
    await follow(servers);
    const [ant, bee, cat] = [await find('Says ant.'), await find('Says bee.'), await find('Says cat.')];
    await operator.hide({ ids: new Set([ant.id]) }, 'Spam');
    await operator.withdraw({ ids: new Set([bee.id]) });
    await runCommandLine(database, ['pin', cat.id, 'name']);
    await operator.erase({ ids: new Set([cat.id]) });
    const rows = await database.engine.db
      .selectFrom('agent_sources')
      .selectAll()
      .where('agent_id', 'is', null)
      .execute();
    expect(rows).toMatchObject([{ source: 'mcp', attribution: '', licence: '' }]);
    expect(await database.engine.db.selectFrom('pinned_fields').selectAll().execute()).toEqual([]);
    expect(await follow(servers.slice(3), '--complete')).toContain('3 unchanged.');
    expect(await follow(servers)).toContain('0 to add, 0 to change, 0 to withdraw, 3 unchanged, 3 kept');
    await forgetWithdrawn(database.engine.db, Date.now() + WITHDRAWAL_PERIOD + 1_000);
    expect(await follow(servers)).toContain('0 to add, 0 to change, 0 to withdraw, 3 unchanged, 3 kept');
    // Another source does not bring a hidden agent back either.
    server.answerWith(() => ({
      body: makeChanges([{ name: 'A', description: 'A', website: 'https://ant.example.com' }]),
    }));
    const { stdout } = await server.sync(database, [partner]);
    expect(stdout).toContain('1: an entry with its website was taken off the list here (not added)');
    expect(await listNames()).toEqual(['server', 'server', 'server']);
  });

  test('an interrupted synchronisation is done by the next one, and adds nothing twice', async () => {
    await follow(servers);
    const before = await app.agents.list();
    // As if it had ended after it had noted the entries, and added some of the agents.
    const { id } = await find('Says ant.');
    await operator.erase({ ids: new Set([id]) });
    await database.engine.db
      .updateTable('agent_sources')
      .set({ agent_id: id, is_origin: 1 })
      .where('agent_id', 'is', null)
      .execute();
    await database.engine.db.deleteFrom('sources').execute();
    expect(await follow(servers)).toContain('mcp (read completely): 1 to add, 0 to change, 0 to withdraw, 5 unchanged');
    expect((await app.agents.list()).map((agent) => agent.id).toSorted()).toEqual(
      before.map((agent) => agent.id).toSorted(),
    );
  });

  test('a backup has sources, entries and pinned fields, and a restore goes on from them', async () => {
    await follow(servers);
    const ant = await find('Says ant.');
    await runCommandLine(database, ['pin', ant.id, 'name']);
    await operator.erase({ ids: new Set([(await find('Says bee.')).id]) });
    await follow(servers.slice(0, 5), '--complete');
    const readSources = async () => {
      const records: RegistryRecord[] = [];
      for await (const record of operator.read()) records.push(record);
      return records.filter(({ kind }) => ['source', 'agent-source', 'pinned'].includes(kind));
    };
    const records = await readSources();
    expect(records.map(({ kind }) => kind)).toEqual(['source', ...names.map(() => 'agent-source'), 'pinned']);
    const path = join(await mkdtemp(join(tmpdir(), 'agent-registry-')), 'registry.backup');
    expect(await runCommandLine(database.url, ['backup', path])).toMatchObject({ code: 0 });
    await database.empty();
    expect(await runCommandLine(database.url, ['restore', path])).toMatchObject({ code: 0, stderr: '' });
    expect(await readSources()).toEqual(records);
    await rm(path);
  });
});

describe('exports and pages of imported agents', () => {
  let database: TestDatabase;
  let server: SourceServer;
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    [database, server] = await Promise.all([engines[0].open(), startSourceServer()]);
    app = await startTestApp({ database, withSite: true });
    folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
    server.answerWith(() => ({ body: { servers, metadata: {} } }));
    await server.sync(database, [{ ...mcp, attribution: '[MCP] *Registry*' }]);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
    await server.close();
    await rm(folder, { recursive: true });
  });

  test.each(['a.ndjson', 'a.json', 'a.csv'])(
    '%s says from where an agent was imported, and is read again',
    async (name) => {
      const path = join(folder, name);
      expect(await runCommandLine(database, ['export', path])).toMatchObject({ code: 0 });
      const imported = 'Imported from [MCP] *Registry*, not claimed (CC0-1.0, ';
      expect((await readFile(path, 'utf8')).split(imported)).toHaveLength(7);
      const other = await engines[0].open();
      try {
        expect(await runCommandLine(other.url, ['import', path])).toMatchObject({ code: 0, stderr: '' });
        const agents = await createAgentStore(other.engine).list();
        expect(agents.toSorted(byId)).toEqual((await app.agents.list()).toSorted(byId));
      } finally {
        await other.remove();
      }
    },
  );

  test('the page in Markdown says it as text', async () => {
    const [agent] = await app.agents.list();
    const response = await fetch(`${app.url}/agent/${agent?.id}`, { headers: { accept: 'text/markdown' } });
    expect(await response.text()).toMatch(/^- Imported from \\\[MCP\\\] \\\*Registry\\\*, not claimed /m);
  });
});

function byId(one: ListedAgent, other: ListedAgent): number {
  return one.id < other.id ? -1 : 1;
}
