import type { RequestListener } from 'node:http';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDescriptionReader } from '../prefill/read-descriptions.ts';
import { crawlSource } from '../sync/crawl-source.ts';
import type { Source } from '../sync/read-sources.ts';
import { startHttpsWebsite, type HttpsWebsite } from '../testing/https-website.ts';
import { createWebsiteCheck } from '../website-check/check-website.ts';
import { createRobotsReader } from '../website-check/read-robots.ts';
import { parseHtml } from './parse-html.ts';
import { createFileReader } from './read-file.ts';

const SITE = 'https://website.example';
const readFile = createFileReader();
let website: HttpsWebsite;
let answer: RequestListener;

beforeAll(async () => {
  website = await startHttpsWebsite((request, response) => answer(request, response));
});

afterAll(() => website.close());

/** Serves a file at its place, and nothing elsewhere. */
function serve(path: string, give: RequestListener): void {
  answer = (request, response) =>
    request.url?.split('?')[0] === path ? give(request, response) : response.writeHead(404).end();
}

const describeSite = async (path: string) => {
  const { descriptions } = await createDescriptionReader({ fetch: website.fetch, readFile })(SITE + path, {
    origin: SITE,
  });
  return Object.assign({}, ...descriptions.map(({ values }) => values)) as object;
};
const source: Source = {
  name: 'a',
  kind: 'mcp-registry',
  address: SITE,
  contact: 'a@example.com',
  licence: 'CC0-1.0',
  attribution: 'A',
  categories: { '*': 'vision' },
  names: false,
  allow: [],
};
const readSource = async () => {
  const { items } = await crawlSource(source, null, { fetch: website.fetch, userAgent: '' });
  return [...items.values()][0]?.fields;
};
const claim = async () => {
  const check = createWebsiteCheck({ fetch: website.fetch, readFile });
  return check({ website: `${SITE}/`, explainedAt: SITE, accepts: (text) => text === 'Grüße' });
};

const remotes = [{ type: 'streamable-http', url: `${SITE}/mcp` }];
const server = { name: 'example.website/desk', title: 'Grüße', description: 'x', version: '1', remotes };
const card = { name: 'Grüße', protocolVersion: '0.3.0', skills: [] };
const entry = { identifier: 'urn:air:website.example:1', displayName: 'Grüße' };
const named = expect.objectContaining({ name: 'Grüße' }) as unknown;

/** Each reader with its file, and what it understands of it. */
const readers = {
  card: { path: '/.well-known/agent-card.json', file: card, read: describeSite, understands: named },
  catalogue: { path: '/.well-known/ard.json', file: { entries: [entry] }, read: describeSite, understands: named },
  'server card': {
    path: '/.well-known/mcp/server-card.json',
    file: { $schema: 'https://static.modelcontextprotocol.io/x', ...server },
    read: describeSite,
    understands: named,
  },
  'server.json': {
    path: '/server.json',
    file: { $schema: 'https://static.modelcontextprotocol.io/x', ...server },
    read: describeSite,
    understands: named,
  },
  page: { path: '/', file: '<!doctype html><title>Grüße</title>', read: describeSite, understands: named },
  source: {
    path: '/v0.1/servers',
    file: { servers: [{ server }] },
    read: readSource,
    understands: named,
  },
  robots: {
    path: '/robots.txt',
    file: '# Grüße\nUser-agent: *\nDisallow: /',
    read: () =>
      createRobotsReader(website.fetch, { userAgent: '', readFile })(new URL(SITE), AbortSignal.timeout(5_000)),
    understands: { isAllowed: false, status: 200 },
  },
  'claim by a file': { path: '/.well-known/agent-registry.txt', file: 'Grüße', read: claim, understands: 'host' },
  'claim by a page': {
    path: '/',
    file: '<!doctype html><meta name="agent-registry" content="Grüße">',
    read: claim,
    understands: 'page',
  },
};
const names = Object.keys(readers) as (keyof typeof readers)[];
const toText = (file: unknown) => (typeof file === 'string' ? file : JSON.stringify(file));
const typeOf = (text: string) =>
  text.startsWith('<') ? 'text/html' : text.startsWith('{') ? 'application/json' : 'text/plain';

