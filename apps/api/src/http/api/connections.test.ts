import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../../testing/test-app.ts';

const key = { name: 'X-Api-Key', description: 'Key from your account', required: true, secret: true };
const mcp = { kind: 'mcp', transport: 'streamable-http', url: 'https://tides.example.com/mcp', headers: [key] };
const npm = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' };
const card = { kind: 'a2a', card: 'https://tides.example.com/.well-known/agent-card.json' };

describe.each(engines)('connections on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const managementKey = createManagementKey();
  const register = async (fields: object) => {
    const headers = { 'management-key': managementKey, accept: 'application/json' };
    const response = await postJson(`${app.url}/api/agents`, { ...makeNewAgent(), ...fields }, headers);
    return { status: response.status, body: (await response.json()) as Agent & { detail: string } };
  };
  const read = async (path: string) => (await fetch(app.url + path)).json();
  const patch = async ({ id }: Agent, fields: object) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${managementKey}` };
    const init = { method: 'PATCH', headers, body: JSON.stringify(fields) };
    return (await (await fetch(`${app.url}/api/agents/${id}`, init)).json()) as Agent;
  };

  test('are read in canonical form, and left out where there are none', async () => {
    const { required: _required, secret: _secret, ...given } = key;
    const written = { ...mcp, url: 'HTTPS://Tides.example.com:443/mcp', headers: [given] };
    const { body: agent } = await register({ connections: [written, npm] });
    expect(agent.connections).toEqual([mcp, npm]);
    expect(await read(`/api/agents/${agent.id}`)).toEqual(agent);
    expect((await register({ connections: [] })).body).not.toHaveProperty('connections');
  });

  test('are replaced and removed by their owner; the history shows kinds and addresses', async () => {
    const { body: agent } = await register({ connections: [mcp] });
    expect(await read(`/api/agents/${agent.id}/facts`)).not.toHaveProperty('connectionsChangedAt');
    const changed = await patch(agent, { connections: [card, npm] });
    expect(changed.connections).toEqual([card, npm]);
    expect(await read(`/api/agents/${agent.id}/facts`)).toHaveProperty('connectionsChangedAt', changed.updatedAt);
    expect(await patch(agent, { connections: null })).not.toHaveProperty('connections');
    const [removed, replaced] = (await read(`/api/agents/${agent.id}/history`)) as { fields: object[] }[];
    const former = `a2a ${card.card}, npm @example/tides@1.4.0`;
    expect(replaced?.fields).toEqual([{ field: 'connections', from: `mcp ${mcp.url}`, to: former }]);
    expect(removed?.fields).toEqual([{ field: 'connections', from: former, to: null }]);
  });

  test('have a name that their owner chooses, which is read, changed, removed and in the history', async () => {
    const { body: agent } = await register({ connections: [mcp], serverName: 'tides' });
    expect(agent.serverName).toBe('tides');
    expect(await read(`/api/agents/${agent.id}`)).toEqual(agent);
    const refused = await register({ serverName: 'Tides' });
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(/^MCP server name must be/) as string },
    });
    expect(await patch(agent, { serverName: 'high-tides' })).toHaveProperty('serverName', 'high-tides');
    expect(await patch(agent, { serverName: null })).not.toHaveProperty('serverName');
    const [removed, changed] = (await read(`/api/agents/${agent.id}/history`)) as { fields: object[] }[];
    expect(changed?.fields).toEqual([{ field: 'serverName', from: 'tides', to: 'high-tides' }]);
    expect(removed?.fields).toEqual([{ field: 'serverName', from: 'high-tides', to: null }]);
  });

  test('filter lists, searches, facets and feeds; several ways mean any of them', async () => {
    const names = async (path: string) => ((await read(path)) as Agent[]).map(({ name }) => name).toSorted();
    await register({ name: 'Heron remote', connections: [mcp] });
    await register({ name: 'Heron package', connections: [npm] });
    await register({ name: 'Heron card', connections: [card] });
    await register({ name: 'Heron page' });
    for (const [query, found] of [
      ['/api/search?q=heron&connects=mcp', ['Heron package', 'Heron remote']],
      ['/api/search?q=heron&connects=a2a,skill', ['Heron card']],
      ['/api/search?q=heron%20connects:mcp,a2a', ['Heron card', 'Heron package', 'Heron remote']],
      ['/api/search?q=heron&connects=openapi', []],
    ] as const) {
      expect([query, await names(query)]).toEqual([query, found]);
    }
    expect(await names('/api/agents?connects=a2a')).toContain('Heron card');
    expect(await names('/api/agents?connects=a2a')).not.toContain('Heron remote');
    expect((await fetch(`${app.url}/api/agents?connects=grpc`)).status).toBe(400);
    expect(await read('/api/facets?q=heron')).toMatchObject({ connects: { mcp: 2, a2a: 1, skill: 0, openapi: 0 } });
  });

  let plain: Agent;
  beforeAll(async () => {
    plain = (await register({})).body;
  });

  test.each(hostileConnections)('are refused if they are hostile: $connection', async ({ connection, field }) => {
    const { status, body } = await register({ connections: [connection] });
    expect([status, body.detail.slice(0, `connections[0]${field} `.length)]).toEqual([400, `connections[0]${field} `]);
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${managementKey}` };
    const init = { method: 'PATCH', headers, body: JSON.stringify({ connections: [connection] }) };
    expect((await fetch(`${app.url}/api/agents/${plain.id}`, init)).status).toBe(400);
  });
});
