import { createManagementKey, hashConnections, MANAGED_SETTINGS_PATH } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { writeRecords } from '../db/records.ts';
import { createOperatorStore, type OperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { send, startTestApp, type RawRequest, type TestApp } from '../testing/test-app.ts';
import { toNamespace } from '../servers/server-names.ts';

const PUBLIC_URL = 'https://registry.example';
/** The word that only the agent has; searches look for another one, which answers may repeat. */
const WORD = 'zibeline';

const postJson = (body: object): RawRequest => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify(body),
});
const callTool = (name: string, args: object) =>
  postJson({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
const markdown = { headers: { accept: 'text/markdown' } };
const HOUR = 3_600_000;
const WEBSITE = 'https://quokka.example.com';
const connections = [{ kind: 'mcp', transport: 'sse', url: `${WEBSITE}/${WORD}` } as const];
const allowed = async (id: string) => `${MANAGED_SETTINGS_PATH}?keep=${id}~${await hashConnections(connections)}`;

type Surface = [path: string, request?: RawRequest];

/** The surfaces that show an agent: those of one of its category and of one of its website, too. */
const toSurfaces = (id: string, [similar, besides]: readonly [string, string]): Surface[] => [
  ['/api/agents'],
  ['/api/agents?limit=9'],
  ['/api/agents/category/vision'],
  ['/api/search?q=quokka'],
  ['/api/search?q=quoka'],
  ['/api/suggest?q=quokka'],
  ['/api/changes?include=agents'],
  [`/api/agents/${id}`],
  [`/trpc/agents.get?input=${encodeURIComponent(JSON.stringify({ id }))}`],
  ['/trpc/agents.list'],
  ['/trpc/changes.list?input=%7B%22include%22:%22agents%22%7D'],
  ['/', markdown],
  ['/?q=quokka', markdown],
  ['/?category=vision', markdown],
  [`/?compare=${id}`, markdown],
  [`/?keep=${id},${similar}`, markdown],
  [`/agent/${id}`, markdown],
  [`/agent/${similar}`, markdown],
  [`/agent/${besides}`, markdown],
  [`/api/agents/${besides}/facts`],
  ['/?category=vision'],
  ['/?q=quokka'],
  [`/?compare=${id},${similar}`],
  [`/?keep=${id}`],
  [`/agent/${id}`],
  [`/agent/${similar}`],
  [`/agent/${besides}`],
  ['/feed.xml'],
  ['/feed.json?q=quokka'],
  ['/feed.json?category=vision'],
  ['/v0.1/servers'],
  ['/v0.1/servers?search=quokka'],
  ['/ard/catalog'],
  ['/ard/agents'],
  [`/ard/agents/urn:air:registry.example:agent:${id}`],
  ['/ard/search', postJson({ query: { text: 'quokka' } })],
  ['/mcp', callTool('search_agents', { query: 'quokka' })],
  ['/mcp', callTool('get_agent', { id })],
];
const nameSurface = ([path, request]: Surface) =>
  [request?.headers?.accept ?? 'any', path, request?.body ?? ''].map(String).join(' ');
/** Those that belong to an agent without its words. */
const toOwnPaths = (id: string) => [
  `/agent/${id}/badge.svg`,
  `/agent/${id}/badge.json`,
  `/agent/${id}/picture.png`,
  `/agent/${id}/server-card`,
  `/api/agents/${id}/history`,
  `/api/agents/${id}/facts`,
  ...['', '/latest'].map((version) => `/v0.1/servers/example.registry%2F${toSlug(id)}/versions${version}`),
];
/** The name of the agent as an MCP server, which stays. */
const toSlug = (id: string) => `quokka-${WORD}-${id.slice(0, 8)}`;

type Stores = {
  operator: OperatorStore;
  review: OperatorStore;
  withdraw: (id: string) => Promise<unknown>;
  rename: (id: string) => Promise<unknown>;
};
type Change = (stores: Stores, id: string) => Promise<unknown>;
const select = (id: string) => ({ ids: new Set([id]) });
const states: [state: string, change: Change][] = [
  ['held by the operator', ({ review }, id) => review.hold(select(id))],
  ['hidden', ({ operator }, id) => operator.hide(select(id), 'spam')],
  ['withdrawn by its owner', ({ withdraw }, id) => withdraw(id)],
  ['erased', ({ operator }, id) => operator.erase(select(id))],
];

describe.each(surfaceEngines)('an agent on $name', ({ open }) => {
  const key = createManagementKey();
  let database: TestDatabase;
  let app: TestApp;
  let stores: Stores;
  let neighbours: readonly [similar: string, besides: string];

  beforeAll(async () => {
    database = await open();
    const engine = { ...database.engine, serverNamespace: toNamespace(PUBLIC_URL) };
    app = await startTestApp({ database: { engine }, withSite: true, PUBLIC_URL });
    stores = {
      operator: createOperatorStore(engine),
      review: createOperatorStore(engine),
      withdraw: (id) => app.agents.withdraw(id, { key }),
      rename: (id) => app.agents.update(id, { key }, { name: 'Plain', description: 'Plain', capabilities: ['Plain'] }),
    };
    const { agent: similar } = await app.agents.register(makeNewAgent({ category: 'vision' }));
    const { agent: besides } = await app.agents.register(makeNewAgent({ category: 'language', website: WEBSITE }));
    neighbours = [similar.id, besides.id];
    // Of entries with one website, one is imported.
    const entry = { source: 'other', entryKey: 'other', isOrigin: true, importedAt: besides.createdAt };
    await writeRecords(engine.db, 'agent-source', [{ ...entry, attribution: '', licence: '', agentId: besides.id }]);
  });

  beforeEach(() => {
    // Each test in an hour of its own, in which nothing is kept yet.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + HOUR });
  });

  afterAll(async () => {
    vi.useRealTimers();
    await app.close();
    await database.remove();
  });

  async function register(isHeld: boolean): Promise<string> {
    const fields = { name: `Quokka ${WORD}`, category: 'vision', description: WORD, capabilities: [`Quokka ${WORD}`] };
    const agent = makeNewAgent({ ...fields, website: WEBSITE, connections });
    return (await app.agents.register(agent, { key, isHeld })).agent.id;
  }

  /** The surfaces that show the agent, and the statuses of its own. */
  async function look(id: string) {
    const shown: string[] = [];
    for (const surface of toSurfaces(id, neighbours)) {
      const [path, request] = surface;
      const { status, body } = await send(app.url + path, request);
      expect(status).toBeLessThan(500);
      // The name and the address of an MCP server stay.
      const words = body.toLowerCase().replaceAll(/example\.registry\/[\w-]+|quokka\.example\.com\/[\w-]+/g, '');
      if (words.includes(WORD)) shown.push(nameSurface(surface));
    }
    const own = await Promise.all(toOwnPaths(id).map(async (path) => (await send(app.url + path)).status));
    const isMapped = (await send(`${app.url}/sitemap.xml`)).body.includes(id);
    const isAllowed = (await send(app.url + (await allowed(id)))).body.includes(`/${WORD}`);
    return { shown, isFound: new Set([isMapped, isAllowed, ...own.map((status) => status === 200)]) };
  }
  const nowhere = { shown: [], isFound: new Set([false]) };
  const everywhere = (id: string) => ({
    shown: toSurfaces(id, neighbours).map(nameSurface),
    isFound: new Set([true]),
  });

  test('that waits for its release is on no surface, and on all after it', async () => {
    const id = await register(true);
    expect(await look(id)).toEqual(nowhere);
    await stores.operator.release(select(id));
    // The page of another agent shows a new one after an hour.
    vi.setSystemTime(Date.now() + HOUR);
    expect(await look(id)).toEqual(everywhere(id));
    await stores.operator.erase(select(id));
  });

  test.each(states)('that is %s is on no surface with the next request', async (_state, change) => {
    const id = await register(false);
    expect(await look(id)).toEqual(everywhere(id));
    await change(stores, id);
    expect(await look(id)).toEqual(nowhere);
  });

  test('that is renamed has its former words on no surface but in its history', async () => {
    const id = await register(false);
    expect(await look(id)).toEqual(everywhere(id));
    await stores.rename(id);
    expect(await look(id)).toEqual({ shown: [nameSurface([`/agent/${id}`, markdown])], isFound: new Set([true]) });
    await stores.operator.erase(select(id));
  });
});
