import { execFile, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { problemSchema, type FieldError } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  DatabaseBusyError,
  DatabaseTimeoutError,
  DatabaseUnavailableError,
  DatabaseUnwritableError,
} from '../../database-error.ts';
import { makeFailingStore, postJson, send, sendBytes, startTestApp, type TestApp } from '../../testing/test-app.ts';
import { runsAll } from '../../testing/tier.ts';

/** Internals that no client may see: a stack, SQL, a file or the name of a library. */
const INTERNALS = /\n\s+at |:\d+:\d+|\.[jt]s\b|SELECT|INSERT|SQLITE|node_modules|Fastify|FST_|Zod|Error:|\/work|\/tmp/i;

const json = { 'content-type': 'application/json' };
const required = {
  name: 'Front Desk',
  description: 'Answers the phone.',
  category: 'chatbot',
  contactEmail: 'owner@example.com',
};

type WrongRequest = {
  what: string;
  path?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  status: number;
  detail: string;
  errors?: FieldError[];
};

const wrongRequests: WrongRequest[] = [
  {
    what: 'malformed JSON',
    headers: json,
    body: '{"name": "Front',
    status: 400,
    detail: 'The body is not valid JSON.',
  },
  {
    what: 'an empty body that is said to be JSON',
    headers: json,
    status: 400,
    detail: 'The body is empty; it must be a JSON object.',
  },
  {
    what: 'no body at all',
    status: 400,
    detail: 'The body is empty; it must be a JSON object.',
  },
  ...['null', '[]', '"text"', '5'].map((body) => ({
    what: `${body} as a body`,
    headers: json,
    body,
    status: 400,
    detail: 'The body must be a JSON object.',
  })),
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'json',
  ].map((type) => ({
    what: `a body of type ${type}`,
    headers: { 'content-type': type },
    body: JSON.stringify(required),
    status: 415,
    detail: 'The body must be JSON, sent with Content-Type: application/json.',
  })),
  {
    what: 'a body without a type',
    body: JSON.stringify(required),
    status: 415,
    detail: 'The body must be JSON, sent with Content-Type: application/json.',
  },
  {
    what: 'a body that is not UTF-8',
    headers: json,
    body: Buffer.from(JSON.stringify({ ...required, name: 'Zoë' }), 'latin1'),
    status: 400,
    detail: 'The body is not valid UTF-8.',
  },
  {
    what: 'a compressed body',
    headers: { ...json, 'content-encoding': 'gzip' },
    body: JSON.stringify(required),
    status: 415,
    detail: 'The body must be sent without Content-Encoding.',
  },
  ...['utf-16', 'latin1', '"utf-16le"'].map((charset) => ({
    what: `a body in ${charset}`,
    headers: { 'content-type': `application/json; charset=${charset}` },
    body: JSON.stringify(required),
    status: 415,
    detail: 'The body must be sent in UTF-8.',
  })),
  {
    what: 'a field whose name breaks the line and turns the text around',
    headers: json,
    body: JSON.stringify({ ...required, 'a\r\n\u202Eb\uD800': 1 }),
    status: 400,
    detail: 'These fields are not accepted: a\uFFFD\uFFFD\uFFFDb\uFFFD.',
    errors: [{ field: 'a\uFFFD\uFFFD\uFFFDb\uFFFD', message: 'This field is not accepted' }],
  },
  {
    what: 'too large a body',
    headers: json,
    body: JSON.stringify({ ...required, description: 'd'.repeat(65_536) }),
    status: 413,
    detail: 'The body is too large.',
  },
  {
    what: 'too large a body of unknown length',
    headers: { ...json, 'transfer-encoding': 'chunked' },
    body: JSON.stringify({ ...required, description: 'd'.repeat(65_536) }),
    status: 413,
    detail: 'The body is too large.',
  },
  {
    what: 'several wrong fields',
    headers: json,
    body: JSON.stringify({ ...required, name: '', capabilities: ['chat', 7], website: 'javascript:alert(1)' }),
    status: 400,
    detail:
      'Name is required; Website must be an http or https address without a user name, such as https://example.com; Each capability must be text.',
    errors: [
      { field: 'name', message: 'Name is required' },
      {
        field: 'website',
        message: 'Website must be an http or https address without a user name, such as https://example.com',
      },
      { field: 'capabilities.1', message: 'Each capability must be text' },
    ],
  },
  {
    what: 'fields that only the server sets',
    headers: json,
    body: JSON.stringify({ ...required, id: randomUUID(), rating: 5, reviewCount: 9, createdAt: 'now' }),
    status: 400,
    detail: 'These fields are not accepted: id, rating, reviewCount, createdAt.',
    errors: ['id', 'rating', 'reviewCount', 'createdAt'].map((field) => ({
      field,
      message: 'This field is not accepted',
    })),
  },
  {
    what: 'a field of a wrong type, which is not converted',
    headers: json,
    body: JSON.stringify({ ...required, name: 5 }),
    status: 400,
    detail: 'Name must be text.',
    errors: [{ field: 'name', message: 'Name must be text' }],
  },
  {
    what: 'a repeated query parameter',
    method: 'GET',
    path: '/api/search?q=a&q=b',
    status: 400,
    detail: 'q must be one text.',
    errors: [{ field: 'q', message: 'q must be one text' }],
  },
  {
    what: 'an unknown id',
    method: 'GET',
    path: `/api/agents/${randomUUID()}`,
    status: 404,
    detail: 'No agent has this id.',
  },
  ...[
    '/api',
    '/api/',
    '/api/nothing',
    '/api/agents/',
    '/api/agents/1/2',
    '/api/stats/',
    '/api/openapi',
    `/api/${'x'.repeat(5_000)}`,
  ].map((path) => ({
    what: `the unknown path ${path.slice(0, 20)}`,
    method: 'GET',
    path,
    status: 404,
    detail: 'There is nothing at this address.',
  })),
  ...['', '{', 'a=b'].map((body) => ({
    what: `POST to an unknown path with the body ${JSON.stringify(body)}`,
    path: '/api/nothing',
    headers: { 'content-type': body === 'a=b' ? 'application/x-www-form-urlencoded' : 'application/json' },
    body,
    status: 404,
    detail: 'There is nothing at this address.',
  })),
  {
    what: 'a category of a thousand characters and more',
    method: 'GET',
    path: `/api/agents/category/${'x'.repeat(1_500)}`,
    status: 400,
    detail: 'Category must be one of chatbot, automation, analytics, creative, vision, language.',
    errors: [
      {
        field: 'category',
        message: 'Category must be one of chatbot, automation, analytics, creative, vision, language',
      },
    ],
  },
  {
    what: 'an unsupported Expect',
    method: 'GET',
    headers: { expect: 'everything' },
    status: 417,
    detail: 'What the Expect header asks for cannot be met.',
  },
  ...['/api/agents/%E0%A4%A', '/api/agents/category/%', '/api/%zz', '/%ff'].map((path) => ({
    what: `the bad percent-escape of ${path}`,
    method: 'GET',
    path,
    status: 400,
    detail: 'The address is not a valid URL.',
  })),
  {
    what: 'an address that is too long',
    method: 'GET',
    path: `/api/search?q=${'x'.repeat(8_192)}`,
    status: 414,
    detail: 'The address is too long.',
  },
  {
    what: 'headers that are too large',
    method: 'GET',
    headers: { 'x-large': 'x'.repeat(16_384) },
    status: 431,
    detail: 'The address and the headers are too long.',
  },
  {
    what: 'cookies that are too large',
    method: 'GET',
    headers: { cookie: `a=${'x'.repeat(16_384)}` },
    status: 431,
    detail:
      'The cookies that your browser sends are too large, although this site needs none; please delete those of this site.',
  },
  {
    what: 'an array without end',
    headers: json,
    body: JSON.stringify({ ...required, capabilities: Array.from({ length: 20_000 }, () => 7) }),
    status: 400,
    detail: 'An agent can have at most 30 capabilities.',
    errors: [{ field: 'capabilities', message: 'An agent can have at most 30 capabilities' }],
  },
  {
    what: 'JSON without end',
    headers: json,
    body: `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
    status: 400,
    detail: 'Name must be text; Description is required; Category is required; Contact email is required.',
    errors: [
      { field: 'name', message: 'Name must be text' },
      { field: 'description', message: 'Description is required' },
      { field: 'category', message: 'Category is required' },
      { field: 'contactEmail', message: 'Contact email is required' },
    ],
  },
  {
    what: 'a method that is not allowed',
    method: 'DELETE',
    status: 405,
    detail: 'DELETE is not allowed here, only GET, HEAD, POST.',
  },
];

/** Paths of all kinds of surfaces, with the methods that they have. */
const methodsOfPaths = [
  ['/', 'GET, HEAD, POST'],
  ['/agent/1', 'GET, HEAD, POST'],
  ['/ard/explore', 'POST'],
  ['/mcp', 'POST'],
  ...[
    '/feed.xml',
    '/feed.json',
    '/llms.txt',
    '/skill.md',
    '/sitemap.xml',
    '/robots.txt',
    '/opensearch.xml',
    '/api/docs',
    '/agent/1/badge.svg',
    '/agent/1/badge.json',
    '/mcp/server-card',
    '/openapi.yaml',
    '/ard',
    '/.well-known/ai-catalog.json',
    '/.well-known/security.txt',
    '/healthz',
    '/ard/agents/1',
  ].map((path) => [path, 'GET, HEAD']),
];

describe('an invalid request', () => {
  let app: TestApp;

  beforeAll(async () => {
    const settings = { PUBLIC_URL: 'https://registry.example', SECURITY_CONTACT: 'mailto:security@registry.example' };
    app = await startTestApp({ withSite: true, ...settings });
  });

  afterAll(() => app.close());

  const sendWrong = ({ path = '/api/agents', method = 'POST', headers, body }: WrongRequest, accept?: string) =>
    send(app.url + path, { method, headers: { ...headers, ...(accept && { accept }) }, body });

  test.each(methodsOfPaths)(
    'with PUT for %s gets 405, and Allow has the methods of the path',
    async (path = '', allow = '') => {
      const { status, headers, body } = await send(app.url + path, { method: 'PUT' });
      expect({ status, allow: headers.allow }).toEqual({ status: 405, allow });
      expect(body).toContain(`PUT is not allowed here, only ${allow}`);
    },
  );

  test.each(wrongRequests)('with $what gets $status and one sentence', async (request) => {
    const { status, headers, body } = await sendWrong(request);
    expect(body).toBe(request.detail);
    expect(status).toBe(request.status);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toContain("default-src 'self'");
    expect(body).not.toMatch(INTERNALS);
  });

  test.each(wrongRequests)('with $what gets problem details if it accepts JSON', async (request) => {
    const { status, headers, body } = await sendWrong(request, 'application/json');
    expect(problemSchema.strict().parse(JSON.parse(body))).toEqual({
      type: 'about:blank',
      title:
        {
          400: 'Bad Request',
          404: 'Not Found',
          405: 'Method Not Allowed',
          413: 'Payload Too Large',
          414: 'URI Too Long',
          417: 'Expectation Failed',
          431: 'Request Header Fields Too Large',
        }[request.status] ?? 'Unsupported Media Type',
      status: request.status,
      detail: request.detail,
      ...(request.errors && { errors: request.errors }),
    });
    expect(status).toBe(request.status);
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
  });

  test.each([
    undefined,
    '*/*',
    'text/plain',
    'text/*',
    'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
    'image/png',
    'application/json;q=0',
    'application/*',
    'application/*, text/plain;q=0.5',
    'text/plain, application/json;q=0.9',
    'nonsense',
    // Over 500 characters are not parsed.
    `application/json, ${'a/b, '.repeat(97)}`,
  ])('gets plain text for Accept: %s', async (accept) => {
    const { headers, body } = await send(`${app.url}/api/nothing`, { headers: accept ? { accept } : {} });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['vary']).toBe('Accept');
    expect(body).toBe('There is nothing at this address.');
  });

  test.each([
    'application/json',
    'application/problem+json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json, text/plain, */*',
    'application/problem+json, application/json;q=0.9',
    '*/*;q=0.1, application/json',
    `application/json, ${'a/b, '.repeat(96)}`,
  ])('gets problem details for Accept: %s', async (accept) => {
    const { headers, body } = await send(`${app.url}/api/nothing`, { headers: { accept } });
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(headers['vary']).toBe('Accept');
    expect(JSON.parse(body)).toMatchObject({ status: 404, detail: 'There is nothing at this address.' });
  });

  test.each([
    '{"__proto__": {"rating": 5}}',
    '{"constructor": {"prototype": {"rating": 5}}}',
    '{"constructor": 1, "toString": 2}',
    '{"capabilities": {"__proto__": [], "length": 1}}',
    '{"name": {"__proto__": {"x": 1}}}',
  ])('with prototype pollution (%s) gets 400 and changes no prototype', async (body) => {
    const { status } = await send(`${app.url}/api/agents`, { method: 'POST', headers: json, body });
    expect(status).toBe(400);
    expect(({} as Record<string, unknown>)['rating']).toBeUndefined();
    expect((await postJson(`${app.url}/api/agents`, required)).status).toBe(201);
  });

  test('with a field __proto__ gets an error that names the field', async () => {
    const body = JSON.stringify(required).replace('{', '{"__proto__":{"rating":5},');
    expect((await send(`${app.url}/api/agents`, { method: 'POST', headers: json, body })).body).toBe(
      'These fields are not accepted: __proto__.',
    );
  });

  test('with a thousand unknown fields gets errors for ten of them', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`${index}x`.repeat(10), 1]));
    const response = await postJson(`${app.url}/api/agents`, fields, { accept: 'application/json' });
    const { detail, errors } = problemSchema.parse(await response.json());
    expect(detail).toMatch(/ and 990 more\.$/);
    expect(errors?.filter(({ message }) => message === 'This field is not accepted')).toHaveLength(10);
  });

  describe('that is not HTTP', () => {
    test.each([
      ['nonsense', 'nonsense\r\n\r\n', 400, 'The request is not valid HTTP.'],
      ['the greeting of TLS', '\u0016\u0003\u0001\u0002\u0000', 400, 'The request is not valid HTTP.'],
      ['an unknown method', 'SING /api/agents HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'The request is not valid HTTP.'],
      // It may be a HEAD, whose response has no body.
      ['headers without end', `HEAD / HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(40_000)}\r\n\r\n`, 431, ''],
      ['an address without end', `GET /${'x'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, ''],
    ])('(%s) gets plain text and a closed connection', async (_what, bytes, status, sentence) => {
      const [head = '', body] = (await sendBytes(app.url, bytes)).split('\r\n\r\n');
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
      expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
      expect(head).toMatch(/^Connection: close$/im);
      expect(head).toMatch(/^X-Request-Id: [\w-]{36}$/im);
      expect(body).toBe(sentence);
    });

    test('gets its response after the responses to complete requests before it', async () => {
      const body = JSON.stringify({ ...required, name: 'Before Nonsense' });
      const head = `POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
      const whole = `${head}\r\n\r\n${body}`;
      const answers = (await sendBytes(app.url, `${whole}${whole}nonsense`)).split(/(?=HTTP\/1\.1 )/);
      expect(answers.map((answer) => answer.slice(9, 12))).toEqual(['201', '201', '400']);
    });
  });

  test('HEAD with headers that are too large gets no body', async () => {
    const bytes = `HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Large: ${'x'.repeat(16_384)}\r\n\r\n`;
    const [head, body] = (await sendBytes(app.url, bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 431 /);
    expect(body).toBe('');
  });

  describe('with a body that is too large, from a client that sends all of it', () => {
    const body = Buffer.alloc(30_000_000, ' ');
    let file: string;

    beforeAll(async () => {
      const folder = await mkdtemp(join(tmpdir(), 'agent-registry-'));
      file = join(folder, 'body');
      await writeFile(file, body);
      return () => rm(folder, { recursive: true });
    });

    const run = async (command: string, ...args: string[]) => (await promisify(execFile)(command, args)).stdout;
    const isInstalled = (command: string) => spawnSync(command, ['--version']).status === 0;

    test.each<Record<string, string>>([{}, { connection: 'close' }])(
      'Node with the headers %j gets 413',
      async (headers) => {
        const answer = await send(`${app.url}/api/agents`, { method: 'POST', headers: { ...json, ...headers }, body });
        expect(answer).toMatchObject({ status: 413, body: 'The body is too large.' });
      },
    );

    test('undici gets 413', async () => {
      const answer = await fetch(`${app.url}/api/agents`, { method: 'POST', headers: json, body });
      expect([answer.status, await answer.text()]).toEqual([413, 'The body is too large.']);
    });

    test.skipIf(!runsAll || !isInstalled('curl'))('curl gets 413', async () => {
      const args = ['-sS', '-H', 'Content-Type: application/json', '-H', 'Expect:', '--data-binary', `@${file}`];
      expect(await run('curl', ...args, `${app.url}/api/agents`)).toBe('The body is too large.');
    });

    test.skipIf(!runsAll || !isInstalled('python3'))("Python's urllib gets 413", async () => {
      const script = `import sys, urllib.request as r
request = r.Request(sys.argv[1], open(sys.argv[2], 'rb').read(), {'Content-Type': 'application/json'})
try: r.urlopen(request)
except r.HTTPError as error: print(error.code, error.read().decode(), end='')`;
      expect(await run('python3', '-c', script, `${app.url}/api/agents`, file)).toBe('413 The body is too large.');
    });

    test.each(['/api/nothing', '/trpc/nothing'])('a request to %s gets a response', async (path) => {
      const headers = { ...json, connection: 'close' };
      const { status } = await send(app.url + path, { method: 'POST', headers, body });
      expect(status).toBeGreaterThanOrEqual(404);
    });
  });

  test('gets a response when the client half-closes the connection after it', async () => {
    const body = JSON.stringify(required);
    const head = `POST /api/agents HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const socket = connect({ port: Number(new URL(app.url).port), host: '127.0.0.1', allowHalfOpen: true });
    socket.end(`${head}\r\n\r\n${body}`);
    expect(await text(socket)).toMatch(/^HTTP\/1.1 201 Created\r\n/);
  });

  test.each([
    ['without Host', 'GET /api/agents HTTP/1.1\r\n', 400],
    ['with an unsupported Expect', 'GET /api/agents HTTP/1.1\r\nHost: x\r\nExpect: everything\r\n', 417],
  ])('%s gets plain text', async (_what, start, status) => {
    const [head = '', body] = (await sendBytes(app.url, `${start}Connection: close\r\n\r\n`)).split('\r\n\r\n');
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/im);
    expect(body).toMatch(/^[A-Z].+\.$/);
  });
});

