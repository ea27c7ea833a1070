import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../../operator/operator-store.ts';
import type { RegistryRecord } from '../../db/record-kinds.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../../testing/test-app.ts';

describe.each(surfaceEngines)('held registrations on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  /** Another process, which lists registrations at once. */
  let other: TestApp;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true, REGISTRATION: 'held' });
    other = await startTestApp({ database, withSite: true });
    operator = createOperatorStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await other.close();
    await database.remove();
  });

  async function register(name: string, headers: Record<string, string> = {}, { url } = app) {
    const response = await postJson(`${url}/api/agents`, makeNewAgent({ name }), headers);
    const { status } = response;
    return { status, location: response.headers.get('location'), agent: (await response.json()) as Agent };
  }

  async function look({ url }: TestApp): Promise<string> {
    const paths = [
      '/api/agents',
      '/api/search?q=otter',
      '/api/stats',
      '/api/facets?q=otter',
      '/api/suggest?q=otter',
      '/sitemap.xml',
      '/feed.xml',
    ];
    const texts = await Promise.all([...paths, '/'].map(async (path) => (await fetch(url + path)).text()));
    return texts.join('\n');
  }

  const read = async ({ id }: Agent, path: string) => (await fetch(`${other.url}${path}/${id}`)).status;
  const byId = (...agents: Agent[]) => ({ ids: new Set(agents.map(({ id }) => id)) });

  test('a held agent is listed by no process until it is released, and then its key works', async () => {
    const before = [await look(app), await look(other)];
    const version = await app.agents.version();
    const key = createManagementKey();
    const headers = { 'management-key': key, 'idempotency-key': 'once' };
    const held = await register('Otter', headers);
    expect(held).toMatchObject({ status: 202, location: null, agent: makeNewAgent({ name: 'Otter' }) });
    const edit = () =>
      fetch(`${other.url}/api/agents/${held.agent.id}`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: '{"description":"Edited."}',
      });
    expect([await look(app), await look(other)]).toEqual(before);
    // Nobody's cached pages become stale for an agent that nobody sees.
    expect(await app.agents.version()).toBe(version);
    for (const path of ['/api/agents', '/agent']) expect(await read(held.agent, path)).toBe(404);
    expect((await edit()).status).toBe(202);
    expect([await look(app), await look(other)]).toEqual(before);
    const readAs = async (sent: string) => {
      const authorization = `Bearer ${sent}`;
      const response = await fetch(`${other.url}/api/agents/${held.agent.id}`, { headers: { authorization } });
      return { status: response.status, cacheControl: response.headers.get('cache-control') };
    };
    expect(await readAs(key)).toEqual({ status: 202, cacheControl: 'private, no-store' });
    expect((await readAs(createManagementKey())).status).toBe(404);
    expect(await register('Otter', headers)).toEqual(held);
    expect(await register('Otter', headers, other)).toEqual(held);
    expect(await operator.countUnlisted('held')).toBe(1);
    expect(await operator.unhide(byId(held.agent))).toEqual([]);

    expect(await operator.release({ text: 'otter' })).toEqual([{ id: held.agent.id, name: 'Otter' }]);
    for (const process of [app, other]) expect(await look(process)).toContain(held.agent.id);
    const location = `/api/agents/${held.agent.id}`;
    expect(await register('Otter', headers)).toEqual({ ...held, status: 201, location });
    expect((await edit()).status).toBe(200);
  });

  test('many are released in one transaction, in the order of their registration, and can be hidden again', async () => {
    const agents: Agent[] = [];
    const names = ['Otter', 'Otter', 'Badger', 'Otter'];
    for (const name of names) agents.push((await register(name)).agent);
    const [, , badger] = agents as [Agent, Agent, Agent];
    const otters = agents.filter((agent) => agent !== badger);
    expect(await operator.release({ text: 'otter', since: badger.createdAt.slice(0, 10) })).toHaveLength(3);
    const listed = async () => new Set((await app.agents.list()).map(({ id }) => id));
    expect(await listed()).toEqual(byId(...otters).ids);
    expect((await app.agents.search({ text: 'otter' }))?.agents.map(({ id }) => id)).toEqual(
      otters.map(({ id }) => id),
    );
    expect((await operator.hide(byId(...otters), 'Too early')).agents).toHaveLength(3);
    expect(await app.agents.list()).toEqual([]);
    expect(await operator.release({})).toEqual([{ id: badger.id, name: 'Badger' }]);
  });

  test('concurrent registrations of one idempotency key are one held agent', async () => {
    const headers = { 'idempotency-key': 'once' };
    const registrations = await Promise.all([app, other, app].map((process) => register('Otter', headers, process)));
    const [{ status, agent } = { status: 0, agent: undefined }] = registrations;
    for (const registration of registrations) expect(registration).toMatchObject({ status, agent });
    const total = (await app.agents.count()) + (await operator.countUnlisted('held'));
    expect(total).toBe(1);
  });

  test('held agents are in backups, restored with their keys, deleted for good, and their ids are taken', async () => {
    const key = createManagementKey();
    const { agent } = await register('Otter', { 'management-key': key });
    const collect = async () => {
      const records: RegistryRecord[] = [];
      for await (const record of operator.read()) records.push(record);
      return records;
    };
    const records = await collect();
    expect(records).toEqual([{ kind: 'held', agent, keyHash: expect.any(String), reason: '', since: agent.createdAt }]);
    await operator.replace(
      (async function* () {
        yield* records;
      })(),
    );
    expect(await collect()).toEqual(records);
    expect(await operator.add([agent])).toEqual(['held']);
    expect(await operator.erase(byId(agent))).toHaveLength(1);
    expect(await collect()).toEqual([]);
  });
});
