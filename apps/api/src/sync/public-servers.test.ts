import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import type { z } from 'zod';
import { createOperatorStore } from '../operator/operator-store.ts';
import { readDocument } from '../servers/server-documents.ts';
import { nameListedServers } from '../servers/server-names.ts';
import { createAgentStore } from '../stores.ts';
import { engines, surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { makePublicServers, type PublicServer } from '../testing/public-servers.ts';
import { runCommandLine, startSourceServer, type SourceServer } from '../testing/source-server.ts';
import { readDocuments, writeDocuments } from '../servers/server-documents.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { serverListSchema, serverResponseSchema } from '../testing/validate-servers.ts';

const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const source = {
  name: 'public',
  kind: 'mcp-registry',
  address: 'https://website.example',
  categories: { '*': 'automation' },
  contact: 'operator@example.com',
  licence: 'CC0-1.0',
  attribution: 'MCP Registry',
  names: true,
};

type Entry = z.infer<typeof serverResponseSchema>;

async function get(app: TestApp, path: string) {
  const response = await fetch(`${app.url}/v0.1/servers${path}`);
  return { status: response.status, body: await response.json() };
}

/** An answer as it came: parsing it would order the fields. */
function toList(body: unknown) {
  serverListSchema.parse(body);
  return body as z.infer<typeof serverListSchema>;
}

async function crawl(app: TestApp, query = '?limit=100'): Promise<Map<string, Entry>> {
  const found = new Map<string, Entry>();
  for (let cursor = ''; ;) {
    const { servers, metadata } = toList((await get(app, `${query}${cursor}`)).body);
    for (const entry of servers) found.set(entry.server.name, entry);
    if (metadata.nextCursor === undefined) return found;
    cursor = `&cursor=${metadata.nextCursor}`;
  }
}

const toPath = (name: string, version = '') => `/${encodeURIComponent(name)}/versions${version && `/${version}`}`;

const remote = { type: 'streamable-http', url: 'https://tides.acme.com/mcp' };
const npm = { registryType: 'npm', identifier: 'tides', version: '1.0.0', transport: { type: 'stdio' } };
const oci = { registryType: 'oci', identifier: 'ghcr.io/acme/tides:1.0', transport: npm.transport };
const variable = (given: object) => ({ packages: [{ ...npm, environmentVariables: [{ name: 'A', ...given }] }] });

/** Members of descriptions in which EVIL must not reach an editor. */
test.each<object>([
  { icons: [{ src: 'http://evil.example/EVIL.png' }] },
  { websiteUrl: 'javascript:EVIL' },
  { repository: { url: 'https://192.168.0.1/EVIL', source: 'git' } },
  { _meta: { 'x/y': 'EVIL\u202e' } },
  { command: 'EVIL' },
  { packages: { EVIL: true } },
  { remotes: [remote, { ...remote, url: 'https://127.0.0.1/EVIL' }] },
  { remotes: [{ ...remote, headers: [{ name: 'Host', value: 'EVIL' }] }] },
  { remotes: [{ ...remote, headers: [{ name: 'Authorization', value: 'EVIL' }] }] },
  { packages: [npm, { ...npm, identifier: 'other', registryBaseUrl: 'https://EVIL.example' }] },
  { packages: [{ ...npm, runtimeHint: 'EVIL' }] },
  { packages: [{ ...oci, runtimeArguments: [{ type: 'named', name: '-e', value: 'EVIL' }] }] },
  { packages: [npm, { ...oci, runtimeArguments: [{ type: 'named', name: '--env-file', value: 'EVIL' }] }] },
  { packages: [{ ...npm, transport: { type: 'stdio', command: 'EVIL' } }] },
  { packages: [npm, { ...npm, identifier: 'other', packageArguments: [{ type: 'positional', value: '$(EVIL)' }] }] },
  variable({ name: 'NODE_OPTIONS', value: 'EVIL' }),
  variable({ name: 'ld_preload', default: 'EVIL' }),
  variable({ value: '{x}', variables: { x: { default: '--EVIL x' } } }),
  variable({ default: '--EVIL x' }),
  { packages: [{ ...npm, packageArguments: [{ type: 'named', name: '-m', default: '; EVIL' }] }] },
  variable({ run: 'EVIL' }),
])('%j is given without what no page shows, and the rest as it was', (given) => {
  const server = { name: 'com.acme/tides', description: 'High water', version: '1', remotes: [remote], ...given };
  const { document = {}, left } = readDocument(server);
  expect([JSON.stringify(document).includes('EVIL'), left.length]).toEqual([false, 1]);
  expect(readDocument(document)).toEqual({ document, left: [] });
  for (const [name, value] of Object.entries(document)) {
    if (left[0]?.path[0] !== name) expect(JSON.stringify(value)).toBe(JSON.stringify(server[name as 'name']));
  }
});

describe.each(engines)('MCP servers of a followed registry on $name', ({ name: engineName, open }) => {
  const runsSurfaces = surfaceEngines.some(({ name }) => name === engineName);
  let databases: TestDatabase[];
  let apps: TestApp[];
  let server: SourceServer;

  beforeAll(async () => {
    databases = await Promise.all([open(), open()]);
    server = await startSourceServer();
    apps = await Promise.all(
      databases.map(({ engine }, index) =>
        startTestApp({ database: { engine }, PUBLIC_URL: `https://number-${index}.example`, CACHE_SIZE: 0 }),
      ),
    );
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    for (const database of databases) await database.remove();
    await server.close();
  });

  beforeEach(async () => {
    for (const database of databases) await database.empty();
  });

  const [one, two] = [() => apps[0] as TestApp, () => apps[1] as TestApp];
  const engine = () => (databases[0] as TestDatabase).engine;
  const idOfFirst = async () => (await createAgentStore(engine()).list())[0]?.id ?? '';
  const answer = (servers: readonly object[]) =>
    server.answerWith(({ searchParams }) => {
      const begin = Number(searchParams.get('cursor') ?? 0);
      const next = begin + 100 < servers.length ? { nextCursor: String(begin + 100) } : {};
      return { body: { servers: servers.slice(begin, begin + 100), metadata: next } };
    });
  const sync = async (index: number, sources: readonly object[] = [source], ...options: string[]) => {
    const result = await server.sync(databases[index]!, sources, ...options);
    return { ...result, lines: result.stdout.split('\n') };
  };
  const follow = async (servers: readonly object[], ...options: string[]) => {
    answer(servers);
    const result = await sync(0, [source], ...options);
    expect(result).toMatchObject({ code: 0 });
    return result.stdout;
  };

  test.runIf(runsSurfaces)(
    'Of 200 public servers those that are taken whole are the same in a registry of a registry, others are counted',
    async () => {
      const { servers, reasons } = makePublicServers();
      answer(servers);
      const { code, stdout } = await sync(0);
      expect(code).toBe(0);
      expect(stdout).toContain('200 to add, 0 to change, 0 to withdraw, 0 unchanged');
      for (const reason of new Set(reasons.values())) {
        const count = [...reasons.values()].filter((text) => text === reason).length;
        expect(stdout).toContain(`${count}: ${reason.toLowerCase()} (not described as there)`);
      }

      const first = await crawl(one());
      const isServed = (name: string) => reasons.get(name) !== 'it has no connection that can be kept';
      const names = servers.map((entry) => entry.server.name).filter(isServed);
      expect([...first.keys()].toSorted()).toEqual(['example.number-0/agents', ...names].toSorted());
      for (const { server: given, _meta } of servers) {
        const found = first.get(given.name);
        if (!found) continue;
        const { status } = _meta[OFFICIAL] as { status: string };
        expect(found._meta[OFFICIAL].status).toBe(status);
        expect(found.server.version).toBe(given.version);
        if (!reasons.has(given.name)) expect(JSON.stringify(found.server)).toBe(JSON.stringify(given));
      }

      server.answerWith(async ({ pathname, search }) => {
        const response = await fetch(one().url + pathname + search);
        return { status: response.status, body: await response.text() };
      });
      expect(await sync(1)).toMatchObject({ code: 0 });
      const second = await crawl(two());
      for (const name of names) {
        expect(JSON.stringify(second.get(name)?.server)).toBe(JSON.stringify(first.get(name)?.server));
        expect(second.get(name)?._meta[OFFICIAL].status).toBe(first.get(name)?._meta[OFFICIAL].status);
      }
      expect((await sync(1)).stdout).toContain('0 to add, 0 to change, 0 to withdraw');
    },
  );

  const tides = (version: string, fields: object = {}, status: object = { status: 'active' }): PublicServer => ({
    server: {
      name: 'com.acme/Tides',
      title: 'Tides',
      description: 'High water',
      version,
      remotes: [{ type: 'streamable-http', url: 'https://tides.acme.com/mcp' }],
      ...fields,
    },
    _meta: {
      [OFFICIAL]: { ...status, publishedAt: '2026-11-19T10:00:00Z', updatedAt: '2026-11-20T10:00:00Z', isLatest: true },
    },
  });

  test.runIf(runsSurfaces)(
    'The facts of an entry have its name and version, and what is left out of its description while that is given',
    async () => {
      const npm = { registryType: 'npm', identifier: '@acme/tides', version: '1.0.0', transport: { type: 'stdio' } };
      await follow([
        tides('1.0.0', {
          packages: [
            npm,
            { ...npm, identifier: '@acme/plain', environmentVariables: [{ name: 'NODE_OPTIONS', value: '--inspect' }] },
          ],
        }),
      ]);
      const id = await idOfFirst();
      const facts = async () =>
        (await (await fetch(`${one().url}/api/agents/${id}/facts`)).json()) as { server: object };
      const left = [
        expect.stringMatching(/^packages\[1\]\.environmentVariables\[0\]: its name must not be NODE_OPTIONS/),
      ];
      expect((await facts()).server).toEqual({ name: 'com.acme/Tides', version: '1.0.0', left });
      await createOperatorStore(engine()).edit({ ids: new Set([id]) }, { description: 'Low water' });
      expect((await facts()).server).toMatchObject({ name: 'com.acme/Tides', left: [] });
    },
  );

  test('Each version that was read is kept as it was, and a version alone is a change that mirrors see', async () => {
    await follow([tides('1.0.0')]);
    const start = new Date().toISOString();
    const newest = tides('1.1.0', { repository: { url: 'https://github.com/acme/tides', source: 'github' } });
    expect(await follow([newest], '--many-additions', 'public')).toContain('1 to change');
    expect(await follow([newest])).toContain('1 unchanged');
    const versions = toList((await get(one(), toPath('com.acme/Tides'))).body).servers;
    expect(versions.map((entry) => [entry.server.version, entry._meta[OFFICIAL].isLatest])).toEqual([
      ['1.1.0', true],
      ['1.0.0', false],
    ]);
    expect(versions.map((entry) => entry.server)).toEqual([newest.server, tides('1.0.0').server]);
    // The times are those of the source, also where the log of changes has later ones.
    expect(versions[0]?._meta[OFFICIAL]).toMatchObject({
      publishedAt: '2026-11-19T10:00:00Z',
      updatedAt: '2026-11-20T10:00:00Z',
    });
    for (const version of ['latest', '1.1.0', '1.0.0']) {
      const { body } = await get(one(), toPath('com.acme/Tides', version));
      const own = version === 'latest' ? '1.1.0' : version;
      expect(serverResponseSchema.parse(body).server.version).toBe(own);
    }
    expect((await get(one(), toPath('com.acme/Tides', '2.0.0'))).status).toBe(404);
    expect([...(await crawl(one(), `?updated_since=${start}`)).keys()]).toEqual(['com.acme/Tides']);
    expect([...(await crawl(one(), '?version=1.1.0')).keys()]).toEqual(['com.acme/Tides']);
    expect([...(await crawl(one(), '?version=1.0.0')).keys()]).toEqual(['example.number-0/agents']);
  });

  test('At most 20 versions are kept', async () => {
    await follow([tides('1.0.0')]);
    const { db } = engine();
    const [document] = (await readDocuments(db, [await idOfFirst()])).values();
    for (let minor = 1; minor < 23; minor += 1) {
      await writeDocuments(db, [
        { ...document!, version: `1.${minor}.0`, keptAt: `2027-01-01T00:00:00.0${minor + 10}Z` },
      ]);
    }
    const { servers } = toList((await get(one(), toPath('com.acme/Tides'))).body);
    expect(servers).toHaveLength(20);
    const { status } = await get(one(), toPath('com.acme/Tides', '1.3.0'));
    expect([status, (await get(one(), toPath('com.acme/Tides', '1.2.0'))).status]).toEqual([200, 404]);
  });

  test.runIf(runsSurfaces)(
    'A description that the operator or an owner changed is not that of the source any more',
    async () => {
      await follow([tides('1.0.0', { icons: [{ src: 'https://acme.com/a.png' }] })]);
      const id = await idOfFirst();
      const latest = async () =>
        serverResponseSchema.parse((await get(one(), toPath('com.acme/Tides', 'latest'))).body).server;
      expect(await latest()).toHaveProperty('icons');
      const operator = createOperatorStore(engine());
      await operator.edit({ ids: new Set([id]) }, { description: 'Low water' });
      expect(await latest()).toMatchObject({ description: 'Low water', version: '1.0.0' });
      expect(await latest()).not.toHaveProperty('icons');
      await operator.edit({ ids: new Set([id]) }, { description: 'High water' });
      expect(await latest()).toHaveProperty('icons');
      await operator.setKeyHash(id, 'c0ffee');
      expect(await latest()).not.toHaveProperty('icons');
      expect((await latest()).version).toMatch(/^0\.\d{8}\.\d+$/);
      expect(await follow([tides('2.0.0')])).toContain('1 kept');
    },
  );

  test('A name goes from a source without names to one with names, and never back', async () => {
    const engineWithName = { ...engine(), serverNamespace: 'example.number-0' };
    const own = { ...source, name: 'own', address: 'https://other.example/acme', names: false };
    const acme = { ...tides('1.0.0'), server: { ...tides('1.0.0').server, name: 'example.other/tides', title: 'Own' } };
    answer([acme]);
    await sync(0, [own]);
    await nameListedServers(engineWithName);
    expect([...(await crawl(one())).keys()]).toContain('example.other/tides');
    const copy = { ...acme, server: { ...acme.server, title: 'Copy' } };
    answer([copy]);
    expect(await sync(0, [own, source], '--only', 'public')).toMatchObject({ code: 0 });
    await nameListedServers(engineWithName);
    let all = await crawl(one());
    expect(all.get('example.other/tides')?.server.title).toBe('Copy');
    expect([...all.keys()].find((name) => name.startsWith('example.number-0/own-'))).toBeDefined();
    answer([acme]);
    await sync(0, [own, source], '--only', 'own', '--complete');
    all = await crawl(one());
    expect(all.get('example.other/tides')?.server.title).toBe('Copy');
  });

  test.runIf(runsSurfaces)(
    'A source without names gives versions and states, and its names only of its own domain',
    async () => {
      const other = { ...source, names: false };
      answer([tides('1.0.0', {}, { status: 'deprecated', statusMessage: 'Use Currents' })]);
      await sync(0, [other]);
      await nameListedServers({ ...engine(), serverNamespace: 'example.number-0' });
      const [, found] = [...(await crawl(one())).values()];
      expect(found).toMatchObject({
        server: { name: expect.stringMatching(/^example\.number-0\/tides-/) as string, version: '1.0.0' },
        _meta: { [OFFICIAL]: { status: 'deprecated', statusMessage: 'Use Currents' } },
      });
    },
  );

  test.runIf(runsSurfaces)(
    'When names begin to count, a source is read anew once: any number of changes, said before, but not withdrawals',
    async () => {
      const many = makePublicServers().servers.slice(0, 10);
      answer(many);
      await sync(0, [{ ...source, names: false }]);
      await nameListedServers({ ...engine(), serverNamespace: 'example.number-0' });
      const dry = await server.sync(databases[0]!, [source], '--dry-run');
      expect(dry.stdout).toContain('public is read from its start once');
      expect(dry.stdout).toContain('10 to change');
      answer(many.slice(0, 5));
      expect(await sync(0)).toMatchObject({ code: 1, stderr: expect.stringContaining('would be withdrawn') as string });
      answer(many);
      expect(await sync(0)).toMatchObject({ code: 0 });
      const names = [...(await crawl(one())).keys()].filter((name) => name !== 'example.number-0/agents');
      expect(names.toSorted()).toEqual(many.map((entry) => entry.server.name).toSorted());
      const again = await sync(0);
      expect(again.stdout).not.toContain('read from its start once');
      expect(again.stdout).toContain('0 to change');
    },
  );

  test('Hidden servers are deleted under the version of their source, and erased ones leave no text', async () => {
    await follow([tides('1.0.0')]);
    const id = await idOfFirst();
    const operator = createOperatorStore(engine());
    await operator.hide({ ids: new Set([id]) }, 'test');
    expect((await crawl(one(), '?include_deleted=true')).get('com.acme/Tides')).toMatchObject({
      server: { description: 'Removed', version: '1.0.0' },
      _meta: { [OFFICIAL]: { status: 'deleted' } },
    });
    await operator.erase({ ids: new Set([id]) });
    expect(await engine().db.selectFrom('server_documents').selectAll().execute()).toEqual([]);
    expect(JSON.stringify(await engine().db.selectFrom('server_names').selectAll().execute())).not.toContain('acme');
    // The name is refused, also to somebody else.
    const other = { ...source, name: 'other', address: 'https://other.example' };
    answer([tides('2.0.0')]);
    expect((await sync(0, [other])).stdout).toContain('1: its name is not given to it here (not described as there)');
  });

  test('Names that differ in letter case alone are one', async () => {
    const fields = { title: 'Other', websiteUrl: 'https://other.acme.com/' };
    const stdout = await follow([tides('1.0.0'), tides('1.0.0', { ...fields, name: 'com.acme/TIDES' })]);
    expect(stdout).toContain('1: its name is not given to it here (not described as there)');
    await nameListedServers({ ...engine(), serverNamespace: 'example.number-0' });
    const names = [...(await crawl(one())).keys()];
    expect(names.filter((name) => /tides$/i.test(name))).toEqual(['com.acme/Tides']);
    expect(names.filter((name) => name.startsWith('example.number-0/other-'))).toHaveLength(1);
    const { body } = await get(one(), toPath('COM.ACME/tides', 'latest'));
    expect(serverResponseSchema.parse(body).server.name).toBe('com.acme/Tides');
  });

  test('A backup has names and descriptions', async () => {
    await follow([tides('1.0.0'), ...makePublicServers().servers.slice(0, 3)]);
    const before = await crawl(one());
    const path = join(await mkdtemp(join(tmpdir(), 'agent-registry-')), 'registry.backup');
    expect(await runCommandLine(databases[0]!, ['backup', path])).toMatchObject({ code: 0 });
    const other = databases[1]!;
    const named = { ...other, engine: { ...other.engine, serverNamespace: 'example.number-1' } };
    expect(await runCommandLine(named, ['restore', path])).toMatchObject({ code: 0, stderr: '' });
    const after = await crawl(two());
    for (const [name, { server: described }] of before) {
      if (!name.endsWith('/agents')) expect(after.get(name)?.server).toEqual(described);
    }
    expect((await sync(1)).stdout).toContain('0 to change, 0 to withdraw, 4 unchanged');
    await rm(path);
  });

  test('The name of an agent that somebody registered is not taken', async () => {
    const engineWithName = { ...engine(), serverNamespace: 'example.number-0' };
    const { agent } = await createAgentStore(engineWithName).register(
      makeNewAgent({ name: 'Tides', connections: [{ kind: 'mcp', transport: 'sse', url: 'https://a.example.com/' }] }),
    );
    const name = `example.number-0/tides-${agent.id.slice(0, 8)}`;
    const stdout = await follow([tides('1.0.0', { name })]);
    expect(stdout).toContain('1: its name is not given to it here (not described as there)');
    expect((await crawl(one())).get(name)?.server.remotes).toEqual([{ type: 'sse', url: 'https://a.example.com/' }]);
  });
});
