import type { RequestListener } from 'node:http';
import type { LookupFunction } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Prefill } from '@agent-registry/contracts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { postJson, startTestApp, type TestApp } from '../testing/test-app.ts';
import { openWebsiteChecks } from '../website-check/check-website.ts';
import { createFileReader } from '../website-files/read-file.ts';
import { createDescriptionReader } from './read-descriptions.ts';

const SITE = 'https://website.example/';
const [CARD, OLD_CARD] = ['/.well-known/agent-card.json', '/.well-known/agent.json'];
const [ARD, MCP] = ['/.well-known/ard.json', '/.well-known/mcp/server-card.json'];
const [CATALOG, LATER_MCP, EARLIER_MCP] = [
  '/.well-known/ai-catalog.json',
  '/.well-known/mcp-server-card',
  '/.well-known/mcp.json',
];

const skills = [
  {
    id: '1',
    name: 'Book tables',
    description: 'Books.',
    tags: ['restaurant', 'chatbot'],
    examples: ['Find me a table for four on Friday.', 'short'],
  },
];
const card03 = {
  protocolVersion: '0.3.0',
  name: 'Front Desk',
  description: 'Answers.',
  url: 'https://a.example',
  skills,
};
const card10 = {
  name: 'Front Desk 1.0',
  description: 'Answers calls.',
  supportedInterfaces: [{ url: 'https://a.example/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  provider: { organization: 'Desk Inc.', url: 'https://desk.example/', email: 'boss@desk.example' },
  skills,
};
const ard = {
  specVersion: '1.0',
  host: { displayName: 'Host' },
  entries: [
    { identifier: 'urn:air:website.example:registry', displayName: 'A registry', type: 'application/ai-registry+json' },
    {
      identifier: 'urn:ai:website.example:agent:1',
      displayName: 'Desk of ARD',
      description: 'From the manifest.',
      capabilities: ['routing'],
      tags: ['vision'],
      representativeQueries: ['Who answers at night?'],
    },
  ],
};
const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'example.website/desk',
  title: 'Desk Server',
  description: 'Serves.',
  remotes: [{ type: 'streamable-http', url: 'https://website.example/mcp' }],
};
const jsonLd = {
  '@context': 'https://schema.org',
  '@graph': [
    { '@type': 'Organization', name: 'Desk Inc.', email: 'boss@desk.example' },
    {
      '@type': ['SoftwareApplication'],
      name: 'Desk of JSON-LD',
      description: 'From the page.',
      featureList: ['chat', 'voice'],
      applicationCategory: 'Computer Vision',
      offers: { price: '9.90' },
    },
  ],
};
const toPage = (head: string) => `<!doctype html><html><head>${head}</head><body>boss@website.example</body></html>`;

type Answer = string | object | RequestListener;

let files: Record<string, Answer>;
let requested: string[];
let lookup: LookupFunction;

/** Serves `files`: texts as HTML, objects as JSON. */
const serve: RequestListener = (request, response) => {
  const path = request.url ?? '';
  requested.push(`${request.headers.host}${path}`);
  const file = files[path];
  if (typeof file === 'function') (file as RequestListener)(request, response);
  else if (typeof file === 'string') response.writeHead(200, { 'content-type': 'text/html' }).end(file);
  else if (file) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(file));
  else response.writeHead(404, { 'content-type': 'text/html' }).end(toPage('<title>Not found</title>'));
};

const redirectTo =
  (location: string): RequestListener =>
  (_request, response) =>
    response.writeHead(302, { location }).end();

