import { createManagementKey, type Agent, type EntryFacts, type HistoryEntry } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { createPublishTokens } from '../../publisher/log-in.ts';
import { createAgentStore } from '../../stores.ts';
import { writeDocuments } from '../../servers/server-documents.ts';
import { createSourceStore, readAgents, writeEntries } from '../../sync/source-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { runCommandLine, startSourceServer } from '../../testing/source-server.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';
import { serverListSchema, serverResponseSchema } from '../../testing/validate-servers.ts';
import { openWebsiteChecks } from '../../website-check/check-website.ts';
import type { Publisher } from '../../website-check/domain-keys.ts';

const PUBLIC_URL = 'https://registry.example';
const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const PROVIDED = 'io.modelcontextprotocol.registry/publisher-provided';
const note = { category: 'automation', contactEmail: 'owner@tides.example.com' };
const file = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'com.example.tides/tides',
  title: 'Tides',
  description: 'High water for 400 ports',
  version: '1.4.0',
  websiteUrl: 'https://tides.example.com/about',
  remotes: [{ type: 'streamable-http', url: 'https://tides.example.com/mcp' }],
  repository: { url: 'https://github.com/example/tides', source: 'github' },
  _meta: { [PROVIDED]: { 'agent-registry': note } },
};
const { _meta: _, ...described } = file;
const PATH = `/v0/servers/${encodeURIComponent(file.name)}`;

