import { defaultSiteConfig } from '@agent-registry/contracts';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { readMarkdown } from '../../testing/read-markdown.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const ORIGIN = 'https://registry.example';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ withSite: true, PUBLIC_URL: ORIGIN });
  return () => app.close();
});

test('llms.txt is a Markdown text with one heading that leads to every surface for programs', async () => {
  const response = await fetch(`${app.url}/llms.txt`);
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const text = await response.text();
  expect(text).toMatch(/^# Agent Registry\n\n> A public directory of AI agents, bots and automation tools\.\n\n/);
  expect(text.match(/^# /gm)).toHaveLength(1);
  const paths = readMarkdown(text).urls.map((url) => url.replace(ORIGIN, ''));
  expect(paths).toEqual(
    expect.arrayContaining([
      '/api/openapi.json',
      '/api/docs',
      '/skill.md',
      '/mcp',
      '/feed.xml',
      '/feed.json',
      '/api/changes',
    ]),
  );
  expect(text).toContain(`${ORIGIN}/?compare=ID,ID`);
  // Tools are called by POST.
  for (const path of paths.filter((other) => other !== '/mcp')) expect((await fetch(app.url + path)).status).toBe(200);
});

test('llms.txt answers HEAD and 304, and the name of a registry stays text in it', async () => {
  const head = await fetch(`${app.url}/llms.txt`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const headers = { 'if-none-match': head.headers.get('etag')! };
  expect((await fetch(`${app.url}/llms.txt`, { headers })).status).toBe(304);
  const siteConfig = { ...defaultSiteConfig, name: '# A & <B> [c](d)', summary: '*x* https://a.example' };
  const other = await startTestApp({ withSite: true, siteConfig });
  onTestFinished(() => other.close());
  const { texts, urls } = readMarkdown(await (await fetch(`${other.url}/llms.txt`)).text());
  expect(texts.slice(0, 2)).toEqual(['# A & <B> [c](d)', '*x* https://a.example']);
  // The address of an example is a link of its own accord.
  expect(urls.filter((url) => !url.startsWith(other.url))).toEqual([]);
});

test.each(['text/html', 'text/markdown'])(
  'the home page as %s links the API and the feeds of its list, but of no search',
  async (accept) => {
    const read = async (path: string) => {
      const { headers, status } = await fetch(app.url + path, { headers: { accept } });
      const links = [...(headers.get('link') ?? '').matchAll(/<([^>]*)>; rel="([\w-]+)"; type="([\w/+]+)"/g)];
      return { status, links: links.map(([, ...parts]) => parts) };
    };
    const api = [
      ['/api/openapi.json', 'service-desc', 'application/json'],
      ['/api/docs', 'service-doc', 'text/html'],
    ];
    expect(await read('/')).toEqual({
      status: 200,
      links: [
        ...api,
        ['/feed.xml', 'alternate', 'application/atom+xml'],
        ['/feed.json', 'alternate', 'application/feed+json'],
      ],
    });
    expect(await read(`/?q=${encodeURIComponent('登'.repeat(200))}`)).toEqual({ status: 200, links: api });
    const { links } = await read('/?category=vision&q=%22%3E%0A%C3%BC&pricing=paid&sort=name');
    const query = 'category=vision&pricing=paid';
    expect(links.map(([path]) => path).slice(2)).toEqual([`/feed.xml?${query}`, `/feed.json?${query}`]);
    for (const [path = '', , type] of links) {
      expect((await fetch(app.url + path)).headers.get('content-type')).toContain(type);
    }
  },
);