describe.each(surfaceEngines)('filling in from a URL on $name', ({ open }) => {
  let database: TestDatabase;
  let website: HttpsWebsite;
  let app: TestApp;
  let otherApp: TestApp;

  beforeAll(async () => {
    database = await open();
    website = await startHttpsWebsite(serve, { lookup: (...call) => lookup(...call) });
    const websites = await openWebsiteChecks(database.engine, website);
    app = await startTestApp({ database, websites, TRUST_PROXY: 1 });
    otherApp = await startTestApp({ database, websites, TRUST_PROXY: 1 });
    reset();
  });

  afterEach(async () => {
    await database.empty();
    reset();
  });

  afterAll(async () => {
    website.close();
    await app.close();
    await otherApp.close();
    await database.remove();
  });

  function reset() {
    files = {};
    requested = [];
    lookup = (_hostname, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]);
  }

  async function post(url: string, { at = app, client = '192.0.2.1' } = {}) {
    const response = await postJson(`${at.url}/api/prefill`, { url }, { 'x-forwarded-for': client });
    const body = await response.text();
    return { status: response.status, body, headers: response.headers };
  }

  /** The values by field, each with its source. */
  async function read(url = SITE) {
    const { status, body } = await post(url);
    if (status !== 200) return { status, body };
    const { fields, ...rest } = JSON.parse(body) as Prefill;
    return { ...Object.fromEntries(fields.map(({ field, value, source }) => [field, [value, source]])), ...rest };
  }

  const nothing = { status: 422, body: 'Nothing that describes an agent could be read at website.example.' };

  test.each([
    ['0.2', OLD_CARD, { ...card03, protocolVersion: '0.2.5' }],
    ['0.3', CARD, card03],
  ])('an agent card of version %s gives name, skills, examples and an API', async (_version, path, card) => {
    files = { [path]: card };
    const source = path.split('/').at(-1);
    expect(await read()).toEqual({
      name: ['Front Desk', source],
      description: ['Answers.', source],
      capabilities: [['Book tables', 'restaurant', 'chatbot'], source],
      exampleTasks: [['Find me a table for four on Friday.'], source],
      connections: [[{ kind: 'a2a', card: new URL(path, SITE).href }], source],
      website: [SITE, 'the address'],
      apiAccess: ['yes', source],
      category: 'chatbot',
      redirectsTo: null,
    });
  });

  test('an agent card of version 1.0, alone or with the fields of 0.3, is read, and its maker has another website', async () => {
    for (const card of [card10, { ...card03, ...card10 }]) {
      files = { [CARD]: card };
      expect(await read()).toMatchObject({
        name: ['Front Desk 1.0', 'agent-card.json'],
        website: [SITE, 'the address'],
        apiAccess: ['yes', 'agent-card.json'],
      });
    }
  });

  test('the address of a card itself is read, and a file is no website', async () => {
    files = { '/cards/mine.json': card03 };
    expect(await read(`${SITE}cards/mine.json`)).toMatchObject({
      name: ['Front Desk', 'mine.json'],
      website: [SITE, 'the address'],
    });
  });

  test('an ARD manifest, also of the former scheme, an MCP server.json and a server card are read', async () => {
    files = { [ARD]: ard };
    expect(await read()).toMatchObject({
      name: ['Desk of ARD', 'ard.json'],
      capabilities: [['routing'], 'ard.json'],
      exampleTasks: [['Who answers at night?'], 'ard.json'],
      category: 'vision',
    });
    for (const [path, address] of [
      [MCP, SITE],
      ['/server.json', `${SITE}server.json`],
    ] as const) {
      files = { [path]: server };
      const source = path.split('/').at(-1);
      expect(await read(address)).toMatchObject({ name: ['Desk Server', source], apiAccess: ['yes', source] });
    }
  });

  const nameless = { ...card03, name: '\uFFFD' };
  const unnamed = { entries: [{ identifier: 'urn:air:website.example:1' }] };

  test.each<[string, object, object, string?]>([
    [OLD_CARD, card03, {}],
    [CATALOG, ard, { [CARD]: nameless }],
    [LATER_MCP, server, { [CARD]: nameless, [ARD]: unnamed }],
    [EARLIER_MCP, server, { [CARD]: nameless, [ARD]: unnamed }, CARD],
  ])('a host that gives a page at any path is asked at %s, too', async (place, file, others, at = '/') => {
    const own: Record<string, Answer> = { ...others, [place]: file };
    files = new Proxy(own, { get: (_own, path: string) => own[path] ?? toPage('<title>Desk</title>') });
    expect(await read(new URL(at, SITE).href)).toMatchObject({ name: [expect.any(String), place.split('/').at(-1)] });
    expect(requested).toHaveLength(5);
  });

  test('a page gives JSON-LD, then Open Graph, then its head', async () => {
    const head = `<title>Desk · Home</title><meta name="description" content="The head.">
      <link rel="canonical" href="https://website.example/desk">`;
    files = { '/': toPage(`${head}<script type="application/ld+json">${JSON.stringify(jsonLd)}</script>`) };
    expect(await read()).toEqual({
      name: ['Desk of JSON-LD', 'JSON-LD'],
      description: ['From the page.', 'JSON-LD'],
      capabilities: [['chat', 'voice'], 'JSON-LD'],
      website: ['https://website.example/desk', 'the page'],
      pricingModel: ['paid', 'JSON-LD'],
      category: 'vision',
      redirectsTo: null,
    });
    files = { '/': toPage(`${head}<meta property="og:site_name" content="Desk &amp; Co">`) };
    expect(await read()).toMatchObject({ name: ['Desk & Co', 'Open Graph'], description: ['The head.', 'the page'] });
    files = { '/': toPage(head) };
    expect(await read()).toMatchObject({ name: ['Desk', 'the page'] });
  });

  test('each field comes from its best source, and no source gives a mail address', async () => {
    files = {
      [CARD]: { ...card10, description: ' ', skills: [] },
      [ARD]: ard,
      [MCP]: server,
      '/': toPage(`<script type="application/ld+json">${JSON.stringify(jsonLd)}</script>`),
    };
    const { body } = await post(SITE);
    expect(await read()).toMatchObject({
      name: ['Front Desk 1.0', 'agent-card.json'],
      description: ['From the manifest.', 'ard.json'],
      capabilities: [['routing'], 'ard.json'],
      pricingModel: ['paid', 'JSON-LD'],
    });
    expect(body).not.toContain('boss@');
  });

  test('texts of strangers stay text, are cut at their bounds, and lose what people cannot see', async () => {
    const name = `<b>Desk</b>\u202E\u2060 ${'x'.repeat(200)}`;
    const hostile = [...Array(1_000).fill('y'.repeat(61)), 5, null, { x: 1 }, '<script>alert(1)</script>'];
    files = {
      [CARD]: {
        ...card03,
        name,
        description: `a\r\nb\u0000${'z'.repeat(3_000)}`,
        provider: { url: 'javascript:alert(1)' },
        skills: [{ name: '<img onerror=1>', tags: hostile, examples: 'no list but a sentence' }],
      },
      '/': toPage('<title><script>x</script></title><meta name=description content="From the head">'),
    };
    expect(await read()).toMatchObject({
      name: [`<b>Desk</b> ${'x'.repeat(88)}`, 'agent-card.json'],
      description: ['From the head', 'the page'],
      capabilities: [['<img onerror=1>'], 'agent-card.json'],
      website: [SITE, 'the address'],
    });
  });

  test.each<[string, Record<string, Answer>]>([
    ['is not there', {}],
    ['checks browsers', { '/': toPage('<title>Just a moment...</title>') }],
    [
      'is that of a protection against bots',
      {
        '/': (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'text/html', 'cf-mitigated': 'challenge' })
            .end(toPage('<title>Desk</title>')),
      },
    ],
    [
      'is an error',
      {
        '/': (_request, response) =>
          response.writeHead(503, { 'content-type': 'text/html' }).end(toPage('<title>Desk</title>')),
      },
    ],
    ['is a loop of redirects', { '/': redirectTo('/') }],
    ['is a card of 300 kB', { [CARD]: { ...card03, description: 'x'.repeat(300_000) } }],
    ['is JSON of another kind', { [CARD]: { name: 'x' }, [ARD]: [], [MCP]: { name: 5 }, '/': '5' }],
    [
      'is compressed although nobody asked',
      {
        [CARD]: (_request, response) =>
          response
            .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
            .end(gzipSync(JSON.stringify({ ...card03, x: ' '.repeat(10_000_000) }))),
      },
    ],
  ])('a website that %s gives nothing', async (_case, answers) => {
    files = answers;
    const answer = await read();
    expect(answer).toEqual(nothing);
  });

  test('an endless page is read up to its limit', async () => {
    files = {
      '/': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<title>Desk</title>');
        const write = () => response.write('x'.repeat(65_536), (error) => !error && write());
        write();
      },
    };
    expect(await read()).toMatchObject({ name: ['Desk', 'the page'] });
  });

  test('redirects within the host are followed, and another host is a candidate that is not asked', async () => {
    files = { '/': redirectTo('/home'), '/home': toPage('<title>Desk</title>') };
    expect(await read()).toMatchObject({ name: ['Desk', 'the page'] });
    requested = [];
    files = { '/': redirectTo('https://other.example/desk') };
    expect(await read()).toEqual({ category: null, redirectsTo: 'https://other.example/desk' });
    expect(requested.filter((request) => !request.startsWith('website.example/'))).toEqual([]);
  });

  test.each([
    'http://127.0.0.1/',
    'https://localhost/',
    'http://169.254.169.254/latest/meta-data/',
    'https://10.0.0.1/',
    'https://0xA000001/',
    'https://93.184.216.34/',
    'https://[fd00::1]/',
    'https://[::ffff:10.0.0.1]/',
    'https://intranet/',
    'https://other.example:8443/',
    'file:///etc/passwd',
    'javascript:alert(1)',
  ])('a redirect to %s gives nothing, and nothing is asked there', async (address) => {
    files = { '/': redirectTo('/home'), '/home': redirectTo(address) };
    expect(await read()).toEqual(nothing);
    expect(requested.filter((request) => !request.startsWith('website.example/'))).toEqual([]);
  });

  describe('as a weapon', () => {
    test('sends at most five requests, to one host', async () => {
      expect(await read(`${SITE}page?a=b`)).toEqual(nothing);
      expect(requested.toSorted()).toEqual(
        ['/.well-known/agent-card.json', '/.well-known/agent.json', ARD, MCP, '/page?a=b']
          .map((path) => `website.example${path}`)
          .toSorted(),
      );
    });

    test('counts redirects among the five requests, and follows those of the address itself first', async () => {
      files = new Proxy({}, { get: (_files, path) => redirectTo(`${String(path)}x`) });
      expect(await read()).toEqual(nothing);
      expect(requested).toHaveLength(5);
      for (const page of ['/', CARD]) {
        requested = [];
        const found = { [`${page}x`]: toPage('<title>Desk</title>') };
        files = new Proxy(found, { get: (own, path: string) => own[path] ?? redirectTo(`${path}x`) });
        expect(await read(new URL(page, SITE).href)).toMatchObject({ name: ['Desk', 'the page'] });
        expect(requested).toHaveLength(5);
      }
      requested = [];
      files = { [CARD]: redirectTo('/card.json'), '/card.json': card03 };
      expect(await read()).toMatchObject({ name: ['Front Desk', 'agent-card.json'] });
      expect(requested).toHaveLength(5);
    });

    test('reaches no other port, scheme or internal address, and refused hosts look like unreachable ones', async () => {
      const gone = (host: string) => ({
        status: 422,
        body: `Nothing that describes an agent could be read at ${host}.`,
      });
      lookup = (_hostname, _options, callback) => callback(new Error('ENOTFOUND'), []);
      const unreachable = await read('https://nowhere.example/');
      expect(unreachable).toEqual(gone('nowhere.example'));
      for (const address of ['10.0.0.1', '169.254.169.254', '::1', 'fd00::1']) {
        lookup = (_hostname, _options, callback) =>
          callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
        expect(await read('https://nowhere.example/')).toEqual(unreachable);
      }
      expect(await read('http://169.254.169.254:22/latest')).toEqual(gone('169.254.169.254'));
      expect(requested).toEqual([]);
      for (const url of ['ftp://website.example/', 'file:///etc/passwd', 'https://a:b@website.example/', 'x', '']) {
        expect((await post(url, { client: '192.0.2.9' })).status).toBe(400);
      }
    });

    test('is not fooled by a name that resolves to another address the second time', async () => {
      files = { [CARD]: card03, '/': toPage('<title>Desk</title>') };
      let lookups = 0;
      lookup = (_hostname, _options, callback) => {
        lookups += 1;
        callback(null, [{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }]);
      };
      await read();
      expect(requested).toHaveLength(1);
    });

    test('is counted: ten a minute for a client, thirty a day for its host, by all processes together', async () => {
      for (let count = 0; count < 10; count += 1) {
        expect((await post(SITE, { at: count % 2 ? app : otherApp })).status).toBe(422);
      }
      expect(await post(SITE)).toMatchObject({ status: 429, body: expect.stringContaining('within a minute') });
      expect((await post(SITE, { client: '192.0.2.2' })).status).toBe(422);
      await database.empty();
      for (let count = 0; count < 3; count += 1) {
        for (let call = 0; call < 10; call += 1) await post(SITE, { at: call % 2 ? app : otherApp });
        // The minute is over, the day is not.
        await database.engine.db
          .updateTable('rate_limits')
          .set({ used: 0 })
          .where('resets_at', '<', new Date(Date.now() + 3_600_000).toISOString())
          .execute();
      }
      expect(await post(SITE)).toMatchObject({ status: 429, body: expect.stringContaining('within a day') });
    });
  });

  test('many clients at once have a host read once at a time, and most get 429', async () => {
    let most = 0;
    let open = 0;
    files = {
      '/': (_request, response) => {
        open += 1;
        most = Math.max(most, open);
        response.on('close', () => (open -= 1));
        response.writeHead(200, { 'content-type': 'text/html' }).end(toPage('<title>Desk</title>'));
      },
    };
    const clients = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
    const answers = await Promise.all(clients.map((client) => post(SITE, { client })));
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(most).toBe(1);
    expect(requested.filter((request) => request.endsWith('/'))).toHaveLength(
      statuses.filter((status) => status === 200).length,
    );
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toBe('Other readings of website.example are under way. Try again in 10 seconds.');
    expect(refused.headers.get('retry-after')).toBe('10');
  });

  test('stores nothing, and no cache may keep the answer', async () => {
    files = { [CARD]: card03 };
    const before = await app.agents.version();
    expect((await post(SITE)).headers.get('cache-control')).toBe('no-store');
    expect(await app.agents.version()).toBe(before);
  });

  test('a form posts the address without scripts, and a link does not', async () => {
    files = { [CARD]: card03 };
    const site = await startTestApp({
      database,
      withSite: true,
      websites: await openWebsiteChecks(database.engine, website),
    });
    expect((await fetch(`${site.url}/?prefill=form&url=${SITE}`)).status).toBe(200);
    expect(requested).toEqual([]);
    const body = new URLSearchParams({ url: SITE });
    for (let count = 0; count < 10; count += 1) {
      const answer = await fetch(`${site.url}/?prefill=form`, { method: 'POST', body });
      expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store, no-transform']);
      expect(await answer.text()).toContain('Front Desk');
    }
    expect((await fetch(`${site.url}/?prefill=form`, { method: 'POST', body })).status).toBe(429);
    expect((await site.agents.list()).length).toBe(0);
    await site.close();
  });

  test('where websites are not fetched it is refused', async () => {
    const bare = await startTestApp({ database });
    expect((await post(SITE, { at: bare })).status).toBe(403);
    await bare.close();
  });
});

test('a website that is slow is left at the time limit of all requests together', async () => {
  const website = await startHttpsWebsite(() => {});
  const read = createDescriptionReader({ fetch: website.fetch, readFile: createFileReader() }, 200);
  expect(await read(SITE, { origin: 'https://registry.example' })).toEqual({
    descriptions: [],
    redirectsTo: undefined,
  });
  website.close();
});
