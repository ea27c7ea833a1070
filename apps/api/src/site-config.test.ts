import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { categoryIcons, categoryIds, defaultSiteConfig, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { wcagContrast } from 'culori';
import { afterAll, describe, expect, test } from 'vitest';
import { createOpenApiDocument } from './http/api/openapi-document.ts';
import { createAppRouter } from './router.ts';
import { toTextColours, readSiteConfig } from './site-config.ts';
import { postJson, startTestApp } from './testing/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
const path = join(folder, 'site.json');
afterAll(() => rm(folder, { recursive: true }));

/** Reads a site file with this content. */
function read(content: unknown) {
  writeFileSync(path, typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content));
  return readSiteConfig(path);
}

const category = { id: 'garden', name: 'Garden & Field', icon: 'leaf', hue: 120, description: 'Mows.' };
const example = join(import.meta.dirname, '../../../deploy/site.example.json');

test('without a file the branding is that of the product', () => {
  expect(readSiteConfig(undefined)).toEqual({ config: defaultSiteConfig });
});

test.each<[unknown, string]>([
  ['{', ' cannot be read as JSON: '],
  ['{"name": \u001b[2J}', ' cannot be read as JSON: '],
  [Buffer.from('{"name":"Zo\u00eb"}', 'latin1'), ' cannot be read as JSON: '],
  [[], ' must be a JSON object.'],
  [{ nme: 'x' }, ' has an unknown key: nme.'],
  [{ 'a\n\u202eb': 'x' }, ' has an unknown key: a\uFFFD\uFFFDb.'],
  [{ name: 5 }, 'name must be one line of 1 to 60 characters.'],
  [{ name: '' }, 'name must have visible characters.'],
  [{ name: 'x'.repeat(61) }, 'name can have at most 60 characters.'],
  [{ name: 'a\u202eb' }, 'name must not have the invisible character U+202E.'],
  [{ colour: 'green' }, 'colour must be a colour such as #0f7663.'],
  [{ colour: '#34C3A3' }, 'colour has a contrast of 2.2 to white and needs 4.5: choose a darker colour.'],
  [{ logo: 'logo.gif' }, 'logo must be an SVG or PNG file.'],
  [{ logo: 'none.svg' }, 'logo cannot be read: ENOENT'],
  [{ footerLinks: [{ label: 'x', url: 'javascript:alert(1)' }] }, 'footerLinks.0.url must be an http or https address'],
  [{ sharedHosts: ['https://gallery.example/'] }, 'sharedHosts.0 must be a host name in lower case'],
  [{ sharedHosts: 'gallery.example' }, 'sharedHosts must be a list of at most 100 host names.'],
  [{ imprint: '//evil.example' }, 'imprint must be an http or https address, or a path that starts with one slash.'],
  [{ contact: 'me' }, 'contact must be an address such as name@example.com.'],
  [{ categories: [] }, 'categories must be a list of 1 to 24 categories.'],
  [{ categories: Array.from({ length: 25 }, () => category) }, 'categories must be a list of 1 to 24 categories.'],
  [{ categories: [category, category] }, 'categories must have categories of different ids.'],
  [{ categories: [{ ...category, id: 'A b' }] }, 'categories.0.id must be 1 to 40 lower-case letters'],
  [{ categories: [{ ...category, icon: 'x' }] }, `categories.0.icon must be one of ${categoryIcons.join(', ')}.`],
  [{ categories: [{ ...category, hue: 360 }] }, 'categories.0.hue must be a whole number from 0 to 359.'],
])('the file %j is refused with a sentence that names the key', (content, sentence) => {
  expect(() => read(content)).toThrow(sentence);
  expect(() => read(content)).toThrow(/^SITE_CONFIG: [^\p{C}]+\.$/u);
});

test('a file may begin with a byte order mark', () => {
  expect(read('\uFEFF{"name":"Yard"}').config.name).toBe('Yard');
});

test.each([
  ['logo.svg', '<svg viewBox="0 0 10 10"'],
  ['logo.svg', '<svg viewBox="nonsense"></svg>'],
  ['logo.svg', '<svg width="10"></svg>'],
  ['logo.png', '\u0089PNG'],
  ['logo.png', 'GIF89a'],
])('the logo %s with %j is refused', (name, content) => {
  writeFileSync(join(folder, name), content, 'latin1');
  expect(() => read({ logo: name })).toThrow('SITE_CONFIG: logo must be an SVG with a viewBox, or a PNG.');
});

test('texts in the colours of a category are readable in light and dark at every hue', () => {
  for (let hue = 0; hue < 360; hue += 1) {
    const { light, dark } = toTextColours(hue);
    expect(wcagContrast(light, '#ffffff')).toBeGreaterThan(4.5);
    expect(wcagContrast(dark, '#12171e')).toBeGreaterThan(4.5);
  }
});

test('the logo is an image under the name of its hash', () => {
  const { config, logo } = readSiteConfig(example);
  expect(config.logo).toMatch(/^\/logo-[\da-f]{16}\.svg$/);
  expect(logo).toMatchObject({ path: config.logo, type: 'image/svg+xml' });
});

