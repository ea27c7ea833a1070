import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from './operator-store.ts';
import type { RegistryRecord } from '../db/record-kinds.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { DECIDED_PERIOD, forgetDecided } from '../agents/proposals.ts';

const key = createManagementKey();

/** What visitors and programs read. */
const SURFACES = [
  '/api/agents',
  '/api/search?q=badger',
  '/api/search?q=otter',
  '/api/stats',
  '/api/facets?q=badger',
  '/api/suggest?q=badger',
  '/api/changes?include=agents',
  '/feed.xml',
  '/sitemap.xml',
  '/llms.txt',
  '/',
];

describe.each(engines)('the review of owners’ changes on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true, REGISTRATION: 'held', HELD_EDITS_EXCEPT: ['apiAccess'] });
    operator = createOperatorStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const byId = ({ id }: Agent) => ({ ids: new Set([id]) });

  async function registerHeld(fields = {}): Promise<Agent> {
    const response = await postJson(`${app.url}/api/agents`, makeNewAgent({ name: 'Otter', ...fields }), {
      'management-key': key,
    });
    expect(response.status).toBe(202);
    return (await response.json()) as Agent;
  }

  async function registerListed(fields = {}): Promise<Agent> {
    const agent = await registerHeld(fields);
    await operator.release(byId(agent));
    return agent;
  }

  type Sent = { method?: string; body?: unknown; sent?: string | undefined; headers?: Record<string, string> };

  async function call(path: string, { method = 'GET', body, sent = key, headers }: Sent = {}) {
    const response = await fetch(`${app.url}/api/agents/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${sent}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      agent: (response.ok ? JSON.parse(text) : {}) as Agent,
    };
  }

  const edit = ({ id }: Agent, body: unknown, headers = {}) => call(id, { method: 'PATCH', body, headers });
  const read = ({ id }: Agent, sent?: string) => call(id, { sent });
  const find = async ({ id }: Agent) => (await (await fetch(`${app.url}/api/agents/${id}`)).json()) as Agent;
  const look = ({ id }: Agent) =>
    Promise.all(
      [...SURFACES, `/api/agents/${id}`, `/api/agents/${id}/history`, `/agent/${id}`].map(async (path) => {
        const response = await fetch(app.url + path);
        // These requests are views themselves.
        return [path, response.status, (await response.text()).replace(/"monthlyViews":\d+/, '')];
      }),
    );

  async function collect(): Promise<RegistryRecord[]> {
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    return records;
  }

  test('an edit of a listed agent waits: every surface shows the former version until the release', async () => {
    const agent = await registerListed();
    const before = await look(agent);
    const edited = await edit(agent, { name: 'Badger', capabilities: ['setts'] });
    expect(edited).toMatchObject({ status: 202, agent: { ...agent, name: 'Badger', capabilities: ['setts'] } });
    expect(await look(agent)).toEqual(before);

    expect(await operator.countProposed()).toBe(1);
    expect(await operator.release({ text: 'setts' })).toEqual([{ id: agent.id, name: 'Otter' }]);
    const found = await find(agent);
    expect(found).toEqual({ ...edited.agent, updatedAt: expect.any(String) });
    expect(await app.agents.search({ text: 'badger' })).toMatchObject({ agents: [found] });
    const [latest] = (await (await fetch(`${app.url}/api/agents/${agent.id}/history`)).json()) as object[];
    expect(latest).toMatchObject({ change: 'updated', actor: 'owner', at: found.updatedAt });
    expect(await operator.countProposed()).toBe(0);
    expect(await read(agent)).toMatchObject({ status: 200, agent: found });
  });

  test('the owner reads the proposed version with the key, which no cache keeps, and others see nothing of it', async () => {
    const agent = await registerListed();
    await edit(agent, { name: 'Badger' });
    const own = await read(agent);
    expect(own).toMatchObject({ status: 202, agent: { name: 'Badger' } });
    expect(own.headers.get('cache-control')).toBe('private, no-store');
    expect(own.headers.get('vary')).toContain('Authorization');
    expect(await find(agent)).toEqual(agent);
    expect(await read(agent, createManagementKey())).toMatchObject({ status: 401 });
    expect(await read(agent)).toMatchObject({ status: 202, agent: { name: 'Badger' } });
  });

  test('a further edit is added to the proposal, and an edit back to the listed values removes it', async () => {
    const agent = await registerListed();
    await edit(agent, { name: 'Badger' });
    const { headers } = await read(agent);
    const ifMatch = { 'if-match': headers.get('etag')! };
    expect(await edit(agent, { description: 'Digs.' }, ifMatch)).toMatchObject({
      status: 202,
      agent: { name: 'Badger', description: 'Digs.' },
    });
    expect((await edit(agent, { description: 'Late.' }, ifMatch)).status).toBe(412);
    expect(await edit(agent, { description: agent.description })).toMatchObject({ status: 202 });
    expect(await edit(agent, { name: 'Otter' })).toMatchObject({ status: 200, agent });
    expect(await operator.countProposed()).toBe(0);
  });

  test('the owner takes the proposal back', async () => {
    const agent = await registerListed();
    await edit(agent, { name: 'Badger' });
    const takeBack = (sent = key) => call(`${agent.id}/proposal`, { method: 'DELETE', sent });
    expect((await takeBack(createManagementKey())).status).toBe(401);
    expect(await takeBack()).toMatchObject({ status: 200, agent });
    expect(await read(agent)).toMatchObject({ status: 200, agent });
    expect(await operator.release(byId(agent))).toEqual([]);
    expect(await takeBack()).toMatchObject({ status: 200, agent });
  });

  test('exempt fields are listed at once if they alone change, and leave the proposal', async () => {
    const agent = await registerListed();
    await edit(agent, { name: 'Badger', apiAccess: 'planned' });
    expect(await find(agent)).toEqual(agent);
    const other = await edit(agent, { apiAccess: 'yes' });
    expect(other).toMatchObject({ status: 202, agent: { name: 'Badger', apiAccess: 'yes' } });
    expect(await find(agent)).toMatchObject({ name: 'Otter', apiAccess: 'yes' });
    await operator.release(byId(agent));
    expect(await find(agent)).toMatchObject({ name: 'Badger', apiAccess: 'yes' });
    expect((await edit(agent, { apiAccess: 'no' })).status).toBe(200);
  });

  test('a refused agent and a refused change tell their owner the reason, and wait again once they are edited', async () => {
    const [held, listed] = [await registerHeld(), await registerListed()];
    await edit(listed, { name: 'Badger' });
    const ids = new Set([held.id, listed.id]);
    const reason = 'Is it „yours“?';
    expect(await operator.refuse({ ids }, reason)).toHaveLength(2);
    for (const agent of [held, listed]) {
      const own = await read(agent);
      expect(own.status).toBe(202);
      expect(decodeURIComponent(own.headers.get('x-refusal-reason')!)).toBe(reason);
    }
    expect(await find(listed)).toEqual(listed);
    expect(await operator.release({ ids })).toEqual([]);
    for (const agent of [held, listed]) {
      expect((await edit(agent, { name: 'Stoat' })).status).toBe(202);
      expect((await read(agent)).headers.get('x-refusal-reason')).toBeNull();
    }
    expect(await operator.release({ text: 'stoat' })).toHaveLength(2);
    for (const agent of [held, listed]) expect(await find(agent)).toMatchObject({ name: 'Stoat' });
  });

  test('a release and a refusal are taken back', async () => {
    const [held, listed] = [await registerHeld(), await registerListed()];
    await edit(listed, { name: 'Badger', website: null });
    const ids = new Set([held.id, listed.id]);
    await operator.refuse({ ids }, 'No');
    expect(await operator.hold({ ids })).toHaveLength(2);
    expect((await read(listed)).headers.get('x-refusal-reason')).toBeNull();
    expect(await operator.release({ ids })).toHaveLength(2);
    await operator.edit(byId(listed), { description: 'Kept.' });
    expect(await find(listed)).toMatchObject({ name: 'Badger', description: 'Kept.' });

    expect(await operator.hold({ ids })).toHaveLength(2);
    expect((await fetch(`${app.url}/api/agents/${held.id}`)).status).toBe(404);
    expect(await find(listed)).toMatchObject({ name: 'Otter', description: 'Kept.', website: listed.website });
    expect(await read(listed)).toMatchObject({ status: 202, agent: { name: 'Badger', description: 'Kept.' } });
    expect(await operator.hold({ ids })).toEqual([]);
    expect(await operator.release({ ids })).toHaveLength(2);
  });

  test('a held agent is changed and withdrawn by its owner, and returns to being held', async () => {
    const agent = await registerHeld();
    expect(await edit(agent, { name: 'Badger' })).toMatchObject({ status: 202, agent: { ...agent, name: 'Badger' } });
    expect((await call(agent.id, { method: 'PATCH', body: { name: 'X' }, sent: createManagementKey() })).status).toBe(
      404,
    );
    expect((await call(agent.id, { method: 'DELETE' })).status).toBe(200);
    expect((await read(agent)).status).toBe(410);
    expect(await operator.release(byId(agent))).toEqual([]);
    expect(await operator.restore(byId(agent))).toHaveLength(1);
    expect((await fetch(`${app.url}/api/agents/${agent.id}`)).status).toBe(404);
    expect((await operator.hide(byId(agent), 'Spam')).agents).toHaveLength(1);
    expect((await read(agent)).status).toBe(404);
    await operator.unhide(byId(agent));
    expect(await read(agent)).toMatchObject({ status: 202, agent: { name: 'Badger' } });
    expect(await operator.release(byId(agent))).toHaveLength(1);
    expect(await find(agent)).toMatchObject({ name: 'Badger' });
  });

  test('a proposal stays with an agent that is hidden or withdrawn, and waits again once it is listed', async () => {
    const agent = await registerListed();
    await edit(agent, { name: 'Badger' });
    await operator.hide(byId(agent), 'Spam');
    expect([await operator.release(byId(agent)), await operator.countProposed()]).toEqual([[], 0]);
    await operator.unhide(byId(agent));
    expect((await call(agent.id, { method: 'DELETE' })).status).toBe(200);
    expect(await operator.release(byId(agent))).toEqual([]);
    await operator.restore(byId(agent));
    expect(await find(agent)).toMatchObject({ name: 'Otter' });
    expect(await operator.release(byId(agent))).toHaveLength(1);
    expect(await find(agent)).toMatchObject({ name: 'Badger' });
  });

  test('proposals are in backups and restored, and an erased agent leaves none', async () => {
    const [agent, held] = [await registerListed(), await registerHeld()];
    await edit(agent, { name: 'Secret' });
    await operator.refuse(byId(held), 'No');
    const records = await collect();
    expect(records.map(({ kind }) => kind)).toEqual(['agent', 'refused', 'proposal', 'change']);
    await operator.replace(
      (async function* () {
        yield* records;
      })(),
    );
    expect(await read(agent)).toMatchObject({ status: 202, agent: { name: 'Secret' } });
    expect((await read(held)).headers.get('x-refusal-reason')).toBe('No');
    await operator.erase(byId(agent));
    expect(JSON.stringify(await collect())).not.toContain('Secret');
  });

  test('decided proposals are forgotten after 90 days, waiting ones never', async () => {
    const [refused, waiting] = [await registerListed(), await registerListed()];
    for (const agent of [refused, waiting]) await edit(agent, { name: 'Badger' });
    await operator.refuse(byId(refused), 'No');
    await forgetDecided(database.engine.db, Date.now() + DECIDED_PERIOD - 60_000);
    expect((await read(refused)).headers.get('x-refusal-reason')).toBe('No');
    await forgetDecided(database.engine.db, Date.now() + DECIDED_PERIOD);
    expect((await read(refused)).status).toBe(200);
    expect((await read(waiting)).status).toBe(202);
  });

  test('the operator edits and inspects agents of every state', async () => {
    const states = ['listed', 'held', 'refused', 'hidden', 'withdrawn'] as const;
    const agents = [await registerListed(), await registerHeld(), await registerHeld(), await registerHeld()];
    agents.push(await registerListed());
    const [listed, , refused, hidden, withdrawn] = agents as [Agent, Agent, Agent, Agent, Agent];
    await edit(listed, { name: 'Badger' });
    await operator.refuse(byId(refused), 'No');
    await operator.hide(byId(hidden), 'Spam');
    await operator.withdraw(byId(withdrawn));
    expect(await operator.edit({ text: 'otter' }, { category: 'vision' })).toHaveLength(5);
    for (const [index, agent] of agents.entries()) {
      expect(await operator.inspect(agent.id)).toMatchObject({
        agent: { ...agent, category: 'vision' },
        state: states[index],
        hasKey: true,
      });
    }
    expect(await operator.inspect(listed.id)).toMatchObject({
      proposal: { state: 'waiting', patch: { name: 'Badger' } },
      history: [
        { change: 'listed', actor: 'operator' },
        { change: 'updated', actor: 'operator', fields: { category: ['automation', 'vision'] } },
      ],
    });
    expect(await read(listed)).toMatchObject({ agent: { name: 'Badger', category: 'vision' } });
  });
});
