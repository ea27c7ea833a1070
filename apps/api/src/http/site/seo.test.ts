import { createManagementKey, defaultSiteConfig } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { sql } from 'kysely';
import { SaxesParser } from 'saxes';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { OwnedVersion } from '../../agents/find-owned.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';

const agents = ['2026-01-01', '2026-02-02', '2026-03-03'].map((day) =>
  makeAgent({ category: 'vision', createdAt: `${day}T00:00:00.000Z` }),
);
const [oldest, middle, newest] = agents;
let app: TestApp;
/** The database of applications that a test starts for itself. */
let database: TestDatabase;

beforeAll(async () => {
  app = await startTestApp({ withSite: true, PUBLIC_URL: 'https://registry.example' });
  await app.agents.load(agents);
  database = await engines[0].open();
});

beforeEach(() => database.empty());

afterAll(async () => {
  await app.close();
  await database.remove();
});

async function start(options: TestAppOptions = {}): Promise<TestApp> {
  const own = await startTestApp({ database, withSite: true, ...options });
  onTestFinished(() => own.close());
  return own;
}

/** The URLs in a sitemap, each with the day of its last change. */
const readEntries = (xml: string) =>
  [...xml.matchAll(/<url><loc>(.*?)<\/loc>(?:<lastmod>(.*?)T.*?<\/lastmod>)?<\/url>/g)].map(([, url, day]) => [
    url,
    day,
  ]);

