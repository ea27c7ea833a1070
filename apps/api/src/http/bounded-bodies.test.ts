import { MAX_PAGE_BYTES, type Agent, type Changes, type Connection } from '@agent-registry/contracts';
import { makeAgent, makeGreatestAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { runsAll } from '../testing/tier.ts';

type ServerList = { servers: { server: { name: string } }[]; metadata: { nextCursor?: string } };

const ORIGIN = 'https://registry.example';
/** Some 15 kB, with long texts about what a client asks for. */
const connections: Connection[] = [
  {
    kind: 'mcp',
    transport: 'sse',
    url: 'https://greatest.example.com/mcp',
    headers: ['A', 'B', 'C'].map((name) => ({ name, description: '字'.repeat(1_600), required: true, secret: true })),
  },
];
/** Of the greatest length, more than a page has room for; the last of them are short. */
const agents = [
  ...Array.from({ length: 40 }, () => makeGreatestAgent({ connections })),
  ...Array.from({ length: 20 }, () => makeGreatestAgent({ description: '"\\\n'.repeat(2_666) })),
  ...Array.from({ length: 10 }, () => makeAgent({ name: 'Greatest' })),
].map((agent, index) => ({ ...agent, createdAt: new Date(1_767_225_600_000 - index).toISOString() }));
const ids = agents.map(({ id }) => id).toSorted();

describe.each(surfaceEngines)('with agents of the greatest length on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    const engine = { ...database.engine, serverNamespace: 'example.registry' };
    app = await startTestApp({
      database: { engine },
      agents: createAgentStore(engine),
      PUBLIC_URL: ORIGIN,
      withSite: true,
      DATABASE_STATEMENT_TIMEOUT: 60_000,
    });
    for (let begin = 0; begin < agents.length; begin += 40) await app.agents.load(agents.slice(begin, begin + 40));
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  /** Reads a body, which must be within the bound. */
  async function read(sent: Response): Promise<string> {
    const bytes = await sent.arrayBuffer();
    expect({ status: sent.status, isBounded: bytes.byteLength <= MAX_PAGE_BYTES }).toEqual({
      status: 200,
      isBounded: true,
    });
    return new TextDecoder().decode(bytes);
  }

  const get = async (path: string, accept = '*/*') => read(await fetch(app.url + path, { headers: { accept } }));
  const post = async (path: string, body: unknown) =>
    read(await postJson(app.url + path, body, { accept: 'application/json, text/event-stream' }));

  test.runIf(runsAll).each(['next', 'prev'])(
    'a walk by %s has short pages of lists, and misses and repeats no agent',
    async (way) => {
      const paths = ['/api/agents?', '/api/search?q=greatest&'];
      const sorted = ['/api/agents/category/automation?sort=name&', '/api/search?q=greatest&sort=name&'];
      for (const path of way === 'next' || runsAll ? [...paths, ...sorted] : paths) {
        const all: string[] = [];
        const first = way === 'next' ? undefined : await lastOf(`${path}limit=200`);
        const start = first === undefined ? '' : `&before=${first}`;
        let pages = 0;
        for (let next: string | undefined = `${path}limit=200${start}`; next; pages += 1) {
          const sent: Response = await fetch(app.url + next);
          all.push(...(JSON.parse(await read(sent)) as Agent[]).map(({ id }) => id));
          next = new RegExp(`<([^>]+)>; rel="${way}"`).exec(sent.headers.get('link') ?? '')?.[1];
        }
        expect([...all, ...(first === undefined ? [] : [first])].toSorted()).toEqual(ids);
        expect(pages).toBeGreaterThan(2);
      }
    },
  );

  /** The last agent of a list that is walked forwards. */
  async function lastOf(path: string): Promise<string> {
    let last = '';
    for (let next: string | undefined = path; next;) {
      const sent: Response = await fetch(app.url + next);
      last = ((await sent.json()) as Agent[]).at(-1)?.id ?? last;
      next = /<([^>]+)>; rel="next"/.exec(sent.headers.get('link') ?? '')?.[1];
    }
    return last;
  }

  test('the change log with agents is walked by hasMore, and misses and repeats no agent', async () => {
    const all: string[] = [];
    for (let after = '', hasMore = true; hasMore;) {
      const page = JSON.parse(await get(`/api/changes?include=agents&limit=1000${after}`)) as Changes;
      for (const { id, agent } of page.changes) {
        expect(agent?.id).toBe(id);
        all.push(id);
      }
      after = `&after=${page.next}`;
      ({ hasMore } = page);
    }
    expect(all.toSorted()).toEqual(ids);
    expect(JSON.parse(await get('/api/changes?limit=1000'))).toMatchObject({
      changes: { length: ids.length },
      hasMore: false,
    });
  });

  test.runIf(runsAll)('pages of ARD are walked by pageToken, and miss and repeat no agent', async () => {
    type Page = { pageToken?: string; items?: { identifier: string }[]; results?: { identifier: string }[] };
    const search = { text: 'greatest', filter: { tags: ['free'] } };
    const reads: ((pageToken?: string) => Promise<string>)[] = [
      (token) => get(`/ard/agents?pageSize=100${token ? `&pageToken=${token}` : ''}`),
      (pageToken) => post('/ard/search', { query: search, pageSize: 100, pageToken }),
      (pageToken) => post('/ard/search', { query: { text: 'greatest' }, pageSize: 100, pageToken }),
    ];
    for (const readPage of reads) {
      const all: string[] = [];
      for (let page: Page | undefined = {}; page;) {
        const { items, results, pageToken }: Page = JSON.parse(await readPage(page.pageToken)) as Page;
        all.push(...(items ?? results ?? []).map(({ identifier }) => identifier.split(':').at(-1) as string));
        page = pageToken === undefined ? undefined : { pageToken };
      }
      expect(all.toSorted()).toEqual(ids);
    }
  });

  test('pages of MCP servers and of the catalogue end early, and miss and repeat none', async () => {
    const names: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined; pages += 1) {
      const page = JSON.parse(await get(`/v0.1/servers?limit=100${cursor}`)) as ServerList;
      names.push(...page.servers.map(({ server }) => server.name));
      cursor = page.metadata.nextCursor && `&cursor=${page.metadata.nextCursor}`;
    }
    expect([new Set(names).size, names.length, pages > 1]).toEqual([41, 41, true]);
    const entries: string[] = [];
    for (let path: string | undefined = '/ard/catalog'; path !== undefined;) {
      const page = JSON.parse(await get(path)) as { entries: { type: string; identifier: string }[] };
      entries.push(...page.entries.map(({ identifier }) => identifier));
      path =
        page.entries.at(-1)?.type === 'application/ai-catalog+json' ? entries.pop()?.slice(ORIGIN.length) : undefined;
    }
    expect([new Set(entries).size, entries.length]).toEqual([40, 40]);
  });

  test.each(['/feed.xml', '/feed.json', '/feed.xml?q=greatest', `/api/agents/${agents[0]?.id}`, '/api/suggest?q=gre'])(
    'the body of %s is bounded',
    async (path) => void (await get(path)),
  );

  test('results of MCP are bounded', async () => {
    for (const more of [{}, { category: 'automation' }]) {
      const params = { name: 'search_agents', arguments: { query: 'greatest', limit: 20, ...more } };
      await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    }
  });

  test('the calls of a tRPC batch share the bound, and a list that exceeds it is refused', async () => {
    const path = (name: string, value: object) => {
      const names = Array<string>(10).fill(name).join(',');
      const inputs = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [index, value]));
      return `/trpc/${names}?batch=1&input=${encodeURIComponent(JSON.stringify(inputs))}`;
    };
    await get(path('agents.list', { limit: 200 }));
    await get(path('agents.search', { q: 'greatest' }));
    await get(path('changes.list', { include: 'agents' }));
    const refused = await fetch(`${app.url}/trpc/agents.list`);
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('please ask for pages of it with limit');
  });

  test('a history is bounded: its latest changes', async () => {
    const agent = agents[0] as Agent;
    for (let index = 0; index < 120; index += 1) {
      const fields = JSON.stringify({
        name: [`${agent.name}${index}`, agent.name],
        website: [agent.website, agent.website],
      });
      await database.engine.db
        .insertInto('agent_changes')
        .values({ agent_id: agent.id, at: agent.createdAt, kind: 'updated', actor: 'owner', fields, is_latest: 0 })
        .execute();
    }
    const [latest] = JSON.parse(await get(`/api/agents/${agent.id}/history`)) as { fields: { from: string }[] }[];
    expect(latest?.fields[0]?.from).toBe(`${agent.name}119`);
  });

  test('whole lists and searches are sent, whatever their length', async () => {
    for (const path of [
      '/api/agents',
      '/api/agents?sort=name',
      '/api/agents/category/automation',
      '/api/search?q=greatest',
      '/api/search?q=greatest&sort=name',
    ]) {
      const whole = (await (await fetch(app.url + path)).json()) as Agent[];
      expect(whole.map(({ id }) => id).toSorted()).toEqual(ids);
    }
  });
});
