import { createManagementKey, hashConnections, type Agent, type Connection } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const url = 'https://tides.example.com/mcp';
const remote: Connection = { kind: 'mcp', transport: 'streamable-http', url };
const npm: Connection = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' };
const file: Connection = {
  ...npm,
  registry: 'mcpb',
  identifier: 'https://github.com/example/mcp/releases/download/1/tides.mcpb',
  sha256: 'a'.repeat(64),
};
const UNKNOWN = '3f2b8c1e-0000-4000-8000-000000000000';
const key = createManagementKey();

describe.each(engines)('managed settings on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let held: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    held = await startTestApp({ database, REGISTRATION: 'held', HELD_EDITS_EXCEPT: ['connections'] });
  });

  afterAll(async () => {
    await Promise.all([app.close(), held.close()]);
    await database.remove();
  });

  async function ask(query: string, { url: base } = app, headers = {}) {
    const response = await fetch(`${base}/policy/managed-settings.json${query}`, { headers });
    const text = await response.text();
    const { allowedMcpServers, ...others } = response.ok ? (JSON.parse(text) as { allowedMcpServers: object[] }) : {};
    if (response.ok) expect(others).toEqual({ allowManagedMcpServersOnly: true });
    const leftOut = response.headers.get('x-left-out');
    return { status: response.status, servers: allowedMcpServers, leftOut, headers: response.headers };
  }

  const register = async (...connections: Connection[]) =>
    (await app.agents.register(makeNewAgent({ connections }), { key })).agent;
  const toKept = async ({ id, connections = [] }: Agent) => `${id}~${await hashConnections(connections)}`;

  test('name the exact addresses and commands of entries as they were looked at; what changes drops out', async () => {
    const one = await register(npm, remote);
    const other = await register({ ...remote, url: 'https://a.example.com/mcp' }, file);
    const facts = (await (await fetch(`${app.url}/api/agents/${one.id}/facts`)).json()) as object;
    expect(facts).toHaveProperty('connectionsHash', await hashConnections(one.connections!));
    const query = `?keep=${await toKept(one)},${await toKept(other)}`;
    const found = await ask(query);
    expect(found).toMatchObject({ status: 200, leftOut: `${other.id} (no exact command)` });
    expect(found.servers).toEqual([
      { serverCommand: ['cmd', '/c', 'npx', '-y', '@example/tides@1.4.0'] },
      { serverCommand: ['npx', '-y', '@example/tides@1.4.0'] },
      { serverUrl: 'https://a.example.com/mcp' },
      { serverUrl: url },
    ]);
    const etag = found.headers.get('etag')!;
    expect(etag).toMatch(/^"[\w-]+"$/);
    expect(found.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(
      (await fetch(`${app.url}/policy/managed-settings.json${query}`, { headers: { 'if-none-match': etag } })).status,
    ).toBe(304);

    await app.agents.update(one.id, { key }, { description: 'Another text' });
    expect(await ask(query)).toMatchObject({ servers: found.servers });
    await app.agents.update(one.id, { key }, { connections: [remote] });
    expect(await ask(query)).toMatchObject({ leftOut: expect.stringContaining(`${one.id} (changed)`) });
    await app.agents.update(one.id, { key }, { connections: [npm, remote] });
    expect(await ask(query)).toMatchObject({ servers: found.servers });
  });

  test('an entry that is not there any more, and one without connections, are left out; without any, all is blocked', async () => {
    const operator = createOperatorStore(database.engine);
    const [hidden, withdrawn, erased] = [await register(remote), await register(remote), await register(remote)];
    const bare = await register();
    await operator.hide({ ids: new Set([hidden.id]) }, 'test');
    await app.agents.withdraw(withdrawn.id, { key });
    await operator.erase({ ids: new Set([erased.id]) });
    const gone = [hidden, withdrawn, erased, { ...hidden, id: UNKNOWN }];
    const kept = await Promise.all([...gone, bare].map(toKept));
    expect(await ask(`?keep=${kept.join(',')}`)).toMatchObject({
      status: 200,
      servers: [],
      leftOut: [...gone.map(({ id }) => `${id} (not listed)`), `${bare.id} (no connections)`].join(', '),
    });
  });

  test.each([
    ['', 400],
    ['?keep=', 400],
    [`?keep=${UNKNOWN}`, 400],
    [`?keep=${UNKNOWN}~0123456789ABCDEF`, 400],
    [`?keep=${UNKNOWN}~0123456789abcde`, 400],
    [`?keep=${UNKNOWN}~0123456789abcdef,`, 400],
    [`?keep=${Array.from({ length: 51 }, () => `${UNKNOWN}~0123456789abcdef`).join(',')}`, 400],
    ['?connects=mcp', 400],
  ])('refuse what names no entries: %#', async (query, status) => {
    expect((await ask(query)).status).toBe(status);
  });

  test('with registrations held, filters name the entries whose present connections an operator released', async () => {
    await database.empty();
    const operator = createOperatorStore(database.engine, { by: 'operator', command: 'release', reason: '' });
    const filters = '?connects=mcp&category=automation';
    const released = (await held.agents.register(makeNewAgent({ connections: [remote] }), { key, isHeld: true })).agent;
    await register(npm);
    for (const none of [filters, '?pricing=paid']) expect((await ask(none, held)).status).toBe(404);
    await operator.release({ ids: new Set([released.id]) });
    expect(await ask(filters, held)).toMatchObject({ status: 200, servers: [{ serverUrl: url }], leftOut: null });
    for (const wrong of ['', '?connects=none', '?q=tides', '?pricing='])
      expect((await ask(wrong, held)).status).toBe(400);
    // An edit that needs no review.
    await held.agents.update(released.id, { key }, { connections: [npm] });
    expect((await ask(filters, held)).status).toBe(404);
  });
});
