import { readFile } from 'node:fs/promises';
import { createManagementKey, toFeedPath, FEED_PATH } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { extract } from '@extractus/feed-extractor';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { RelaxNGValidator, XmlDocument } from 'libxml2-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const ORIGIN = 'https://registry.example';
const hostile = '</title>&amp;]]>"\' \u202E<script>';
const agents = [
  makeAgent({
    name: 'Otter',
    website: 'https://otter.example.com/',
    category: 'vision',
    pricingModel: 'paid',
    createdAt: '2026-01-01T00:00:00.000Z',
  }),
  makeAgent({ name: 'Heron', category: 'vision', apiAccess: 'yes', createdAt: '2026-01-02T00:00:00.000Z' }),
  makeAgent({ name: hostile, description: hostile, category: 'language', createdAt: '2026-01-03T00:00:00.000Z' }),
  // Edited last.
  makeAgent({
    name: 'Otter Edited',
    category: 'language',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-02-02T00:00:00.000Z',
  }),
];

describe.each(surfaceEngines)('feeds on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true, PUBLIC_URL: ORIGIN });
    await app.agents.load(agents);
    return async () => {
      await app.close();
      await database.remove();
    };
  });

  const read = async (path: string) => {
    const response = await fetch(app.url + path);
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };

  test.each([
    ['', ['Otter Edited', hostile, 'Heron', 'Otter']],
    ['?category=vision', ['Heron', 'Otter']],
    ['?category=vision&q=edited', ['Heron', 'Otter']],
    ['?q=otter', ['Otter Edited', 'Otter']],
    ['?q=ottre', ['Otter Edited', 'Otter']],
    ['?q=ottre&correct=false', []],
    ['?q=!!!', []],
    ['?q=otter&pricing=paid', ['Otter']],
    ['?apiAccess=yes,planned', ['Heron']],
    ['?category=chatbot', []],
    ['?website=http://www.otter.example.com', ['Otter']],
    ['?q=otter&website=https://otter.example.com', ['Otter']],
    ['?category=language&website=https://otter.example.com', []],
    ['?sort=name&after=x&utm_source=mail', ['Otter Edited', hostile, 'Heron', 'Otter']],
  ])('%j has the agents of that list in both formats, the latest listed or edited first', async (query, names) => {
    const atom = await read(`/feed.xml${query}`);
    expect([atom.status, atom.type]).toEqual([200, 'application/atom+xml; charset=utf-8']);
    expect(parseAtomFeed(atom.text).entries?.map(({ title }) => title?.value ?? title) ?? []).toEqual(names);
    const json = await read(`/feed.json${query}`);
    expect([json.status, json.type]).toEqual([200, 'application/feed+json; charset=utf-8']);
    expect(parseJsonFeed(JSON.parse(json.text)).items?.map(({ title }) => title) ?? []).toEqual(names);
  });

  test.each(['category=robots', 'pricing=cheap', 'q=a%00', 'apiAccess=maybe', 'correct=no', 'q=a&q=b', 'website=x'])(
    'an unknown value is refused: %s',
    async (query) => {
      for (const path of ['/feed.xml', '/feed.json']) {
        expect(await read(`${path}?${query}`)).toMatchObject({
          status: 400,
          text: expect.stringMatching(/^[^\n]+\.$/),
        });
      }
    },
  );

  test('the formats have the same facts, and no contact address', async () => {
    const [atom, json] = [await read('/feed.xml?q=edited'), await read('/feed.json?q=edited')];
    for (const { text } of [atom, json]) expect(text).not.toContain('@example.com');
    const [edited] = agents.slice(-1);
    expect(JSON.parse(json.text)).toEqual({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Agent Registry: new and changed agents that match ‘edited’',
      home_page_url: `${ORIGIN}/?q=edited`,
      feed_url: `${ORIGIN}/feed.json?q=edited`,
      authors: [{ name: 'Agent Registry', url: `${ORIGIN}/` }],
      items: [
        {
          id: `urn:uuid:${edited?.id}`,
          url: `${ORIGIN}/agent/${edited?.id}`,
          title: 'Otter Edited',
          content_text: edited?.description,
          date_published: '2026-01-01T00:00:00.000Z',
          date_modified: '2026-02-02T00:00:00.000Z',
          tags: ['Language Processing'],
        },
      ],
    });
    const links = [`href="${ORIGIN}/?q=edited"`, `rel="self" href="${ORIGIN}/feed.xml?q=edited"`];
    for (const link of links) expect(atom.text).toContain(link);
    expect(atom.text).toContain('<published>2026-01-01T00:00:00.000Z</published>\n<updated>2026-02-02T00:00:00.000Z');
  });

  test('the feed of a website names it, and has addresses of its own', async () => {
    const query = '?pricing=paid&website=https%3A%2F%2Fotter.example.com';
    const { title, feed_url } = JSON.parse((await read(`/feed.json${query}`)).text) as Record<string, string>;
    expect(title).toBe('Agent Registry: new and changed agents of otter.example.com that match Paid');
    expect(feed_url).toBe(`${ORIGIN}/feed.json${query}`);
    const { id, links } = parseAtomFeed((await read(`/feed.xml${query}`)).text);
    expect([id, links?.map(({ href }) => href)]).toEqual([
      `${ORIGIN}/${query}`,
      [`${ORIGIN}/?pricing=paid`, `${ORIGIN}/feed.xml${query}`],
    ]);
  });

  test.each(['/feed.xml', '/feed.json'])('a feed reader reads %s from its address', async (path) => {
    const { title, link, entries } = await extract(`${app.url}${path}?category=vision`);
    expect([title, link]).toEqual([
      'Agent Registry: new and changed agents in Computer Vision',
      `${ORIGIN}/?category=vision`,
    ]);
    expect(entries?.map((entry) => [entry.id, entry.link, entry.title, entry.description])).toEqual(
      [agents[1]!, agents[0]!].map(({ id, name, description }) => [
        `urn:uuid:${id}`,
        `${ORIGIN}/agent/${id}`,
        name,
        description,
      ]),
    );
  });

  test.each(['', '?q=edited', '?category=chatbot', '?q=%22%3C%26%3E'])(
    'the Atom feed %j is valid by the schema of Atom',
    async (query) => {
      const schema = await readFile(new URL('../../testing/atom.rng', import.meta.url));
      using grammar = XmlDocument.fromBuffer(schema);
      using validator = RelaxNGValidator.fromDoc(grammar);
      using feed = XmlDocument.fromString((await read(`/feed.xml${query}`)).text);
      expect(() => validator.validate(feed)).not.toThrow();
      const namespaces = { atom: 'http://www.w3.org/2005/Atom' };
      const ids = feed.find('//atom:id', namespaces).map(({ content }) => content);
      expect(new Set(ids).size).toBe(ids.length);
      feed.get('/atom:feed/atom:updated', namespaces)?.remove();
      expect(() => validator.validate(feed)).toThrow('updated');
    },
  );

  test('a feed without entries was updated when the registry began', async () => {
    const own = await open();
    const begun = new Date().toISOString();
    await own.empty();
    const empty = await startTestApp({ database: own, withSite: true });
    const { updated } = parseAtomFeed(await (await fetch(`${empty.url}/feed.xml`)).text());
    expect(String(updated) >= begun && String(updated) <= new Date().toISOString()).toBe(true);
    await empty.agents.load([makeAgent()]);
    expect(parseAtomFeed(await (await fetch(`${empty.url}/feed.xml?q=nothing`)).text()).updated).toBe(updated);
    await empty.close();
    await own.remove();
  });

  test('an agent moves up with every change of what feeds have, not with its contact address', async () => {
    const key = createManagementKey();
    const { agent } = await app.agents.register(makeNewAgent({ name: 'Newt', category: 'analytics' }), { key });
    await app.agents.register(makeNewAgent({ name: 'Frog', category: 'analytics' }), { key });
    const readFeed = async () => (await read('/feed.xml?category=analytics')).text;
    const before = await readFeed();
    await app.agents.update(agent.id, { key }, { contactEmail: 'other@example.com' });
    expect(await readFeed()).toBe(before);
    await app.agents.update(agent.id, { key }, { contactEmail: 'third@example.com', description: 'Changed.' });
    expect(parseAtomFeed(await readFeed()).entries?.map(({ title }) => title?.value ?? title)).toEqual([
      'Newt',
      'Frog',
    ]);
  });

  test('a feed answers HEAD and 304, and a hidden agent leaves it with the next request', async () => {
    const extra = makeAgent({ name: 'Weasel' });
    await app.agents.load([extra]);
    const { headers } = await fetch(`${app.url}/feed.json?q=weasel`, { method: 'HEAD' });
    const again = { headers: { 'if-none-match': headers.get('etag')! } };
    expect((await fetch(`${app.url}/feed.json?q=weasel`, again)).status).toBe(304);
    await createOperatorStore(database.engine).hide({ ids: new Set([extra.id]) }, 'spam');
    const changed = await fetch(`${app.url}/feed.json?q=weasel`, again);
    expect(await changed.json()).toMatchObject({ items: [] });
  });
});

test('the feed of a list is at the parameters of the list, without its order and page', () => {
  const list = { text: 'a b', pricing: ['paid', 'free'], sort: 'name', after: 'x' } as const;
  expect(toFeedPath(FEED_PATH, list)).toBe('/feed.xml?q=a+b&pricing=paid,free');
  expect(toFeedPath(FEED_PATH, { ...list, category: 'vision' })).toBe('/feed.xml?category=vision&pricing=paid,free');
  expect(toFeedPath(FEED_PATH, { text: '' })).toBe('/feed.xml');
});