test('two registries of one process each have their own branding and categories', async () => {
  const { config, logo } = readSiteConfig(example);
  const apps = await Promise.all([
    startTestApp({ withSite: true, siteConfig: config, logo }),
    startTestApp({ withSite: true }),
  ]);
  try {
    const described = await Promise.all(
      apps.map(async ({ url }) => {
        const read = async (path: string) => (await fetch(url + path)).text();
        const refused = await postJson(`${url}/api/agents`, makeNewAgent({ category: 'none' }));
        return {
          document: JSON.parse(await read('/api/openapi.json')) as unknown,
          stats: JSON.parse(await read('/api/stats')) as unknown,
          refusals: [await refused.text(), await read('/api/agents/category/none')],
          feed: await read('/feed.xml'),
        };
      }),
    );
    for (const [index, [name, ids]] of [
      ['Robot Yard', ['garden', 'workshop', 'vision']] as const,
      ['Agent Registry', categoryIds] as const,
    ].entries()) {
      const message = `Category must be one of ${ids.join(', ')}.`;
      expect(described[index]).toMatchObject({
        document: { info: { title: name } },
        stats: { categories: ids.length, agentsPerCategory: Object.fromEntries(ids.map((id) => [id, 0])) },
        refusals: [message, message],
        feed: expect.stringContaining(`<title>${name}: new and changed agents</title>`),
      });
    }
  } finally {
    await Promise.all(apps.map((app) => app.close()));
  }
});

describe('a branded registry', () => {
  async function start() {
    const { config, logo } = readSiteConfig(example);
    return startTestApp({ withSite: true, siteConfig: { ...config, name: 'Yard & <Co>' }, logo });
  }

  test('has its name, texts and categories on every surface', async () => {
    const app = await start();
    const { url } = app;
    const read = async (path: string) => (await fetch(url + path)).text();
    try {
      expect(await postJson(`${url}/api/agents`, makeNewAgent({ category: 'garden' }))).toMatchObject({ status: 201 });
      const refused = await postJson(`${url}/api/agents`, makeNewAgent({ category: 'chatbot' }));
      expect(refused.status).toBe(400);
      expect(await refused.text()).toBe('Category must be one of garden, workshop, vision.');
      expect(await read('/api/agents/category/chatbot')).toBe('Category must be one of garden, workshop, vision.');
      expect(JSON.parse(await read('/api/stats'))).toMatchObject({
        categories: 3,
        agentsPerCategory: { garden: 1, workshop: 0, vision: 0 },
      });
      expect(JSON.parse(await read('/manifest.webmanifest'))).toMatchObject({
        name: 'Yard & <Co>',
        theme_color: '#7a2e8e',
      });
      expect(await read('/opensearch.xml')).toContain('<ShortName>Yard &#38; &#60;Co&#62;</ShortName>');
      const feed = await read('/feed.xml');
      expect(feed).toContain('<title>Yard &#38; &#60;Co&#62;: new and changed agents</title>');
      expect(feed).toContain('label="Garden &#38; Field"');
      expect(await read('/sitemap.xml')).toContain('/?category=workshop</loc>');
      expect(await read('/api/docs')).not.toContain('<Co>');
    } finally {
      await app.close();
    }
  });

  test('describes its categories in the OpenAPI document', async () => {
    const siteConfig = readSiteConfig(example).config;
    const { info, components } = createOpenApiDocument({
      router: createAppRouter(siteConfig.categories),
      siteConfig,
      publicContact: 'everywhere',
    });
    expect(info.title).toBe('Robot Yard');
    expect(components?.schemas).toMatchObject({
      Agent: { properties: { category: { enum: ['garden', 'workshop', 'vision'] } } },
      NewAgent: { properties: { category: { enum: ['garden', 'workshop', 'vision'] } } },
      Stats: { properties: { agentsPerCategory: { required: ['garden', 'workshop', 'vision'] } } },
    });
  });

  test('serves the logo as an image that runs no scripts', async () => {
    const app = await start();
    const { url } = app;
    try {
      const response = await fetch(url + readSiteConfig(example).config.logo!);
      expect(response.headers.get('Content-Type')).toBe('image/svg+xml');
      expect(response.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none';.* sandbox$/);
      expect(response.headers.get('Cache-Control')).toContain('immutable');
    } finally {
      await app.close();
    }
  });

  test('shows agents of a removed category in lists, searches and by id', async () => {
    const app = await start();
    const { url, agents } = app;
    try {
      const old = makeAgent({ name: 'Old Hand', category: 'chatbot' });
      await agents.load([old]);
      for (const path of ['/api/agents', '/api/search?q=hand']) {
        expect(await (await fetch(url + path)).json()).toMatchObject([{ id: old.id, category: 'chatbot' }]);
      }
      expect((await (await fetch(`${url}/api/agents/${old.id}`)).json()) as Agent).toMatchObject({ name: 'Old Hand' });
      expect(await (await fetch(`${url}/api/stats`)).json()).toMatchObject({ totalAgents: 1 });
      expect(await (await fetch(`${url}/feed.xml`)).text()).toContain('label="chatbot"');
    } finally {
      await app.close();
    }
  });
});
