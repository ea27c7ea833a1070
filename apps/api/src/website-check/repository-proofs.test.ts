import type { ServerResponse } from 'node:http';
import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hashKey } from '../agents/find-owned.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import type { RateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { createMemoryRateLimitStore } from '../rate-limit/rate-limiter.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { startTestApp, type TestApp } from '../testing/test-app.ts';
import { awaitTurn } from './count-check.ts';
import { openWebsiteChecks, type Websites } from './check-website.ts';
import { createRepositoryLooks } from './website-claims.ts';

const FILE = 'raw.githubusercontent.com/Otters/agent/HEAD/.agent-registry';
const listed = { website: 'https://github.com/Otters/agent' };
/** A challenge of an earlier day. */
const OLD = `1.${'a'.repeat(43)}`;

type Answer = (response: ServerResponse) => void;

const plain =
  (text: string): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end(OLD);
const page: Answer = (response) => response.writeHead(200, { 'content-type': 'text/html' }).end(`\n${OLD}\n`);

describe.each(surfaceEngines)('proofs of repositories on $name', ({ open }) => {
  let database: TestDatabase;
  let services: HttpsWebsite;
  let websites: Websites;
  let app: TestApp;
  let rateLimitStore: RateLimitStore;
  /** The answers of the services, by host and path; 404 to others. */
  let files: Record<string, Answer>;
  let requested: string[];

  beforeAll(async () => {
    database = await open();
    services = await startHttpsWebsite(({ url, headers }, response) => {
      const address = `${headers.host}${url}`;
      requested.push(address);
      (files[address] ?? status(404))(response);
    });
    websites = await openWebsiteChecks(database.engine, services);
    let time = 0;
    rateLimitStore = createMemoryRateLimitStore(() => (time += 1_000));
    app = await startTestApp({ database, websites, rateLimitStore });
  });

  beforeEach(async () => {
    await database.empty();
    files = {};
    requested = [];
  });

  afterAll(async () => {
    services.close();
    await app.close();
    await database.remove();
  });

  async function post(step: string, { id }: Agent, newKey = createManagementKey()) {
    const headers = { 'management-key': newKey, accept: 'application/json' };
    const response = await fetch(`${app.url}/api/agents/${id}/website-${step}`, { method: 'POST', headers });
    return { status: response.status, ...((await response.json()) as Agent & { challenge: string; detail?: string }) };
  }

  async function load(agent: Partial<Agent>): Promise<Agent> {
    const loaded = makeAgent(agent);
    await app.agents.load([loaded]);
    return loaded;
  }

  const proved = (website = listed.website) =>
    load({ website, websiteCheckedAt: '2026-11-01T00:00:00.000Z', websiteProof: 'repository' });

  test.each([
    ['https://github.com/Otters/agent.git?ref=evil', FILE],
    ['https://gitlab.com/otters/tools/agent/-/tree/evil', 'gitlab.com/otters/tools/agent/-/raw/HEAD/.agent-registry'],
    ['https://codeberg.org/otters/agent', 'codeberg.org/api/v1/repos/otters/agent/raw/.agent-registry'],
    ['https://huggingface.co/spaces/otters/a', 'huggingface.co/spaces/otters/a/raw/main/.agent-registry'],
  ])('a challenge in the file of %s proves it and replaces the key; nothing else is asked', async (website, file) => {
    const agent = await load({ website });
    const key = createManagementKey();
    expect(await post('claim', agent, key)).toMatchObject({
      status: 422,
      detail: `The challenge is not in https://${file}, or it has expired. A new file may take minutes to show there.`,
    });
    files[file] = plain(`# Who owns this\r\n${(await post('challenge', agent, key)).challenge}\r\n`);
    expect(await post('claim', agent)).toMatchObject({ status: 422 });
    expect(await post('claim', agent, key)).toMatchObject({ status: 200, websiteProof: 'repository', website });
    expect(new Set(requested)).toEqual(new Set([file]));
    expect(await app.agents.findOwned(agent.id, key)).toMatchObject({ agent: { id: agent.id } });
    const found = await (await fetch(`${app.url}/api/agents?proved=yes`)).json();
    expect(found).toMatchObject([{ id: agent.id, websiteProof: 'repository' }]);
  });

  test.each<[string, Answer, string]>([
    [
      'within the host',
      status(301, { location: `https://raw.githubusercontent.com/other` }),
      'github.com/Otters/agent has moved: list its present address first.',
    ],
    [
      'to another host',
      status(307, { location: 'https://gitlab.com/' }),
      'github.com/Otters/agent has moved: list its present address first.',
    ],
    ['too busy', status(429), `https://${FILE} could not be read within 5 seconds. Try again later.`],
    ['a page', page, `https://${FILE} could not be read within 5 seconds. Try again later.`],
  ])('an answer that is not the file proves nothing, and is not followed: %s', async (_case, answer, detail) => {
    const agent = await load(listed);
    files[FILE] = answer;
    expect(await post('claim', agent)).toMatchObject({ status: 422, detail });
    expect(requested).toEqual([FILE]);
    expect(await app.agents.find(agent.id)).toEqual(agent);
  });

  test('the first 4,096 bytes of the file count', async () => {
    const agent = await load(listed);
    const key = createManagementKey();
    const { challenge } = await post('challenge', agent, key);
    const filler = 'x'.repeat(4_095 - challenge.length);
    files[FILE] = plain(`${filler}x\n${challenge}`);
    expect(await post('claim', agent, key)).toMatchObject({ status: 422 });
    files[FILE] = plain(`${filler}\n${challenge}\n${'x'.repeat(100_000)}`);
    expect(await post('claim', agent, key)).toMatchObject({ status: 200 });
  });

  test('an entry has one check under way, whoever asks, and entries of an account do not wait for each other’s places', async () => {
    const agents = [await load(listed), await load({ website: 'https://github.com/otters/other' })];
    const held: ServerResponse[] = [];
    files[FILE] = (response) => void held.push(response);
    const first = post('claim', agents[0]!);
    await expect.poll(() => held.length).toBe(1);
    expect(await post('claim', agents[0]!)).toMatchObject({ status: 429 });
    const other = post('claim', agents[1]!);
    status(404)(held[0]!);
    expect([(await first).status, (await other).status]).toEqual([422, 422]);
  });

  test('a proof counts for the repository in any spelling, and for no other', async () => {
    const agent = await proved();
    const key = createManagementKey();
    await createOperatorStore(database.engine).setKeyHash(agent.id, hashKey(key));
    const edit = async (website: string) => {
      const body = JSON.stringify({ website });
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const response = await fetch(`${app.url}/api/agents/${agent.id}`, { method: 'PATCH', headers, body });
      return ((await response.json()) as Agent).websiteProof;
    };
    expect(await edit('https://github.com/otters/AGENT/tree/next?tab=readme')).toBe('repository');
    expect(await edit('https://github.com/otters/agent2')).toBeUndefined();
  });

  describe('a daily look', () => {
    const look = (signal = new AbortController().signal) =>
      createRepositoryLooks({
        ...websites,
        engine: database.engine,
        agents: app.agents,
        rateLimitStore,
        origin: 'https://registry.example',
      })(signal);

    test.each<[string, boolean, Answer | undefined]>([
      ['has another challenge, which has expired', true, plain(`note\n${OLD}`)],
      ['is gone', false, undefined],
      ['is gone with its repository', false, status(401)],
      ['was emptied', false, plain('\n')],
      ['has moved with its repository', false, status(302, { location: '/other' })],
      ['is not served for now', true, status(503)],
      ['is not served to busy clients', true, status(429)],
      ['is behind a page against bots', true, page],
      ['is not reached', true, (response) => void response.destroy()],
    ])('at a file that %s lets the proof stand: %s', async (_case, stands, answer) => {
      const agent = await proved();
      if (answer) files[FILE] = answer;
      const version = await app.agents.version();
      await look();
      await look();
      expect(requested).toEqual([FILE]);
      const { websiteCheckedAt: _at, websiteProof: _proof, ...without } = agent;
      expect(await app.agents.find(agent.id)).toEqual(stands ? agent : without);
      expect((await app.agents.version()) === version).toBe(stands);
      const found = await (await fetch(`${app.url}/api/search?q=plain&proved=yes`)).json();
      expect(found).toHaveLength(stands ? 1 : 0);
      const changes = await (await fetch(`${app.url}/api/agents/${agent.id}/history`)).json();
      expect(changes).toHaveLength(stands ? 1 : 2);
    });

    test('asks for repositories only, and ends no proof that was made meanwhile', async () => {
      const agent = await proved();
      const later = { website: agent.website as string, proof: 'repository' } as const;
      await load({ ...listed, websiteCheckedAt: '2026-11-01T00:00:00.000Z', websiteProof: 'page' });
      await proved('https://website.example/');
      files[FILE] = (response) =>
        void app.agents.claim(agent.id, later, createManagementKey()).then(() => status(404)(response));
      await look();
      expect(requested).toEqual([FILE]);
      expect(await app.agents.find(agent.id)).toMatchObject({ websiteProof: 'repository' });
    });
  });
});

test('a service is asked once a second, and others meanwhile', async () => {
  let time = 0;
  const memory = createMemoryRateLimitStore(() => time);
  const store: RateLimitStore = {
    async increment(...call) {
      const { used, resetsIn } = await memory.increment(...call);
      if (used > 1) time += resetsIn;
      return { used, resetsIn: 0 };
    },
  };
  const times: number[] = [];
  for (const service of ['github.com', 'github.com', 'gitlab.com', 'github.com']) {
    await awaitTurn(store, service);
    times.push(time);
  }
  expect(times).toEqual([0, 1_000, 1_000, 2_000]);
});