describe('an internal error', () => {
  const sentence = 'Something went wrong on our side; please try again later.';
  const log: string[] = [];
  let app: TestApp;

  beforeAll(async () => {
    const store = makeFailingStore();
    const stream = { write: (line: string) => void log.push(line) };
    app = await startTestApp({ withSite: true, agents: store, viewStore: store, logger: { level: 'error', stream } });
  });

  afterAll(() => app.close());

  const paths = [
    '/api/agents',
    '/api/agents?limit=1',
    '/api/agents/category/vision',
    '/api/search?q=otter',
    `/api/agents/${randomUUID()}`,
    '/api/stats',
  ];

  test.each(paths)('GET %s gets 500 and one sentence without details', async (path) => {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.text()).toBe(sentence);
  });

  test('gets problem details if the request accepts JSON', async () => {
    const response = await postJson(`${app.url}/api/agents`, required, { accept: 'application/json' });
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      detail: sentence,
    });
  });

  test('is logged once, with the details', async () => {
    log.length = 0;
    await fetch(`${app.url}/api/agents`);
    expect(log).toEqual([expect.stringContaining('SELECT * FROM agents')]);
  });

  test('has no details over the tRPC protocol', async () => {
    const response = await fetch(`${app.url}/trpc/agents.list`);
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(INTERNALS);
  });
});

