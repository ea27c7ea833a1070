import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from './operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import type { Websites } from '../website-check/check-website.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createChallenges } from '../website-check/website-challenge.ts';

const key = createManagementKey();
const authorization = `Bearer ${key}`;

/** Checks of websites that find every challenge. */
const websites: Websites = {
  secret: Buffer.from('secret'),
  sharedHosts: [],
  readDomainKeys: async () => [],
  challenges: createChallenges(Buffer.from('secret')),
  checkWebsite: async () => 'host',
  readFile: createFileReader(),
  fetch: async () => ({ status: 200, type: 'text/html', text: '<title>Evil</title>', isChallenge: false, headers: {} }),
};

describe.each(surfaceEngines)('attacks on the review on $name', ({ open }) => {
  let database: TestDatabase;
  let apps: [TestApp, TestApp];
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    const start = () => startTestApp({ database, withSite: true, REGISTRATION: 'held', websites });
    apps = [await start(), await start()];
    operator = createOperatorStore(database.engine);
  });

  afterAll(async () => {
    for (const app of apps) await app.close();
    await database.remove();
  });

  async function register(fields = {}): Promise<Agent> {
    const headers = { 'management-key': key };
    return (await postJson(`${apps[0].url}/api/agents`, makeNewAgent(fields), headers)).json() as Promise<Agent>;
  }

  /** Sends an edit that waits; returns the version of its owner. */
  async function propose({ id }: Agent, name: string): Promise<Agent> {
    const response = await fetch(`${apps[0].url}/api/agents/${id}`, {
      method: 'PATCH',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name }),
    });
    return response.json() as Promise<Agent>;
  }

  const byId = ({ id }: Agent) => ({ ids: new Set([id]) });
  const listed = ({ id }: Agent) => apps[0].agents.find(id);

  test('an edit that is sent while the agent or an earlier edit is released is neither lost nor listed unseen', async () => {
    for (let round = 0; round < 15; round += 1) {
      const agent = await register();
      let reviewed = agent;
      let former: string | undefined;
      for (const step of ['agent', 'edit']) {
        const name = `${step} ${round}`;
        const { seen } = (await operator.inspect(agent.id))!;
        const [edit, release] = await Promise.allSettled([
          fetch(`${apps[round % 2]!.url}/api/agents/${agent.id}`, {
            method: 'PATCH',
            headers: { authorization, 'content-type': 'application/json' },
            body: JSON.stringify({ name }),
          }),
          operator.release({ ...byId(agent), seen: new Map([[agent.id, seen!]]) }),
        ]);
        expect(edit).toMatchObject({ value: { status: 202 } });
        // Either the operator's reading was still right, and the edit waits, or nothing was released.
        const shown = release.status === 'fulfilled' ? reviewed.name : former;
        expect((await listed(agent))?.name).toBe(shown);
        const own = await fetch(`${apps[0].url}/api/agents/${agent.id}`, { headers: { authorization } });
        expect([own.status, ((await own.json()) as Agent).name]).toEqual([202, name]);
        expect(await operator.release(byId(agent))).toHaveLength(1);
        former = (await listed(agent))!.name;
        expect(former).toBe(name);
        reviewed = await propose(agent, `next ${name}`);
      }
    }
  });

  test('concurrent edits of a proposal are all in it', async () => {
    const agent = await register();
    await operator.release(byId(agent));
    const patches = [{ name: 'Badger' }, { description: 'Digs.' }, { pricingModel: 'paid' }, { apiAccess: 'yes' }];
    const edits = await Promise.all(
      patches.map((patch, index) =>
        fetch(`${apps[index % 2]!.url}/api/agents/${agent.id}`, {
          method: 'PATCH',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify(patch),
        }),
      ),
    );
    expect(edits.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect(await listed(agent)).toEqual(agent);
    await operator.release(byId(agent));
    expect(await listed(agent)).toMatchObject(Object.assign({}, ...patches) as object);
  });

  const json = { 'content-type': 'application/json' };
  const newKey = createManagementKey();
  const editWith = ({ id }: Agent, sent: string) =>
    fetch(`${apps[1].url}/api/agents/${id}`, {
      method: 'PATCH',
      headers: { ...json, authorization: `Bearer ${sent}` },
      body: '{"name":"Evil"}',
    });
  const evasions: [way: string, run: (agent: Agent) => Promise<Response>][] = [
    ['an edit after the release', (agent) => editWith(agent, key)],
    [
      'an edit over the tRPC protocol',
      ({ id }) =>
        fetch(`${apps[0].url}/trpc/agents.update`, {
          method: 'POST',
          headers: { ...json, authorization },
          body: JSON.stringify({ id, name: 'Evil' }),
        }),
    ],
    [
      'an edit with another key',
      async (agent) => {
        const headers = { authorization, 'management-key': newKey };
        await fetch(`${apps[0].url}/api/agents/${agent.id}/management-key`, { method: 'POST', headers });
        return editWith(agent, newKey);
      },
    ],
    [
      'an edit after a claim by way of the website',
      async (agent) => {
        const headers = { 'management-key': newKey };
        const claim = await fetch(`${apps[0].url}/api/agents/${agent.id}/website-claim`, { method: 'POST', headers });
        expect(claim.status).toBe(200);
        return editWith(agent, newKey);
      },
    ],
    [
      'a repeated registration of the same website',
      () => postJson(`${apps[0].url}/api/agents`, makeNewAgent({ name: 'Evil', website: 'https://website.example' })),
    ],
    [
      'filling the form in from a website',
      () => postJson(`${apps[0].url}/api/prefill`, { url: 'https://website.example' }),
    ],
  ];

  test.each(evasions)('%s lists nothing that was not reviewed', async (_way, run) => {
    const agent = await register({ website: 'https://website.example' });
    await operator.release(byId(agent));
    const count = await apps[0].agents.count();
    expect((await run(agent)).ok).toBe(true);
    const { websiteCheckedAt: _at, websiteProof: _proof, ...shown } = (await listed(agent))!;
    expect(shown).toEqual(agent);
    expect(await apps[0].agents.count()).toBe(count);
    expect(await apps[1].agents.search({ text: 'evil' })).toMatchObject({ agents: [] });
  });
});