describe.each(engines)('servers that are published on $name', ({ open }) => {
  let database: TestDatabase;
  let engine: TestDatabase['engine'];
  let app: TestApp;
  let held: TestApp;
  let tokens: ReturnType<typeof createPublishTokens>;

  beforeAll(async () => {
    database = await open();
    engine = { ...database.engine, serverNamespace: 'example.registry' };
    const websites = await openWebsiteChecks(engine, { sharedHosts: ['gallery.example.com'] });
    tokens = createPublishTokens(websites.secret, PUBLIC_URL);
    const start = (options: TestAppOptions = {}) =>
      startTestApp({ database: { engine }, PUBLIC_URL, websites, agents: createAgentStore(engine), ...options });
    app = await start();
    held = await start({ REGISTRATION: 'held' });
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await Promise.all([app.close(), held.close()]);
    await database.remove();
  });

  type Answer = { status: number; body: Record<string, unknown> & { detail?: string } };
  type Sent = { method?: string; body?: unknown; by?: Partial<Publisher>; at?: TestApp };

  async function call(path: string, { method = 'POST', body, by = {}, at = app }: Sent = {}): Promise<Answer> {
    const { token } = tokens.create({ domain: 'tides.example.com', place: 'http', ...by });
    const response = await fetch(at.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  const publish = (changes: object = {}, sent: Sent = {}) =>
    call('/v0/publish', { body: { ...file, ...changes }, ...sent });
  const setStatus = (body: object, path = `${PATH}/versions/1.4.0/status`, sent: Sent = {}) =>
    call(path, { method: 'PATCH', body, ...sent });
  const get = (path: string) => call(path, { method: 'GET' });
  const readOne = async <Value>(path: string) => (await (await fetch(app.url + path)).json()) as Value;
  const operator = () => createOperatorStore(engine);

  async function collect() {
    const records = [];
    for await (const record of operator().read()) records.push(record);
    return records;
  }

  async function findAgent(): Promise<Agent> {
    const [agent] = await readOne<Agent[]>('/api/agents');
    return agent!;
  }

  test('the first time a server is registered, later it is edited; editors read it as it was sent', async () => {
    const first = await publish();
    expect(first.status).toBe(200);
    expect(serverResponseSchema.parse(first.body)).toMatchObject({
      server: described,
      _meta: { [OFFICIAL]: { status: 'active', isLatest: true } },
    });
    const agent = await findAgent();
    expect(agent).toMatchObject({
      name: 'Tides',
      description: file.description,
      category: 'automation',
      contactEmail: note.contactEmail,
      website: file.websiteUrl,
      websiteProof: 'key',
      apiAccess: 'yes',
      connections: [{ kind: 'mcp', transport: 'streamable-http', url: file.remotes[0]!.url }],
    });
    const later = await publish({ version: '1.10.0', description: 'High water for 500 ports', _meta: undefined });
    expect(later.body).toMatchObject({ server: { version: '1.10.0', description: 'High water for 500 ports' } });
    expect(await findAgent()).toMatchObject({
      id: agent.id,
      description: 'High water for 500 ports',
      websiteProof: 'key',
    });
    // A version whose entry stays the same.
    await publish({ version: '1.10.1', description: 'High water for 500 ports' });
    const { servers } = serverListSchema.parse((await get(`${PATH}/versions`)).body);
    expect(servers.map(({ server }) => server.version)).toEqual(['1.10.1', '1.10.0', '1.4.0']);
    expect((await get(`/v0.1/servers/${file.name}/versions/latest`)).body).toMatchObject({
      server: { version: '1.10.1' },
    });
    const shown = await runCommandLine(database, ['show', agent.id]);
    expect(shown.stdout).toMatch(/^published +com\.example\.tides\/tides 1\.10\.1 by tides\.example\.com$/m);
    const history = await readOne<HistoryEntry[]>(`/api/agents/${agent.id}/history`);
    expect(new Set(history.map(({ actor }) => actor))).toEqual(new Set(['website']));
    expect(await readOne('/v0.1/servers?search=tides')).toMatchObject({ servers: [{ server: { name: file.name } }] });
  });

  test('the same again changes nothing; the same version with other content, and a lower one, are refused', async () => {
    await publish();
    const version = await app.agents.version();
    // Members in another order are the same content.
    const same = Object.fromEntries(Object.entries(file).toReversed());
    expect((await call('/v0/publish', { body: same })).status).toBe(200);
    expect(await app.agents.version()).toBe(version);
    for (const [changes, detail] of [
      [{ description: 'Other' }, 'is published with other content'],
      [{ version: '1.3.9' }, 'is not later than 1.4.0'],
      [{ version: '1.4.0-rc.1' }, 'is not later than 1.4.0'],
      [{ version: '1.4.0+build' }, 'is not later than 1.4.0'],
    ] as const) {
      expect(await publish(changes)).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } });
    }
    for (const changes of [
      { version: '1.5.0-rc.2' },
      { version: '1.5.0-rc.10' },
      { version: '1.5.0' },
      { version: '2026-11' },
    ]) {
      expect(await publish(changes)).toMatchObject({ status: 200, body: { server: changes } });
    }
  });

  test.each<[string, object, Partial<Publisher>, number]>([
    ['its own', {}, {}, 200],
    ['one below it, by DNS', {}, { domain: 'example.com', place: 'dns' }, 200],
    ['one below it, by HTTP', {}, { domain: 'example.com' }, 403],
    ['one above it', { name: 'com.example/tides' }, { place: 'dns' }, 403],
    [
      'another one that ends alike',
      { name: 'com.example.badtides/x' },
      { domain: 'tides.example.com', place: 'dns' },
      403,
    ],
    [
      'a shared host of its own',
      { name: 'com.example.gallery/x' },
      { domain: 'gallery.example.com', place: 'dns' },
      200,
    ],
    [
      'one below a shared host',
      { name: 'com.example.gallery.a/x' },
      { domain: 'gallery.example.com', place: 'dns' },
      403,
    ],
    ['an account of GitHub', { name: 'io.github.someone/x' }, { domain: 'someone.github.io' }, 403],
    ['an account of GitLab', { name: 'io.gitlab.someone/x' }, { domain: 'someone.gitlab.io' }, 403],
    ['the registry', { name: 'example.registry/agents' }, { domain: 'registry.example' }, 403],
  ])('a domain publishes the names of %s: %#', async (_case, changes, by, status) => {
    expect((await publish(changes, { by })).status).toBe(status);
    expect(await readOne<Agent[]>('/api/agents')).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each([
    ['on the host', 'https://tides.example.com/x', 'http', 'key'],
    ['with a port', 'https://tides.example.com:8443/', 'http', undefined],
    ['elsewhere', 'https://example.com/', 'http', undefined],
    ['below it, by DNS', 'https://docs.tides.example.com/', 'dns', 'key'],
    ['below it, by HTTP', 'https://docs.tides.example.com/', 'http', undefined],
    ['on a shared host', 'https://github.com/example/tides', 'http', undefined],
  ] as const)('a website counts as proved only on the host: %s', async (_case, websiteUrl, place, proof) => {
    await publish({ websiteUrl }, { by: { place } });
    expect((await findAgent()).websiteProof).toBe(proof);
    // A name below the host of the domain stays, wherever the website is.
    const { id } = await findAgent();
    expect(await readOne<EntryFacts>(`/api/agents/${id}/facts`)).toMatchObject({ server: { name: file.name } });
  });

  test.each<[string, object, string, string]>([
    [
      'no contact',
      { _meta: { [PROVIDED]: { 'agent-registry': { category: 'vision' } } } },
      '["agent-registry"].contactEmail',
      'Contact email',
    ],
    [
      'an unknown category',
      { _meta: { [PROVIDED]: { 'agent-registry': { ...note, category: 'x' } } } },
      '["agent-registry"].category',
      'Category must be',
    ],
    [
      'no category',
      {
        title: 'X',
        description: 'X',
        _meta: { [PROVIDED]: { 'agent-registry': { contactEmail: note.contactEmail } } },
      },
      '["agent-registry"].category',
      'Write one of',
    ],
    ['a long description', { description: 'x'.repeat(101) }, 'description', ''],
    ['a range', { version: '^1.4.0' }, 'version', 'one version'],
    ['a wrong remote', { remotes: [{ type: 'x', url: 'https://x.example.com' }] }, 'remotes', 'remotes[0]'],
    ['nothing to connect to', { remotes: [] }, 'remotes', 'can be kept'],
    ['a remote of a machine', { remotes: [{ type: 'sse', url: 'http://localhost/' }] }, 'remotes', 'can be kept'],
    ['an unknown field', { _meta: { [PROVIDED]: { 'agent-registry': { ...note, rating: 5 } } } }, '', 'rating'],
    ['too much', { title: 'x', extra: 'x'.repeat(40_000) }, '', 'too large'],
  ])('what is wrong is named with its place, by publish and by validate: %s', async (_case, changes, path, message) => {
    const refused = await publish(changes);
    expect(refused).toMatchObject({ status: 422, body: { title: 'Unprocessable Entity' } });
    const [error] = refused.body.errors as { location?: string; message: string }[];
    expect([error!.location ?? '', error!.message]).toEqual([
      expect.stringContaining(path),
      expect.stringContaining(message),
    ]);
    const { status, body } = await call('/v0/validate', { body: { ...file, ...changes } });
    expect([status, body.valid]).toEqual([200, false]);
    expect(body.issues).toMatchObject([{ path: error!.location ?? '', message: error!.message, severity: 'error' }]);
    expect(await readOne('/api/agents')).toEqual([]);
  });

  test('validate finds nothing wrong with a file that can be published', async () => {
    expect((await call('/v0/validate', { body: file })).body).toEqual({ valid: true, issues: [] });
    await publish();
    expect((await call('/v0/validate', { body: { ...file, _meta: undefined } })).body).toEqual({
      valid: true,
      issues: [],
    });
  });

  test('a category is suggested by the words of the server', async () => {
    const _meta = { [PROVIDED]: { 'agent-registry': { contactEmail: note.contactEmail } } };
    await publish({ description: 'Automation of harbours', _meta });
    expect((await findAgent()).category).toBe('automation');
    // Another name would be another server.
    const named = { [PROVIDED]: { 'agent-registry': { ...note, serverName: 'other' } } };
    expect((await publish({ version: '1.5.0', _meta: named })).body).toMatchObject({ server: { name: file.name } });
  });

  test('a token that is wrong, old or of another registry does nothing', async () => {
    const other = createPublishTokens(Buffer.alloc(32), PUBLIC_URL).create({
      domain: 'tides.example.com',
      place: 'http',
    });
    for (const token of ['', 'x', other.token, `${other.token}x`, createManagementKey()]) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const response = await fetch(`${app.url}/v0/publish`, { method: 'POST', headers, body: JSON.stringify(file) });
      expect([response.status, await response.json()]).toMatchObject([401, { title: 'Unauthorized' }]);
    }
    expect(await readOne('/api/agents')).toEqual([]);
  });

  test('an entry with a management key is not touched', async () => {
    await publish();
    const { id } = await findAgent();
    const key = createManagementKey();
    await operator().setKeyHash(id, 'a'.repeat(64));
    const before = await findAgent();
    for (const refused of [await publish({ version: '2.0.0' }), await setStatus({ status: 'deprecated' })]) {
      expect(refused).toMatchObject({ status: 409, body: { detail: expect.stringContaining('agent-registry claim') } });
    }
    expect(await findAgent()).toEqual(before);
    // It is its owner's now, who describes it.
    const { server } = await readOne<EntryFacts>(`/api/agents/${id}/facts`);
    expect(server?.version).toMatch(/^0\./);
    // Another entry has chosen the name.
    const website = 'https://other.example.com/';
    const { agent } = await app.agents.register(
      makeNewAgent({ name: 'Other', website, serverName: 'own', connections: before.connections }),
      { key },
    );
    await app.agents.claim(agent.id, { website, proof: 'host' }, key);
    const taken = await publish({ name: 'com.example.other/own' }, { by: { domain: 'other.example.com' } });
    expect(taken.status).toBe(409);
  });

  test('what the operator hid, withdrew or erased stays so', async () => {
    await publish();
    const { id } = await findAgent();
    const ids = { ids: new Set([id]) };
    await operator().hide(ids, 'test');
    for (const refused of [await publish({ version: '2.0.0' }), await setStatus({ status: 'active' })]) {
      expect(refused).toMatchObject({ status: 403 });
    }
    await operator().unhide(ids);
    await operator().withdraw(ids);
    for (const refused of [await publish({ version: '2.0.0' }), await setStatus({ status: 'active' })]) {
      expect(refused).toMatchObject({ status: 403 });
    }
    await operator().erase(ids);
    expect(await setStatus({ status: 'active' })).toMatchObject({ status: 403 });
    expect(await readOne('/api/agents')).toEqual([]);
  });

  test('an entry of a source becomes the owner’s, and the source no longer changes it', async () => {
    const imported = makeAgent({
      name: 'Old',
      website: null,
      connections: [{ kind: 'a2a', card: 'https://a.example.com/' }],
    });
    const sources = createSourceStore(engine);
    await operator().add([imported]);
    const entry = { source: 'official', entryKey: 'k', attribution: 'Official', licence: 'CC0-1.0' };
    await writeEntries(engine.db, [
      { ...entry, agentId: imported.id, isOrigin: true, importedAt: '2026-11-01T00:00:00.000Z' },
    ]);
    const document = { document: null, basis: '', isLatest: true, keptAt: '2026-11-01T00:00:00.000Z' };
    const given = { agentId: imported.id, name: file.name, version: '1.4.0', status: 'active' } as const;
    await writeDocuments(engine.db, [{ ...document, ...given }]);
    expect(await sources.ofAgent(imported.id)).toHaveLength(1);
    expect(await publish({ websiteUrl: undefined })).toMatchObject({
      status: 200,
      body: { server: { name: file.name } },
    });
    expect(await findAgent()).toMatchObject({ id: imported.id, name: 'Tides' });
    expect(await sources.ofAgent(imported.id)).toEqual([]);
    expect((await readAgents(engine.db, [imported.id])).get(imported.id)).toMatchObject({ isClaimed: true });
    expect(await operator().edit({ ids: new Set([imported.id]) }, { name: 'Source' }, 'import')).toEqual([]);
    const [latest] = await readOne<HistoryEntry[]>(`/api/agents/${imported.id}/history`);
    expect(latest).toMatchObject({ change: 'updated', actor: 'website' });
  });

  test('a source adds no entry of a server that is published here', async () => {
    await publish({ websiteUrl: undefined });
    const source = await startSourceServer();
    const _meta = { [OFFICIAL]: { status: 'active', isLatest: true } };
    source.answerWith(() => ({ body: { servers: [{ server: described, _meta }], metadata: { count: 1 } } }));
    const followed = { name: 'official', kind: 'mcp-registry', address: 'https://website.example', names: true };
    const terms = {
      categories: { '*': 'vision' },
      contact: 'operator@example.com',
      licence: 'CC0-1.0',
      attribution: 'Official',
    };
    const { stdout } = await source.sync(database, [{ ...followed, ...terms }]);
    expect(stdout).toContain('its owner publishes it here');
    expect(await readOne('/api/agents')).toHaveLength(1);
    await source.close();
  });

  test('a status shows on the page and to editors; deleted withdraws, active brings back', async () => {
    await publish();
    await publish({ version: '1.5.0' });
    const { id } = await findAgent();
    const latest = `${PATH}/versions/1.5.0`;
    const deprecated = { status: 'deprecated', statusMessage: 'Use <b>2.0.0</b>' };
    expect(await setStatus(deprecated, `${latest}/status`)).toMatchObject({
      status: 200,
      body: { _meta: { [OFFICIAL]: deprecated } },
    });
    expect(await setStatus(deprecated, `${latest}/status`)).toMatchObject({ status: 400 });
    expect((await get('/v0.1/servers?version=1.5.0')).body).toMatchObject({
      servers: [{ _meta: { [OFFICIAL]: deprecated } }],
    });
    const facts = await readOne<EntryFacts>(`/api/agents/${id}/facts`);
    expect(facts.server).toMatchObject({ version: '1.5.0', deprecated: deprecated.statusMessage });
    expect(await setStatus({ status: 'deleted' })).toMatchObject({ status: 400 });
    const all = await setStatus({ status: 'active' }, `${PATH}/status`);
    expect(all).toMatchObject({
      status: 200,
      body: { updatedCount: 2, servers: [{ server: { version: '1.5.0' } }, {}] },
    });
    for (const server of all.body.servers as unknown[]) serverResponseSchema.parse(server);
    // The command reads the status first.
    const read = () => get(`${latest}?include_deleted=true`);
    const deleted = await setStatus({ status: 'deleted' }, `${latest}/status`);
    expect(deleted).toMatchObject({ status: 200, body: { _meta: { [OFFICIAL]: { status: 'deleted' } } } });
    serverResponseSchema.parse(deleted.body);
    expect(await read()).toMatchObject({ status: 200, body: { _meta: { [OFFICIAL]: { status: 'deleted' } } } });
    expect((await fetch(`${app.url}/api/agents/${id}`)).status).toBe(410);
    expect(await setStatus({ status: 'active' }, `${latest}/status`)).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({
      body: { server: { version: '1.5.0' }, _meta: { [OFFICIAL]: { status: 'active' } } },
    });
    expect((await findAgent()).id).toBe(id);
    // Publishing brings it back, too.
    for (const version of ['1.5.0', '1.6.0']) {
      await setStatus({ status: 'deleted' }, `${PATH}/status`);
      expect(await publish({ version })).toMatchObject({ status: 200, body: { server: { version } } });
      expect((await findAgent()).id).toBe(id);
    }
  });

  test.each<[object, string, number]>([
    [{ status: 'gone' }, `${PATH}/versions/1.4.0/status`, 400],
    [{ status: 'deprecated', statusMessage: 'x'.repeat(501) }, `${PATH}/versions/1.4.0/status`, 400],
    [{ status: 'deprecated', statusMessage: 'two\nlines' }, `${PATH}/versions/1.4.0/status`, 400],
    [{ status: 'deprecated' }, `${PATH}/versions/1.4.1/status`, 404],
    [{ status: 'deprecated' }, '/v0/servers/com.example.tides%2Fother/status', 404],
    [{ status: 'deprecated' }, '/v0/servers/com.example%2Ftides/status', 403],
    [{ status: 'deprecated' }, `/v0/servers/${file.name}/status`, 200],
  ])('a status of what there is: %j of %s is %i', async (body, path, status) => {
    await publish();
    expect((await setStatus(body, path)).status).toBe(status);
  });

  test('with a review, publications wait, and reads go on with the listed form', async () => {
    const state = { 'example.registry/state': 'held' };
    expect(await publish({}, { at: held })).toMatchObject({ status: 200, body: { server: described, _meta: state } });
    expect(await readOne('/api/agents')).toEqual([]);
    expect((await get(`${PATH}/versions/latest`)).status).toBe(404);
    await operator().release({ text: 'tides' });
    const { id } = await findAgent();
    const listed = (await get(`${PATH}/versions/latest`)).body;
    // What nobody has reviewed is not given to editors.
    expect(listed).toMatchObject({ server: { name: file.name, version: '1.4.0' } });
    expect(listed.server).not.toHaveProperty('repository');
    const edited = await publish({ version: '1.5.0', description: 'Low water' }, { at: held });
    expect(edited).toMatchObject({ status: 200, body: { server: { version: '1.5.0' }, _meta: state } });
    expect((await get(`${PATH}/versions/latest`)).body).toEqual(listed);
    await setStatus({ status: 'deprecated', statusMessage: 'Message' }, `${PATH}/status`, { at: held });
    expect(await readOne(`/api/agents/${id}/facts`)).toMatchObject({ server: { version: '1.4.0', deprecated: '' } });
    await operator().release({ ids: new Set([id]) });
    expect((await get(`${PATH}/versions/latest`)).body).toMatchObject({
      server: { version: '1.5.0', description: 'Low water' },
    });
    await publish({ name: 'com.example.tides/other' }, { at: held });
    await operator().refuse({ text: 'tides' }, 'No');
    const refused = await setStatus({ status: 'active' }, '/v0/servers/com.example.tides%2Fother/status', { at: held });
    expect(refused.status).toBe(403);
    await publish({ name: 'com.example.tides/third' }, { at: held });
    const acting = { by: 'operator', command: 'withdraw', reason: '' };
    await createOperatorStore(engine, acting).withdraw({ text: 'tides' });
    expect((await publish({ name: 'com.example.tides/third' }, { at: held })).status).toBe(403);
  });

  test('a backup keeps what was published, and an erasure nothing of it', async () => {
    await publish();
    const records = await collect();
    // The secret of tokens is in no backup.
    const { value } = await engine.db.selectFrom('secrets').select('value').executeTakeFirstOrThrow();
    expect(JSON.stringify(records)).not.toContain(value);
    await database.empty();
    await operator().replace(
      (async function* () {
        yield* records;
      })(),
    );
    expect(await publish({ version: '1.3.0' })).toMatchObject({ status: 400 });
    const { id } = await findAgent();
    await operator().erase({ ids: new Set([id]) });
    expect(JSON.stringify(await collect())).not.toContain(file.name);
  });

  test('publications count against the limits of registrations and edits, and register nothing where that is closed', async () => {
    const websites = await openWebsiteChecks(engine);
    const limited = await startTestApp({ database: { engine }, PUBLIC_URL, websites, REGISTER_LIMIT: 2, editLimit: 1 });
    const statuses = [];
    for (const [index, name] of ['a', 'b', 'a', 'b', 'c'].entries()) {
      const sent = { name: `com.example.tides/${name}`, version: `1.4.${index}` };
      statuses.push((await publish(sent, { at: limited })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    await limited.close();
    const closed = await startTestApp({ database: { engine }, PUBLIC_URL, websites, REGISTRATION: 'closed' });
    expect(await publish({ name: 'com.example.tides/new' }, { at: closed })).toMatchObject({ status: 503 });
    expect(await publish({ name: 'com.example.tides/a', version: '2.0.0' }, { at: closed })).toMatchObject({
      status: 200,
    });
    await closed.close();
  });
});
