import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import {
  categoryIds,
  createManagementKey,
  MAX_COMPARED,
  removeBroken,
  replaceHidden,
  toComparePath,
  type Agent,
  type Changes,
  type HistoryEntry,
  type Suggestions,
} from '@agent-registry/contracts';
import { HOSTILE_CONTACT, HOSTILE_WORD, makeHostileAgents } from '@agent-registry/contracts/testing/hostile-agents';
import { makeAgent, toNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { parse as parseCsv } from 'csv-parse/sync';
import { XmlDocument } from 'libxml2-wasm';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { readMarkdown } from '../testing/read-markdown.ts';
import { runCommandLine } from '../testing/source-server.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';

const ORIGIN = 'https://registry.example';
const agents = makeHostileAgents();
/** What neither a terminal nor a reader of plain text may get: control characters, and changes of direction. */
const OBEYED = /[\p{Cc}--[\t\n]]|[\u202A-\u202E\u2066-\u2069]/v;

let database: TestDatabase;
let app: TestApp;
const client = new Client({ name: 'test', version: '1.0.0' });

beforeAll(async () => {
  database = await engines[0].open();
  app = await startTestApp({ database, withSite: true, PUBLIC_URL: ORIGIN });
  await app.agents.load(agents);
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/mcp`)));
  return async () => {
    await client.close();
    await app.close();
    await database.remove();
  };
});

async function get(path: string, accept = '*/*'): Promise<string> {
  const response = await fetch(app.url + path, { headers: { accept } });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  return response.text();
}

const getJson = async <Body>(path: string) => JSON.parse(await get(path)) as Body;
const ofEachAgent = async <Body>(read: (agent: Agent) => Promise<Body>) => Promise.all(agents.map(read));
const ofEachCategory = async (read: (category: string) => Promise<string[]>) =>
  (await Promise.all(categoryIds.map(read))).flat();

/** The paths of comparisons that have each agent once. */
function pathsOfComparisons(): string[] {
  const ids = agents.map(({ id }) => id);
  const isStart = (index: number) => index % MAX_COMPARED === 0;
  return ids.flatMap((_, index) => (isStart(index) ? [toComparePath(ids.slice(index, index + MAX_COMPARED))] : []));
}

const nameOf = ({ name }: Pick<Agent, 'name'>) => name;

/** The texts of the nodes of an XML document. @throws if it is not well-formed */
function readXml(xml: string, ...paths: string[]): string[] {
  using document = XmlDocument.fromString(xml);
  const namespaces = {
    atom: 'http://www.w3.org/2005/Atom',
    sitemap: 'http://www.sitemaps.org/schemas/sitemap/0.9',
    svg: 'http://www.w3.org/2000/svg',
  };
  return paths.flatMap((path) => document.find(path, namespaces).map(({ content }) => content));
}

/** The texts of a page in Markdown, which has no element or link that an agent's text has made. */
async function readPage(path: string): Promise<string[]> {
  const markdown = await get(path, 'text/markdown');
  expect(markdown).not.toMatch(OBEYED);
  const { texts, elements, urls } = readMarkdown(markdown);
  expect([...elements].filter((name) => !/^(?:h[123]|code|p|a|ul|li|blockquote|br)$/.test(name))).toEqual([]);
  expect(urls.filter((url) => !/^https:\/\/(?:registry|marmot)\.example(?:\.com)?\//.test(url))).toEqual([]);
  return texts.map(toLine);
}

/** The result of a tool of MCP, which has it as data and as text. */
async function callTool<Result>(name: string, args: Record<string, unknown>): Promise<Result> {
  const { content, structuredContent } = await client.callTool({ name, arguments: args });
  expect(content).toEqual([{ type: 'text', text: JSON.stringify(structuredContent) }]);
  expect(JSON.stringify(structuredContent)).not.toContain(HOSTILE_CONTACT);
  return structuredContent as Result;
}

async function run(...args: string[]): Promise<string> {
  const { code, stdout } = await runCommandLine(database, args);
  expect(code).toBe(0);
  return stdout;
}

/** The content of a file that the command line exports. */
async function readExport(name: string, ...options: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await run('export', ...options, join(folder, name));
  return readFile(join(folder, name));
}

const toLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const everything = (text: string) => text;
const visible = (text: string) => toLine(replaceHidden(text.replaceAll(/[\t\r\n\u2028]/g, ' '), () => ''));

/** A surface, the names of the agents that are read from it, and what it keeps of a text. */
type Surface = [name: string, readNames: () => Promise<string[]>, keeps: (text: string) => string];

const surfaces: Surface[] = [
  ['the list', async () => (await getJson<Agent[]>('/api/agents')).map(nameOf), everything],
  ['a search', async () => (await getJson<Agent[]>(`/api/search?q=${HOSTILE_WORD}`)).map(nameOf), everything],
  ['an agent', () => ofEachAgent(async ({ id }) => nameOf(await getJson<Agent>(`/api/agents/${id}`))), everything],
  [
    'the change log',
    async () => (await getJson<Changes>('/api/changes?include=agents')).changes.map(({ agent }) => agent?.name ?? ''),
    everything,
  ],
  [
    'Atom',
    () => ofEachCategory(async (id) => readXml(await get(`/feed.xml?category=${id}`), '//atom:entry/atom:title')),
    // A parser of XML reads each line end as a line feed.
    (text) => removeBroken(text).replaceAll('\r\n', '\n'),
  ],
  [
    'JSON Feed',
    () =>
      ofEachCategory(async (id) => {
        const { items } = await getJson<{ items: { title: string }[] }>(`/feed.json?category=${id}`);
        return items.map(({ title }) => title);
      }),
    everything,
  ],
  ['an agent in Markdown', () => ofEachAgent(async ({ id }) => (await readPage(`/agent/${id}`))[0] ?? ''), visible],
  [
    'a list in Markdown',
    () =>
      ofEachCategory(async (id) => {
        const texts = await readPage(`/?category=${id}`);
        const names = new Set(agents.map(({ name }) => visible(name)));
        return texts.filter((text) => names.has(text));
      }),
    visible,
  ],
  [
    'a comparison in Markdown',
    async () => {
      const names = new Set(agents.map(({ name }) => visible(name)));
      const texts = await Promise.all(pathsOfComparisons().map(readPage));
      return texts.flat().filter((text) => names.has(text));
    },
    visible,
  ],
  [
    'an export as JSON',
    async () => toLines(String(await readExport('agents.jsonl'))).map((line) => nameOf(JSON.parse(line))),
    everything,
  ],
  [
    'a public export',
    async () => {
      const text = String(gunzipSync(await readExport('agents.ndjson.gz', '--public')));
      expect(text).not.toContain(HOSTILE_CONTACT);
      return toLines(text)
        .slice(1)
        .map((line) => nameOf(JSON.parse(line)));
    },
    everything,
  ],
  [
    'an export as CSV',
    async () => parseCsv<Agent>(await readExport('agents.csv'), { columns: true }).map(nameOf),
    (text) => removeBroken(text).replace(/^(?=[=+\-@'])/, "'"),
  ],
  [
    'a search by MCP',
    () =>
      ofEachCategory(async (category) => {
        const found = await callTool<{ agents: Agent[] }>('search_agents', { query: HOSTILE_WORD, category });
        return found.agents.map(nameOf);
      }),
    everything,
  ],
  [
    'an agent by MCP',
    () => ofEachAgent(async ({ id }) => nameOf(await callTool<Agent>('get_agent', { id }))),
    everything,
  ],
  [
    'ARD',
    async () => {
      const names: string[] = [];
      let page: { items: { displayName: string }[]; pageToken?: string } = { items: [], pageToken: '' };
      for (; page.pageToken !== undefined; names.push(...page.items.map(({ displayName }) => displayName))) {
        page = await getJson(`/ard/agents${page.pageToken && `?pageToken=${encodeURIComponent(page.pageToken)}`}`);
      }
      return names;
    },
    everything,
  ],
  [
    'a search by ARD',
    () =>
      ofEachCategory(async (category) => {
        const query = { text: HOSTILE_WORD, filter: { tags: [category] } };
        const response = await postJson(`${app.url}/ard/search`, { query, pageSize: 100 });
        const body = await response.text();
        expect([response.status, body.includes(HOSTILE_CONTACT)]).toEqual([200, false]);
        const { results } = JSON.parse(body) as { results: { displayName: string }[] };
        return results.map(({ displayName }) => displayName);
      }),
    everything,
  ],
  [
    'the terminal',
    async () => {
      const output = await run('list');
      expect(output).not.toMatch(OBEYED);
      return toLines(output).map((line) => line.split('\t')[2] ?? '');
    },
    (text) => replaceHidden(text.replaceAll(/\s+/g, ' '), () => '\uFFFD'),
  ],
];

const toLines = (output: string) => output.split('\n').filter(Boolean);

test.each(surfaces)('texts of agents stay text on the surface: %s', async (_name, readNames, keeps) => {
  expect((await readNames()).toSorted()).toEqual(agents.map(({ name }) => keeps(name)).toSorted());
});

test('suggestions have the names and capabilities of agents as they are', async () => {
  const suggested = await ofEachAgent(async ({ name }) => {
    const q = encodeURIComponent(name.slice(0, 100));
    const found = await getJson<Suggestions>(`/api/suggest?q=${q}`);
    const names = found.agents.map((agent) => agent.name);
    expect(names.filter((text) => agents.every((agent) => agent.name !== text))).toEqual([]);
    expect(JSON.stringify(found)).not.toContain(HOSTILE_CONTACT);
    return [...names, ...found.capabilities].includes(name);
  });
  // Texts without two letters or digits suggest nothing.
  expect(suggested.filter(Boolean).length).toBeGreaterThan(agents.length / 2);
});

/** The documents that show no text of an agent. */
const silent: [name: string, read: () => Promise<string[]>][] = [
  ['the sitemap', async () => readXml(await get('/sitemap.xml'), '//sitemap:loc')],
  ['badges', () => ofEachAgent(async ({ id }) => readXml(await get(`/agent/${id}/badge.svg`), '//svg:text').join())],
  ['badges for shields.io', () => ofEachAgent(({ id }) => get(`/agent/${id}/badge.json`))],
  ['llms.txt', async () => [await get('/llms.txt')]],
  ['facets', async () => [await get(`/api/facets?q=${HOSTILE_WORD}`)]],
  ['statistics', async () => [await get('/api/stats')]],
];

test.each(silent)('no text of an agent is on the surface: %s', async (_name, read) => {
  const own = JSON.stringify(await read());
  expect(agents.filter(({ name }) => name.length > 5 && own.includes(JSON.stringify(name).slice(1, -1)))).toEqual([]);
});

test('the history of an agent has former names as text, as JSON and in Markdown', async () => {
  const key = createManagementKey();
  for (const agent of agents) {
    const { agent: former } = await app.agents.register({ ...toNewAgent(agent), category: 'vision' }, { key });
    await app.agents.update(former.id, { key }, { name: 'Plain', pricingModel: 'paid' });
    const [change] = await getJson<HistoryEntry[]>(`/api/agents/${former.id}/history`);
    expect(change?.fields).toContainEqual({ field: 'name', from: agent.name, to: 'Plain' });
    const texts = await readPage(`/agent/${former.id}`);
    expect(texts.find((text) => text.includes('Changed by its owner'))).toContain(
      `name ${visible(agent.name)} → Plain`,
    );
  }
});

test('surfaces for programs do not have the contact address of an agent', async () => {
  const paths = ['/feed.xml', '/feed.json', '/sitemap.xml', '/llms.txt', '/api/changes?include=agents'];
  const [agent] = agents;
  for (const path of [...paths, `/agent/${agent?.id}/badge.svg`, `/api/agents/${agent?.id}/history`]) {
    expect(await get(path)).not.toContain(HOSTILE_CONTACT);
  }
  for (const path of ['/', `/agent/${agent?.id}`]) {
    expect((await readPage(path)).join('\n')).not.toContain(HOSTILE_CONTACT);
  }
});

test('no surface cuts a character apart', async () => {
  const family = '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466}';
  const capabilities = [family.repeat(60)];
  const texts = { name: `Kinsfolk ${family.repeat(90)}`, description: family.repeat(700), capabilities };
  const agent = makeAgent({ ...texts, category: 'vision' });
  await app.agents.load([agent]);
  const { id } = agent;
  const ofPages = ['/?q=kinsfolk', `/agent/${id}`, `/?compare=${id}`].map((path) => get(path, 'text/markdown'));
  const ofCalls = ['/api/search?', '/api/suggest?', '/feed.xml?', '/feed.json?'].map((path) =>
    get(`${path}q=kinsfolk`),
  );
  const found = callTool<object>('search_agents', { query: 'kinsfolk' }).then((result) => JSON.stringify(result));
  for (const body of await Promise.all([
    ...ofPages,
    ...ofCalls,
    found,
    run('list'),
    get(`/ard/agents/urn:air:registry.example:agent:${id}`),
  ])) {
    expect(body).toContain(family);
    expect(body.replaceAll(family, '')).not.toMatch(/[\u{1F466}-\u{1F469}\uFFFD]\u200D|\u200D[\u{1F466}-\u{1F469}]/u);
  }
});