/** How files arrive, though nobody asked for that. */
const deliveries: Record<string, (text: string) => { headers?: Record<string, string>; body: Buffer }> = {
  'as they should be': (text) => ({ body: Buffer.from(text) }),
  'with a byte order mark': (text) => ({ body: Buffer.from(`\uFEFF${text}`) }),
  'in UTF-16': (text) => ({ body: Buffer.from(`\uFEFF${text}`, 'utf16le') }),
  'in the charset of the header': (text) => ({
    headers: { 'content-type': `${typeOf(text)}; charset=ISO-8859-1` },
    body: Buffer.from(text, 'latin1'),
  }),
  'in gzip': (text) => ({ headers: { 'content-encoding': 'gzip' }, body: gzipSync(text) }),
  'in Brotli': (text) => ({ headers: { 'content-encoding': 'br' }, body: brotliCompressSync(text) }),
  'in Zstandard': (text) => ({ headers: { 'content-encoding': 'zstd' }, body: zstdCompressSync(text) }),
  'with blanks around': (text) => ({ body: Buffer.from(`\r\n\t ${text} \r\n`) }),
  'with the type of a page': (text) => ({ headers: { 'content-type': 'text/html' }, body: Buffer.from(text) }),
  'with a type in capitals': (text) => ({
    headers: { 'content-type': `${typeOf(text).toUpperCase()};Charset=UTF-8` },
    body: Buffer.from(text),
  }),
};

test.each(names.flatMap((name) => Object.keys(deliveries).map((delivery) => [name, delivery] as const)))(
  'a file is read by the reader %s %s',
  async (name, delivery) => {
    const { path, file, read, understands } = readers[name];
    const text = toText(file);
    const { headers, body } = deliveries[delivery]!(text);
    serve(path, (_request, response) =>
      response.writeHead(200, { 'content-type': typeOf(text), ...headers }).end(body),
    );
    expect(await read(path)).toEqual(understands);
  },
);

test.each(names)('a file that moved within its host is read by the reader %s', async (name) => {
  const { path, file, read, understands } = readers[name];
  const text = toText(file);
  answer = ({ url = '' }, response) => {
    const [place] = url.split('?');
    if (place === path) response.writeHead(301, { location: `/moved${url}` }).end();
    else if (place === `/moved${path}`) response.writeHead(200, { 'content-type': typeOf(text) }).end(text);
    else response.writeHead(404).end();
  };
  expect(await read(path)).toEqual(understands);
});

test.each([
  '<meta charset="windows-1252">',
  '<meta http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">',
])('a page that names its charset in its head alone is read: %s', async (head) => {
  const text = `<!doctype html>${head}<title>Grüße</title>`;
  serve('/', (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.from(text, 'latin1')),
  );
  expect(await describeSite('/')).toEqual(named);
});