test('a tRPC path that cannot be decoded a second time is 404', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  for (const path of ['agents.%25ff', '%2525', 'agents.list%25']) {
    expect({ path, status: (await fetch(`${app.url}/trpc/${path}`)).status }).toEqual({ path, status: 404 });
  }
});

test('a lone surrogate over the tRPC protocol is 400, also where the text would be corrected', async () => {
  const app = await startTestApp();
  onTestFinished(() => app.close());
  await app.agents.load([makeAgent({ name: 'Gardening' })]);
  for (const [path, input] of [
    ['agents.search', { q: 'gardenng \uD800' }],
    ['agents.facets', { q: 'gardenng \uD800' }],
    ['agents.suggest', { q: 'gardenng \uD800' }],
    ['agents.list', { website: 'https://a.example/\uD800' }],
    ['agents.get', { id: '\uD800' }],
  ] as const) {
    const { status } = await fetch(`${app.url}/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`);
    expect({ path, status }).toEqual({ path, status: 400 });
  }
});

describe('a database outage', () => {
  test.each([
    ['away', new DatabaseUnavailableError('The disk is gone'), 503],
    ['silent', new DatabaseTimeoutError('It does not answer'), 429],
    ['busy', new DatabaseBusyError('Searches wait'), 429],
  ])('uses up the limit of a client only while the database answers or works: %s', async (_state, error, status) => {
    const app = await startTestApp({ agents: makeFailingStore(error), READ_LIMIT: 2 });
    onTestFinished(() => app.close());
    for (const path of ['/api/agents', '/api/search?q=otter', '/trpc/agents.list', '/api/stats']) {
      await fetch(app.url + path);
      await fetch(app.url + path);
    }
    for (const path of ['/api/agents', '/trpc/agents.list']) expect((await fetch(app.url + path)).status).toBe(status);
  });

  test.each([
    ['away', new DatabaseUnavailableError('The disk is gone'), '5', 'The registry cannot reach its database'],
    [
      'full',
      new DatabaseUnwritableError('The disk is full'),
      '60',
      'The registry can be read, but cannot store anything',
    ],
    ['busy', new DatabaseBusyError('Searches wait'), '2', 'The registry has too much to do'],
  ])('(%s) is 503 with Retry-After, over REST and for each tRPC call', async (...outage) => {
    const [, error, retryAfter, sentence] = outage;
    const app = await startTestApp({ agents: makeFailingStore(error) });
    onTestFinished(() => app.close());
    const read = async (path: string) => {
      const response = await fetch(app.url + path);
      return { status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.text() };
    };
    const readTrpc = async (path: string) => {
      const { body, ...rest } = await read(`/trpc/${path}`);
      return { ...rest, body: JSON.parse(body) as unknown };
    };
    const message = expect.stringMatching(new RegExp(`^${sentence} for the moment; please try again .+\\.$`));
    const failed = (path: string) => ({
      error: { message, code: -32603, data: { code: 'SERVICE_UNAVAILABLE', httpStatus: 503, path } },
    });
    const refused = { error: expect.objectContaining({ data: expect.objectContaining({ httpStatus: 400 }) }) };

    expect(await read('/api/agents')).toEqual({ status: 503, retryAfter, body: message });
    expect(await readTrpc('agents.list')).toEqual({ status: 503, retryAfter, body: failed('agents.list') });
    expect(await readTrpc('agents.list,stats.get?batch=1')).toEqual({
      status: 503,
      retryAfter,
      body: [failed('agents.list'), failed('stats.get')],
    });
    expect(await readTrpc('stats.get,agents.search?batch=1')).toEqual({
      status: 207,
      retryAfter,
      body: [failed('stats.get'), refused],
    });
  });
});
