import { randomUUID } from 'node:crypto';
import { defaultSiteConfig } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { SaxesParser } from 'saxes';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const checkedAt = '2026-11-24T14:00:00.000Z';
const plain = makeAgent({ name: '<svg onload=alert(1)>', website: 'https://marmot.example.com' });
const controlled = makeAgent({ website: 'https://marmot.example.com', websiteCheckedAt: checkedAt });
const repository = makeAgent({
  website: 'https://github.com/marmots/agent',
  websiteCheckedAt: checkedAt,
  websiteProof: 'repository',
});
const withoutWebsite = makeAgent({ websiteCheckedAt: checkedAt });

let database: TestDatabase;
let app: TestApp;

beforeAll(async () => {
  database = await engines[0].open();
  app = await startTestApp({ database, withSite: true });
  await app.agents.load([plain, controlled, repository, withoutWebsite]);
  return async () => {
    await app.close();
    await database.remove();
  };
});

const read = (agent: { id: string }, extension: string, init?: RequestInit) =>
  fetch(`${app.url}/agent/${agent.id}/badge.${extension}`, init);

/** The attributes of the root, the texts of `title` and `text`, and all names of an SVG. */
function parseSvg(svg: string) {
  const parser = new SaxesParser();
  const names = new Set<string>();
  const texts: Record<string, string[]> = {};
  let root: Record<string, string> | undefined;
  let text = '';
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    root ??= attributes as Record<string, string>;
    names.add(name);
    for (const attribute of Object.keys(attributes)) names.add(attribute);
    text = '';
  });
  parser.on('text', (more) => (text += more));
  parser.on('closetag', ({ name }) => (texts[name] ??= []).push(text));
  parser.write(svg).close();
  return { root, names, title: texts.title, text: texts.text };
}

test.each([
  [plain, 'listed'],
  [controlled, 'website controlled · Nov 2026'],
  [repository, 'repository controlled · Nov 2026'],
  [withoutWebsite, 'listed'],
])('a badge says in our words what the registry knows of an agent: %#', async (agent, message) => {
  const svg = await read(agent, 'svg');
  expect(Object.fromEntries(svg.headers)).toMatchObject({
    'content-type': 'image/svg+xml; charset=utf-8',
    'cache-control': 'public, max-age=0, must-revalidate',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'cross-origin-resource-policy': 'cross-origin',
    'access-control-allow-origin': '*',
  });
  const image = parseSvg(await svg.text());
  expect(image.root).toMatchObject({ role: 'img', xmlns: 'http://www.w3.org/2000/svg' });
  expect(image).toMatchObject({ title: [`Agent Registry: ${message}`], text: ['Agent Registry', message] });
  // No reference and no font of its own; the clip path is in the image.
  expect([...image.names].filter((name) => /href|style|font-face|image|script|^on/.test(name))).toEqual([]);
  const shield = await read(agent, 'json');
  expect(shield.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await shield.json()).toEqual({
    schemaVersion: 1,
    label: 'Agent Registry',
    message,
    color: '#0f7663',
  });
});

test.each(['style=flat-square', 'style=round', 'style=', 'style=flat&style=plastic', 'scheme=dark'])(
  'a badge with %s is the flat one',
  async (query) => {
    const [flat, asked] = await Promise.all([read(plain, 'svg'), read(plain, `svg?${query}`)]);
    expect([asked.status, await asked.text()]).toEqual([200, await flat.text()]);
  },
);

describe.each(['svg', 'json'])('a badge as %s', (extension) => {
  test('answers HEAD and 304, and takes no text from the address', async () => {
    const head = await read(plain, extension, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const again = await read(plain, `${extension}?label=x&message=y`, {
      headers: { 'if-none-match': head.headers.get('etag')! },
    });
    expect(again.status).toBe(304);
  });

  test('is 404 in a sentence for an agent that is unknown, hidden or no agent', async () => {
    const hidden = makeAgent();
    await app.agents.load([hidden]);
    expect((await read(hidden, extension)).status).toBe(200);
    await createOperatorStore(database.engine).hide({ ids: new Set([hidden.id]) }, 'spam');
    for (const id of [hidden.id, randomUUID(), 'any']) {
      const response = await read({ id }, extension);
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'no-store']);
      expect(await response.text()).toBe('There is nothing at this address.');
    }
  });
});

test.each([
  ['of markup', 'A & <B> "c"', 'A & <B> "c"'],
  ['of 60 quotes', '"'.repeat(60), `${'"'.repeat(40)}…`],
  ['of 60 ideographs', '登'.repeat(60), `${'登'.repeat(40)}…`],
  ['of 60 emoji', '👩‍💻'.repeat(60), `${'👩‍💻'.repeat(16)}…`],
])('a badge with a name %s is well-formed and has at most 1,500 bytes', async (_title, name, label) => {
  const other = await startTestApp({ database, withSite: true, siteConfig: { ...defaultSiteConfig, name } });
  onTestFinished(() => other.close());
  const svg = await (await fetch(`${other.url}/agent/${controlled.id}/badge.svg`)).text();
  expect(Buffer.byteLength(svg)).toBeLessThanOrEqual(1_500);
  expect(parseSvg(svg).text).toEqual([label, 'website controlled · Nov 2026']);
});