test('a page cannot name a charset in which the text of a visitor hides marks', async () => {
  const text = '<!doctype html><meta charset="utf-16"><title>charset=ISO-8859-1 Grüße</title>';
  serve('/', (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(text));
  expect(await describeSite('/')).toEqual({ name: 'charset=ISO-8859-1 Grüße' });
});

const mcp = [{ kind: 'mcp', url: `${SITE}/mcp`, transport: 'streamable-http' }];
const a2a = [{ kind: 'a2a', card: `${SITE}/.well-known/agent-card.json` }];

test.each<[reader: keyof typeof readers, kind: string, file: unknown, understands: object]>([
  ['card', 'of version 0.2', { ...card, protocolVersion: '0.2.5' }, { name: 'Grüße', connections: a2a }],
  ['card', 'of version 1.0', { name: 'Grüße', supportedInterfaces: [{ url: SITE }] }, { apiAccess: 'yes' }],
  ['card', 'with a name and a skill only', { name: 'Grüße', skills: [{ name: 'x' }] }, { capabilities: ['x'] }],
  ['card', 'in a list', [card], { name: 'Grüße' }],
  ['card', 'in an answer', { jsonrpc: '2.0', id: 1, result: card }, { name: 'Grüße' }],
  ['card', 'below a name', { agentCard: { ...card, description: null } }, { name: 'Grüße' }],
  ['catalogue', 'of the former scheme', { entries: [{ ...entry, identifier: 'urn:ai:a' }] }, { name: 'Grüße' }],
  ['catalogue', 'that is one entry', entry, { name: 'Grüße' }],
  ['catalogue', 'in an answer', { data: { entries: [entry] } }, { name: 'Grüße' }],
  [
    'server card',
    'of SEP-1649',
    {
      $schema: 'https://static.modelcontextprotocol.io/schemas/mcp-server-card/v1.json',
      serverInfo: { name: 'a', title: 'Grüße', version: '1' },
      transport: { type: 'streamable-http', endpoint: '/mcp' },
    },
    { name: 'Grüße', apiAccess: 'yes', connections: mcp },
  ],
  ['server.json', 'as the registry answers', { server, _meta: {} }, { name: 'Grüße', connections: mcp }],
  ['server.json', 'without a title', { ...server, name: 'a/b', title: undefined }, { apiAccess: 'yes' }],
  [
    'server.json',
    'of before September 2025',
    {
      name: 'a/b',
      remotes: [{ transport_type: 'streamable-http', url: `${SITE}/mcp` }],
      packages: [
        {
          registry_type: 'npm',
          identifier: 'desk',
          version: '1.0.0',
          transport: { type: 'stdio' },
          environment_variables: [{ name: 'KEY', is_required: true, is_secret: true }],
        },
      ],
    },
    {
      connections: [
        ...mcp,
        expect.objectContaining({ kind: 'mcp-package', environment: [expect.objectContaining({ secret: true })] }),
      ],
    },
  ],
  ['source', 'of version 0', { servers: [server], metadata: { count: 1 } }, { name: 'Grüße', connections: mcp }],
  ['source', 'with former names', { servers: [{ name: 'a/b', website_url: SITE }] }, { name: 'b', website: SITE }],
])('a draft, a part or a wrapper is read by the reader %s: %s', async (name, _kind, file, understands) => {
  const { path, read } = readers[name];
  serve(path, (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(toText(file)),
  );
  expect(await read(path)).toMatchObject(understands);
});

test('a source of former names is read to its last page', async () => {
  answer = ({ url = '' }, response) => {
    const isLast = url.includes('cursor=2');
    const body = {
      servers: [{ ...server, name: isLast ? 'a/b' : 'a/a' }],
      metadata: { next_cursor: isLast ? '' : '2' },
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const { items } = await crawlSource(source, null, { fetch: website.fetch, userAgent: '' });
  expect([...items.keys()]).toEqual(['a/a', 'a/b']);
});

// Sets of tokens, media types and metadata names as the HTML standard compares them.
test.each([
  ['<link rel="canonical" href="/a">', { canonical: '/a' }],
  ['<LINK REL="nofollow\tCanonical\n" HREF=/a>', { canonical: '/a' }],
  ['<link rel="canonicals" href="/a">', { canonical: undefined }],
  ...['', ' ; charset=utf-8', ';profile="x"', '\n'].map((end) => [
    `<script type="\tApplication/LD+JSON${end}">{}</script>`,
    { jsonLd: ['{}'] },
  ]),
  ...['application/ld+jsonp', 'text/json', 'application/ld+json x'].map((type) => [
    `<script type="${type}">{}</script>`,
    { jsonLd: [] },
  ]),
  ['<meta name="AGENT-Registry" content=" 1.x ">', { challenges: ['1.x'] }],
  ['<meta NAME=Description content=a><meta name=description content=b>', { meta: new Map([['description', 'a']]) }],
] as [string, object][])('a page with %j is read', (html, page) => {
  expect(parseHtml(html)).toMatchObject(page);
});