test('robots.txt and the OpenSearch description contain the public URL', async () => {
  const robots = await fetch(`${app.url}/robots.txt`);
  expect(robots.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(await robots.text()).toContain('Sitemap: https://registry.example/sitemap.xml\n');
  const search = await fetch(`${app.url}/opensearch.xml`);
  expect(search.headers.get('content-type')).toBe('application/opensearchdescription+xml; charset=utf-8');
  const description = await search.text();
  expect([...description.matchAll(/<Url .*?template="(.*?)"/g)].map(([, url]) => url)).toEqual([
    'https://registry.example/?q={searchTerms}',
  ]);
});

test.each([
  ['Agent Registry', 'Agent Registry'],
  ['The Agents of a Long Name', 'The Agents of a'],
  ['👩‍💻👩‍💻👩‍💻👩‍💻 Agents', '👩‍💻👩‍💻👩‍💻'],
])('the short name of %s for search boxes is %s', async (name, shortName) => {
  const own = await start({ PUBLIC_URL: 'https://registry.example', siteConfig: { ...defaultSiteConfig, name } });
  expect(await (await fetch(`${own.url}/opensearch.xml`)).text()).toContain(`<ShortName>${shortName}</ShortName>`);
});

test('the feed has the latest agents first, and their texts are no markup', async () => {
  const hostile = makeAgent({ name: '<b>"&', createdAt: '2026-02-01T00:00:00.000Z' });
  const other = await start({ PUBLIC_URL: 'https://registry.example' });
  await other.agents.load([...agents, hostile]);
  const response = await fetch(`${other.url}/feed.xml`);
  expect(response.headers.get('content-type')).toBe('application/atom+xml; charset=utf-8');
  const feed = await response.text();
  expect([...feed.matchAll(/<id>urn:uuid:(.*?)<\/id>/g)].map(([, id]) => id)).toEqual(
    [newest, middle, hostile, oldest].map((agent) => agent?.id),
  );
  expect(feed).toContain('<title>&#60;b&#62;&#34;&#38;</title>');
  expect(feed).toContain(`<link href="https://registry.example/agent/${newest?.id}"/>`);
  expect(feed).toContain('<updated>2026-03-03T00:00:00.000Z</updated>');
});

test('an edited agent is the first of the feed, with both times, and its sitemap entry has the time of the edit', async () => {
  const other = await start({ PUBLIC_URL: 'https://registry.example' });
  const key = createManagementKey();
  const { agent } = await other.agents.register(makeNewAgent(), { key });
  await other.agents.register(makeNewAgent());
  const edited = await other.agents.update(agent.id, { key }, { name: 'Edited' });
  const { updatedAt } = (edited as OwnedVersion).agent;
  const feed = await (await fetch(`${other.url}/feed.xml`)).text();
  expect(feed.indexOf(`<updated>${updatedAt}</updated>`)).toBeLessThan(feed.indexOf('<entry>'));
  const [first = ''] = /<entry>.*?<\/entry>/s.exec(feed) ?? [];
  expect(first).toContain(`<id>urn:uuid:${agent.id}</id>`);
  expect(first).toContain(`<published>${agent.createdAt}</published>\n<updated>${updatedAt}</updated>`);
  const sitemap = await (await fetch(`${other.url}/sitemap.xml`)).text();
  expect(sitemap).toContain(`/agent/${agent.id}</loc><lastmod>${updatedAt}</lastmod>`);
});

test('every document is well-formed XML, and texts that were stored earlier lose only what XML forbids', async () => {
  const siteConfig = { ...defaultSiteConfig, name: 'A\uFFFF & <B>', subject: '"\u0001"' };
  const own = await start({ PUBLIC_URL: 'https://registry.example', siteConfig });
  const texts: [stored: string, read: string][] = [
    ['a\uFFFEb', 'ab'],
    ['a\uFFFFb', 'ab'],
    ['a\uFDD0\u{1FFFF}b', 'ab'],
    ['a\u0001\u0008\u000B\u000C\u001B[31m\u001Fb', 'a[31mb'],
    ['a\u007F\u0085\u009Bb', 'ab'],
    ['a\tb\nc', 'a\tb\nc'],
    [']]> <![CDATA[ <!-- --> <?xml?> <!DOCTYPE x>', ']]> <![CDATA[ <!-- --> <?xml?> <!DOCTYPE x>'],
    [`</title>&amp;&#0;&x; "'`, `</title>&amp;&#0;&x; "'`],
    ['a\u202Eb\u2060c\u{E0041}', 'a\u202Eb\u2060c\u{E0041}'],
    [`a${'\u0301'.repeat(96)}`, `a${'\u0301'.repeat(96)}`],
    ['👩‍💻\u{10FFFD}\uFFFD', '👩‍💻\u{10FFFD}\uFFFD'],
  ];
  await own.agents.load(
    texts.map(([text], index) =>
      makeAgent({
        name: text,
        description: `x${text}`,
        category: `"<${text}`,
        createdAt: `2026-01-01T00:00:00.0${20 - index}Z`,
      }),
    ),
  );
  const read = async (path: string) => parseXml(await (await fetch(own.url + path)).text());
  const feed = await read('/feed.xml');
  expect(feed.title?.slice(1)).toEqual(texts.map(([, text]) => text));
  expect(feed.summary).toEqual(texts.map(([, text]) => `x${text}`));
  expect((await read('/sitemap.xml')).loc).toHaveLength(7 + texts.length);
  expect(await read('/opensearch.xml')).toMatchObject({ ShortName: ['A & <B>'], Description: ['Search ""'] });
});

/** The texts of the elements without children of an XML document, by their names. @throws if it is not well-formed */
function parseXml(xml: string): Partial<Record<string, string[]>> {
  const elements: { name: string; text: string }[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', () => (text = ''));
  parser.on('text', (more) => (text += more));
  parser.on('closetag', ({ name }) => {
    elements.push({ name, text });
    text = '';
  });
  parser.write(xml).close();
  return Object.fromEntries(
    [...Map.groupBy(elements, ({ name }) => name)].map(([name, all]) => [name, all.map((element) => element.text)]),
  );
}

test('the sitemap lists home, the categories and every agent, with the day of the last change', async () => {
  const response = await fetch(`${app.url}/sitemap.xml`);
  expect(response.headers.get('content-type')).toBe('application/xml; charset=utf-8');
  const entries = readEntries(await response.text());
  expect(entries).toHaveLength(10);
  const changed = (await app.agents.lastChange('vision'))?.slice(0, 10);
  expect(entries[0]).toEqual(['https://registry.example/', changed]);
  expect(entries).toContainEqual(['https://registry.example/?category=vision', changed]);
  expect(entries).toContainEqual(['https://registry.example/?category=chatbot', undefined]);
  expect(entries.slice(7)).toEqual([
    [`https://registry.example/agent/${newest?.id}`, '2026-03-03'],
    [`https://registry.example/agent/${middle?.id}`, '2026-02-02'],
    [`https://registry.example/agent/${oldest?.id}`, '2026-01-01'],
  ]);
});

test('an agent and the registry each have an Open Graph image', async () => {
  for (const path of ['/picture.png', `/agent/${newest?.id}/picture.png`]) {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('image/png');
    const png = Buffer.from(await response.arrayBuffer());
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1_200, 630]);
  }
  expect((await fetch(`${app.url}/agent/no-uuid/picture.png`)).status).toBe(404);
});

test.runIf(runsAll)('an agent with any name has an Open Graph image', async () => {
  const own = await start();
  const named = ['A\uFFFF', '\uFFFE', '<&>"', '\u{10FFFF}'].map((name) => makeAgent({ name }));
  await own.agents.load(named);
  for (const { id } of named) expect((await fetch(`${own.url}/agent/${id}/picture.png`)).status).toBe(200);
});

test.each(['a"b', 'a&b', "a'b"])('documents refuse the invalid host %s with 400', async (host) => {
  const own = await start();
  for (const path of ['/opensearch.xml', '/sitemap.xml', '/robots.txt']) {
    expect(await send(own.url + path, { headers: { host } })).toMatchObject({ status: 400 });
  }
});

test.runIf(runsAll)('the Open Graph image of a corrected agent has another URL', async () => {
  const own = await start();
  const agent = makeAgent();
  await own.agents.load([agent]);
  const read = async () =>
    Buffer.from(await (await fetch(`${own.url}/agent/${agent.id}/picture.png`)).arrayBuffer()).toString('base64');
  const before = await read();
  await sql`UPDATE agents SET name = 'Corrected Agent'`.execute(database.engine.db);
  expect(await read()).not.toBe(before);
  await sql`UPDATE agents SET name = ${agent.name}`.execute(database.engine.db);
  expect(await read()).toBe(before);
});
