import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { createOperatorStore } from '../operator/operator-store.ts';
import { hashKey } from '../agents/find-owned.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { MAX_CLIENTS } from './host-lines.ts';
import { openWebsiteChecks } from './check-website.ts';

const agent = makeAgent({ website: 'https://website.example/product' });

describe.each(surfaceEngines)('claims by way of a website on $name', ({ open }) => {
  let database: TestDatabase;
  let website: HttpsWebsite;
  let app: TestApp;
  /** The text at each path of the website. */
  let files: Record<string, string>;
  let userAgents: Set<string | undefined>;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  beforeEach(async () => {
    files = {};
    userAgents = new Set();
    website = await startHttpsWebsite(({ url = '', headers }, response) => {
      userAgents.add(headers['user-agent']);
      response.writeHead(url in files ? 200 : 404, { 'content-type': 'text/html' }).end(files[url]);
    });
    app = await startTestApp({ database, websites: await openWebsiteChecks(database.engine, website) });
    await app.agents.load([agent, makeAgent({ ...agent, id: '11111111-1111-4111-8111-111111111111', website: null })]);
  });

  afterEach(async () => {
    website.close();
    await app.close();
  });

  afterAll(() => database.remove());

  async function post(step: string, newKey: string, { id = agent.id, url = app.url } = {}) {
    const headers = { 'management-key': newKey, accept: 'application/json' };
    const response = await fetch(`${url}/api/agents/${id}/${step}`, { method: 'POST', headers });
    const body = (await response.json()) as Agent & { challenge: string; detail?: string };
    return { status: response.status, ...body };
  }

  async function patch(key: string, body: object) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const url = `${app.url}/api/agents/${agent.id}`;
    const response = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify(body) });
    return { status: response.status, agent: response.ok ? ((await response.json()) as Agent) : undefined };
  }

  test('a challenge on the website replaces the key, until the page of the website changes', async () => {
    const [first, second] = [createManagementKey(), createManagementKey()];
    expect(await post('website-claim', first)).toMatchObject({
      status: 422,
      detail: expect.stringContaining('neither at https://website.example/.well-known/agent-registry.txt nor'),
    });
    expect((await patch(first, { name: 'Not mine' })).status).toBe(401);

    files['/.well-known/agent-registry.txt'] = (await post('website-challenge', first)).challenge;
    // Another process of the registry checks it.
    const other = await startTestApp({ database, websites: await openWebsiteChecks(database.engine, website) });
    const claimed = await post('website-claim', first, { url: other.url });
    await other.close();
    expect(claimed).toMatchObject({ status: 200, websiteCheckedAt: expect.any(String), website: agent.website });
    const path = `/agent/${agent.id}?manage=key`;
    expect(userAgents).toEqual(new Set([`AgentRegistry (+${app.url}${path})`, `AgentRegistry (+${other.url}${path})`]));
    const { websiteCheckedAt } = claimed;
    expect(await (await fetch(`${app.url}/api/agents/${agent.id}`)).json()).toEqual({
      ...agent,
      websiteCheckedAt,
      websiteProof: 'host',
    });
    for (const path of ['/api/agents?proved=yes', '/api/search?q=plain&proved=yes']) {
      expect(await (await fetch(app.url + path)).json()).toMatchObject([{ id: agent.id }]);
    }

    // Anyone can read the challenge, and it is of no use with another key.
    expect((await post('website-claim', second)).status).toBe(422);
    delete files['/.well-known/agent-registry.txt'];
    const { challenge } = await post('website-challenge', second);
    files['/product'] = `<!doctype html><title>Product</title><meta name="agent-registry" content="${challenge}">`;
    expect(await post('website-claim', second)).toMatchObject({ status: 200, websiteProof: 'page' });
    expect((await patch(first, { name: 'Void' })).status).toBe(401);
    // The owner proves the website anew with the key that the agent has, which stays.
    expect(await post('website-claim', second)).toMatchObject({ status: 200, websiteProof: 'page' });

    for (const website of [agent.website?.replace('https:', 'http:'), `${agent.website}#top`, agent.website]) {
      const edited = await patch(second, { website });
      expect(edited).toMatchObject({
        status: 200,
        agent: { websiteCheckedAt: expect.any(String), websiteProof: 'page' },
      });
    }
    for (const website of ['https://website.example/other', 'https://website.example:8443/product']) {
      await sql`UPDATE agents SET website = ${agent.website}, website_checked_at = ${websiteCheckedAt}, website_proof = 'page'`.execute(
        database.engine.db,
      );
      const moved = await patch(second, { website });
      expect(moved.status).toBe(200);
      expect(moved.agent).not.toHaveProperty('websiteCheckedAt');
      expect(moved.agent).not.toHaveProperty('websiteProof');
      expect(await (await fetch(`${app.url}/api/search?q=plain&proved=yes`)).json()).toEqual([]);
    }
  });

  test('a client has a website checked five times a day for an agent, by all processes together', async () => {
    const key = createManagementKey();
    const other = await startTestApp({ database, websites: await openWebsiteChecks(database.engine, website) });
    const statuses = [];
    for (const { url } of [app, other, app, other, app, other])
      statuses.push((await post('website-claim', key, { url })).status);
    expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
    await other.close();
    const headers = { 'management-key': key };
    const refused = await fetch(`${app.url}/api/agents/${agent.id}/website-claim`, { method: 'POST', headers });
    expect(await refused.text()).toMatch(
      /^Your address asked for 5 checks of this website within a day\. Try again in 24 hours\.$/,
    );
    const overTrpc = await postJson(`${app.url}/trpc/agents.claim`, { id: agent.id }, headers);
    for (const response of [refused, overTrpc]) {
      expect(response.status).toBe(429);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(86_000);
    }
  });

  test('an owner with the key gets a check of a host that others keep busy', async () => {
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    let running = 0;
    const opened = await openWebsiteChecks(database.engine, website);
    const checkWebsite = async () => {
      running += 1;
      await isOver;
      return 'page' as const;
    };
    const busy = await startTestApp({
      database,
      websites: { ...opened, checkWebsite },
      TRUST_PROXY: 1,
    });
    const owned = makeAgent({ id: '22222222-2222-4222-8222-222222222222', website: agent.website });
    await app.agents.load([owned]);
    const key = createManagementKey();
    await createOperatorStore(database.engine).setKeyHash(owned.id, hashKey(key));
    const claim = (client: number, headers: Record<string, string> = {}) =>
      fetch(`${busy.url}/api/agents/${owned.id}/website-claim`, {
        method: 'POST',
        headers: { 'management-key': createManagementKey(), 'x-forwarded-for': `192.0.2.${client}`, ...headers },
      });
    const refusals: Response[] = [];
    const others = Array.from({ length: 2 * MAX_CLIENTS }, async (_, client) => {
      const response = await claim(client);
      if (response.status === 429) refusals.push(response);
      return response.status;
    });
    await expect.poll(() => refusals.length).toBe(MAX_CLIENTS);
    await expect.poll(() => running).toBe(1);
    const refused = await claim(2 * MAX_CLIENTS, { authorization: `Bearer ${createManagementKey()}` });
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await refused.text()).toBe('Other checks of website.example are under way. Try again in 10 seconds.');
    // An agent has one such place, so that one of two calls takes it and the other is refused at once.
    const own = Array.from({ length: 2 }, () => claim(2 * MAX_CLIENTS, { authorization: `Bearer ${key}` }));
    expect((await Promise.race(own)).status).toBe(429);
    end();
    expect((await Promise.all(own)).filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await Promise.all(others)).filter((status) => status === 200)).toHaveLength(MAX_CLIENTS);
    await busy.close();
  });

  test('without a website, a key, an agent, a public address or checks there is a sentence', async () => {
    const key = createManagementKey();
    const steps = ['website-challenge', 'website-claim'];
    for (const step of steps) {
      expect(await post(step, key, { id: '11111111-1111-4111-8111-111111111111' })).toMatchObject({
        status: 422,
        detail: 'This agent has no website that could prove who owns it.',
      });
      expect((await post(step, 'short')).status).toBe(400);
      expect((await post(step, key, { id: crypto.randomUUID() })).status).toBe(404);
    }
    const closed = await startHttpsWebsite(() => {}, { isAllowed: false });
    const guarded = await startTestApp({ database, websites: await openWebsiteChecks(database.engine, closed) });
    expect(await post('website-claim', key, { url: guarded.url })).toMatchObject({
      status: 422,
      detail: 'website.example could not be reached over https within 5 seconds.',
    });
    closed.close();
    await guarded.close();
    const unchecked = await startTestApp({ database });
    for (const step of steps) {
      expect(await post(step, key, { url: unchecked.url })).toMatchObject({
        status: 403,
        detail: 'This registry does not check websites. Ask its operator for another key.',
      });
    }
    await unchecked.close();
  });
});
