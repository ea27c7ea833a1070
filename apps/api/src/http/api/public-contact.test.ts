import { createManagementKey, defaultSiteConfig, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createAppRouter } from '../../router.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestAppOptions } from '../../testing/test-app.ts';
import { createOpenApiDocument } from './openapi-document.ts';

const ADDRESS = 'heron@example.com';
const WEBSITE = 'https://otter.example.com';

const lists = [
  '/api/agents',
  '/api/agents?limit=5',
  `/api/agents?limit=5&website=${encodeURIComponent(WEBSITE)}`,
  '/api/agents/category/vision',
  '/api/agents/category/vision?sort=name',
  '/api/search?q=otter',
  '/api/search?q=otter&sort=rating',
];

const toTrpc = (name: string, input: object) => `/trpc/${name}?input=${encodeURIComponent(JSON.stringify(input))}`;

const machineSurfaces = [
  ...lists,
  toTrpc('agents.list', {}),
  toTrpc('agents.byCategory', { category: 'vision' }),
  toTrpc('agents.search', { q: 'otter' }),
  '/feed.xml',
  '/sitemap.xml',
];

describe.each(surfaceEngines)('with PUBLIC_CONTACT=page on $name', ({ open }) => {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(() => database.empty());

  afterAll(() => database.remove());

  async function start(options: TestAppOptions = { publicContact: 'page' }) {
    const app = await startTestApp({ database, withSite: true, ...options });
    onTestFinished(() => app.close());
    const agent = makeAgent({ name: 'Otter', category: 'vision', contactEmail: ADDRESS, website: WEBSITE });
    await app.agents.load([agent]);
    return { ...app, agent, read: async (path: string) => (await fetch(app.url + path)).text() };
  }

  test('no list has the contact address, from the response cache either, and the rest of the agent is there', async () => {
    const { agent, read } = await start();
    for (const path of [...machineSurfaces, ...machineSurfaces]) {
      const body = await read(path);
      expect({ path, isListed: body.includes(agent.id), hasAddress: body.includes(ADDRESS) }).toEqual({
        path,
        isListed: true,
        hasAddress: false,
      });
    }
    for (const path of lists) expect(JSON.parse(await read(path))).toEqual([{ ...agent, contactEmail: null }]);
    expect(await read('/api/search?q=heron')).toBe('[]');
  });

  test('the call of one agent, and the answers to its owner, have the contact address', async () => {
    const { agent, read, url } = await start();
    expect(JSON.parse(await read(`/api/agents/${agent.id}`))).toEqual(agent);
    expect(await read(toTrpc('agents.get', { id: agent.id }))).toContain(ADDRESS);
    const key = createManagementKey();
    const own = makeNewAgent({ contactEmail: 'own@example.com' });
    const registered = await postJson(`${url}/api/agents`, own, { 'Management-Key': key });
    const { id, contactEmail } = (await registered.json()) as Agent;
    expect(contactEmail).toBe('own@example.com');
    const edited = await fetch(`${url}/api/agents/${id}`, {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Renamed' }),
    });
    expect(await edited.json()).toMatchObject({ name: 'Renamed', contactEmail });
    expect(await read('/api/agents')).not.toContain('@');
  });

  test('without the setting lists have the contact address', async () => {
    const { agent, read } = await start({});
    for (const path of lists) expect(JSON.parse(await read(path))).toEqual([agent]);
  });
});

test('the OpenAPI document says in which answers the contact address can be null', () => {
  const itemsOf = ({ paths }: ReturnType<typeof createOpenApiDocument>) =>
    ['/api/agents', '/api/agents/category/{category}', '/api/search'].map(
      (path) => paths?.[path]?.get?.responses?.['200'].content['application/json'].schema.items.$ref as unknown,
    );
  const siteConfig = defaultSiteConfig;
  const router = createAppRouter(siteConfig.categories);
  const usual = createOpenApiDocument({ router, siteConfig, publicContact: 'everywhere' });
  const pageOnly = createOpenApiDocument({ router, siteConfig, publicContact: 'page' });
  expect(new Set(itemsOf(usual))).toEqual(new Set(['#/components/schemas/Agent']));
  expect(usual.components?.schemas).not.toHaveProperty('ListedAgent');
  expect(new Set(itemsOf(pageOnly))).toEqual(new Set(['#/components/schemas/ListedAgent']));
  expect(pageOnly.components?.schemas).toMatchObject({
    Agent: { properties: { contactEmail: { type: 'string' } } },
    ListedAgent: { properties: { contactEmail: { type: ['string', 'null'], format: 'email' } } },
  });
});
