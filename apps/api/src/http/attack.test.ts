import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { endpoints, newAgentSchema, OPENAPI_PATH, PROBLEM_MEDIA_TYPE, type Agent } from '@agent-registry/contracts';
import { hostileConnections } from '@agent-registry/contracts/testing/hostile-connections';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createMetrics } from '../observability/metrics.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { logOptions } from '../observability/logger.ts';
import { send, startTestApp, type RawRequest, type TestApp } from '../testing/test-app.ts';
import { rounds } from '../testing/tier.ts';

/** The same attacks in every run; random ones with `SOAK_ROUNDS`. */
const RUNS = { numRuns: 25 * rounds, ...(!process.env.SOAK_ROUNDS && { seed: 20_260_101 }) };

vi.setConfig({ testTimeout: 120_000 + rounds * 10_000 });

type JsonSchema = {
  type?: string | string[];
  enum?: string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  pattern?: string;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
};
type Content = Record<string, { schema: JsonSchema }>;
type Parameter = { name: string; in: 'query' | 'path' | 'header'; required?: boolean; schema: JsonSchema };
type Operation = {
  parameters?: Parameter[];
  requestBody?: { content: Content };
  security?: object[];
  responses: Record<string, { content: Content }>;
};
type Answer = Awaited<ReturnType<typeof send>>;

/** Internals that no client may see: a stack, SQL, a file or the name of a library. */
const INTERNALS = /\n\s+at |\.[jt]s:\d|SQLITE_|invalid byte sequence|node_modules|FST_|Zod|Error:/;

const known = makeAgent({ name: 'Known Agent' });

/** Texts with a meaning in a database, a page, a header, a template or a runtime. */
const hostileTexts = [
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  '\uFFFF',
  '\uFEFF',
  '\u202Egpj',
  '\u2066',
  '\u2028',
  '\u{10FFFF}',
  '🤖',
  "'",
  '"; DROP TABLE agents; --',
  "' OR 1=1 --",
  '%',
  '_',
  '\\',
  '$1',
  '?',
  ':id',
  'a" OR b*',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</title><svg onload=alert(1)>',
  '&lt;',
  ']]>',
  '{{7*7}}',
  '${7*7}',
  '<%= 7*7 %>',
  '{% debug %}',
  '#{7*7}',
  '%{7}',
  '${jndi:ldap://x/y}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'Infinity',
  '-1',
  '0',
  '1e400',
  '0x10',
  '١٢',
  ' 5 ',
  '+5',
  '5.0',
  '1_000',
  '9007199254740993',
  '',
  ' ',
  '\t',
  'a\r\nX-Forged: 1',
  'a\nb',
  '\u001B[31m',
  'javascript:alert(1)',
  ' java\nscript:alert(1)',
  'JAVASCRIPT&colon;alert(1)',
  'data:text/html,<script>',
  '//x',
  'https://x@y.example',
  'https://[::1',
  'mailto:a@b.co?bcc=c@d.co',
  'a@b.co\r\nBcc: c@d.co',
  'a@b.co%0ABcc:c@d',
  '../../etc/passwd',
  '..',
  '.',
  '%2e%2e%2f',
  '%00',
  '%ff',
  '%',
  '+',
  '&a=b',
  '#',
  ';',
  '/',
  '?a=b',
  'a'.repeat(3_000),
  '\u0301'.repeat(300),
  '\uFDFA'.repeat(60),
  'İ'.repeat(100),
  'a '.repeat(2_000),
  '\uD83D\uDE00'.repeat(60),
];

const hostileText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.integer({ max: 0xff_ff, min: 0 }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
);

// One for all schemas: fast-check maps every character of Unicode for each.
const shortText = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
const anyUrl = fc.webUrl({ withQueryParameters: true });
const anyAddress = fc.emailAddress().filter((text) => newAgentSchema.shape.contactEmail.safeParse(text).success);

/** A JSON string, its characters escaped or not. */
const hostileString = fc
  .tuple(hostileText, fc.boolean())
  .map(([text, isEscaped]) =>
    isEscaped
      ? `"${Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
      : JSON.stringify(text),
  );

/** JSON of any type and depth, a few of them invalid. */
const hostileJson = fc.oneof(
  hostileString,
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(
    'null',
    'true',
    '0',
    '-0',
    '1e400',
    '-1e400',
    '9007199254740993',
    '1e-400',
    `1${'0'.repeat(400)}`,
    '[]',
    '{}',
    '[[[[]]]]',
    `${'['.repeat(5_000)}${']'.repeat(5_000)}`,
    `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`,
    '{"__proto__":1}',
    '{"constructor":{"prototype":{}}}',
    '{"length":1}',
    `[${'"a",'.repeat(40)}"b"]`,
    '["", "a"]',
    '[null]',
    '[[]]',
    'NaN',
    'undefined',
    "'a'",
    '"\\ud800"',
    '"\\u0000"',
    '"\\x00"',
    '01',
    '/**/1',
    '"a',
    '{"a":}',
  ),
);

const hostileLists = fc.constantFrom(...hostileConnections.map(({ connection }) => JSON.stringify([connection])));

/** The values that a schema describes, as JSON. */
function rightJson(schema: JsonSchema): fc.Arbitrary<string> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(rightJson));
  // Few random connections are right.
  if (schema.items?.oneOf) return fc.oneof({ weight: 4, arbitrary: fc.constant('[]') }, hostileLists, hostileJson);
  if (schema.items) return fc.array(rightJson(schema.items), { maxLength: 5 }).map((items) => `[${items.join(',')}]`);
  if (schema.type === 'null') return fc.constant('null');
  return rightText(schema).map((text) => JSON.stringify(text));
}

function rightText({
  enum: values,
  minimum,
  maximum,
  maxLength = 100,
  format,
  pattern,
}: JsonSchema): fc.Arbitrary<string> {
  if (values) return fc.constantFrom(...values);
  if (maximum !== undefined) return fc.integer({ min: minimum ?? 0, max: maximum }).map(String);
  if (format === 'uuid') return fc.oneof(fc.constant(known.id), fc.uuid());
  if (format === 'email') return anyAddress;
  if (pattern) return fc.stringMatching(new RegExp(pattern), { maxLength: 64 });
  return fc.oneof(
    // A URL is a valid text in every field, and the only valid one in a URL field.
    { weight: 8, arbitrary: anyUrl.filter((url) => url.length <= maxLength) },
    shortText,
    fc.constantFrom(...hostileTexts),
  );
}

/** A percent-encoded part of a URL, which may have lone surrogates. */
function encode(text: string): string {
  const bytes = Array.from(text).flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    const isLone = code >= 0xd8_00 && code <= 0xdf_ff;
    return isLone
      ? [0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]
      : [...Buffer.from(character)];
  });
  return bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
}

/** Parts of a URL, escaped or badly escaped. */
const anyPart = (right: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 3, arbitrary: right.map(encode) },
    { weight: 2, arbitrary: hostileText.map(encode) },
    fc.constantFrom('%', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%f4%90%80%80', '%u0041', 'a%', '%e0%a4%a', '%00'),
  );

/** Puts the parts of an OpenAPI document in place of the references to them. */
function dereference(value: unknown, document = value): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => dereference(item, document));
  const { $ref: reference } = value as { $ref?: string };
  if (reference === undefined) {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, dereference(part, document)]));
  }
  const keys = reference.split('/').slice(1);
  const part = keys.reduce<unknown>((whole, key) => (whole as Record<string, unknown>)[key], document);
  return dereference(part, document);
}

/** Requests for an operation of the document, any part of which may be hostile. */
function requestsFor(
  path: string,
  method: string,
  { parameters = [], requestBody }: Operation,
): fc.Arbitrary<RawRequest> {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const inHeader = parameters.filter((parameter) => parameter.in === 'header');
  const paths = fc
    .tuple(...inPath.map(({ schema }) => anyPart(rightText(schema)).filter((part) => part !== '')))
    .map((parts) => parts.reduce((whole, part, index) => whole.replace(`{${inPath[index]?.name}}`, () => part), path));

  const pair = fc.oneof(
    ...inQuery.map(({ name, schema }) => anyPart(rightText(schema)).map((part) => `${name}=${part}`)),
    fc.constantFrom(
      '',
      '&',
      '=',
      'limit',
      'q[]=a',
      'q[__proto__]=a',
      '__proto__=a',
      '__proto__[limit]=5',
      'constructor=1',
    ),
    fc.tuple(anyPart(hostileText), anyPart(hostileText)).map((parts) => parts.join('=')),
  );
  const right = fc
    .tuple(
      ...inQuery.map(({ name, required, schema }) =>
        (required
          ? rightText(schema)
          : // Rare, since one cursor that does not exist refuses the request.
            fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, rightText(schema))
        ).map((text) => (text === undefined ? [] : [`${name}=${encode(text)}`])),
      ),
    )
    .map((pairs) => pairs.flat());
  const queries = fc
    // Writes have no parameters, and refuse all.
    .tuple(
      right,
      fc.oneof({ weight: inQuery.length > 0 ? 2 : 8, arbitrary: fc.constant([]) }, fc.array(pair, { maxLength: 4 })),
    )
    .map((pairs) => pairs.flat().join('&'));

  const toHeader = (text: string) => text.replaceAll(/[^\t\x20-\x7E\x80-\xFF]/g, '');
  const headerText = hostileText.map(toHeader);
  const headers = fc.record(
    {
      accept: fc.constantFrom('application/json', 'text/plain', '*/*', 'application/json;q=nonsense', ',,;', 'a/b;c="'),
      'accept-encoding': fc.constantFrom('gzip', 'br;q=2', '*;q=0', 'identity;q=0', 'nonsense'),
      'accept-language': headerText,
      cookie: headerText,
      origin: headerText,
      'if-none-match': fc.oneof(headerText, fc.constantFrom('*', 'W/"', '"a", "b"')),
      'if-modified-since': headerText,
      range: fc.constantFrom('bytes=0-0', 'bytes=5-2,9-', 'bytes=-1'),
      'user-agent': headerText,
      'x-forwarded-for': headerText,
      'x-forwarded-proto': headerText,
      'x-http-method-override': fc.constant('DELETE'),
      'x-request-id': headerText,
      ...Object.fromEntries(
        inHeader.map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 8, arbitrary: rightText(schema).map(toHeader) }, headerText, fc.array(headerText)),
        ]),
      ),
    },
    { requiredKeys: [] },
  );
  const verb = fc.constantFrom(...(method === 'get' ? ['GET', 'GET', 'GET', 'HEAD'] : [method.toUpperCase()]));
  const content = requestBody?.content['application/json'];
  if (!content) return fc.record({ method: verb, path: withQuery(paths, queries), headers });
  return fc
    .record({ method: verb, path: withQuery(paths, queries), headers, sent: bodiesFor(content.schema) })
    .map(({ sent, headers: others, ...request }) => ({
      ...request,
      body: sent.body,
      headers: { ...others, ...sent.headers },
    }));
}

function withQuery(paths: fc.Arbitrary<string>, queries: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(paths, queries).map(([path, query]) => (query ? `${path}?${query}` : path));
}

type Body = { headers: Record<string, string>; body: Uint8Array };

function bodiesFor({ properties = {} }: JsonSchema): fc.Arbitrary<Body> {
  const toObject = (pairs: readonly string[]) => `{${pairs.join(',')}}`;
  const right = fc.tuple(
    ...Object.entries(properties).map(([name, schema]) => rightJson(schema).map((json) => `"${name}":${json}`)),
  );
  const wrong = fc.oneof(
    ...Object.keys(properties).map((name) => hostileJson.map((json) => `"${name}":${json}`)),
    fc.tuple(hostileString, hostileJson).map((pair) => pair.join(':')),
  );
  const text = fc.oneof(
    { weight: 3, arbitrary: right.map(toObject) },
    // For duplicates, the last one counts.
    { weight: 3, arbitrary: fc.tuple(right, wrong).map(([pairs, pair]) => toObject([...pairs, pair])) },
    {
      weight: 2,
      arbitrary: fc.tuple(right, fc.array(wrong), fc.nat()).map(([a, b, at]) => toObject(a.toSpliced(at % 9, 1, ...b))),
    },
    hostileJson,
  );
  const json = { 'content-type': 'application/json' };
  return fc.oneof(
    { weight: 6, arbitrary: text.map((body) => ({ headers: json, body: Buffer.from(body) })) },
    text.map((body) => ({ headers: json, body: Buffer.from(`\uFEFF${body}`) })),
    text.map((body) => ({
      headers: { 'content-type': 'application/json; charset=utf-16' },
      body: Buffer.from(body, 'utf16le'),
    })),
    text.map((body) => ({
      headers: { 'content-type': 'application/json; charset=latin1' },
      body: Buffer.from(body, 'latin1'),
    })),
    fc
      .tuple(
        text,
        fc.constantFrom('text/plain', 'text/json', 'application/x-www-form-urlencoded', 'json', ';', 'a/b; c'),
      )
      .map(([body, type]) => ({ headers: { 'content-type': type }, body: Buffer.from(body) })),
    fc
      .tuple(text, fc.constantFrom('gzip', 'br', 'deflate', 'identity', 'nonsense'))
      .map(([body, encoding]) => ({ headers: { ...json, 'content-encoding': encoding }, body: Buffer.from(body) })),
    fc.uint8Array({ maxLength: 200 }).map((body) => ({ headers: json, body })),
    fc
      .tuple(text, fc.nat())
      .map(([body, end]) => ({ headers: json, body: Buffer.from(body).subarray(0, end % body.length) })),
    text.map((body) => ({ headers: json, body: Buffer.from(body.padEnd(70_000)) })),
  );
}

const parts = [
  'api',
  'agents',
  'agent',
  'category',
  'vision',
  'search',
  'stats',
  'openapi.json',
  'trpc',
  'assets',
  'robots.txt',
  'agents.list',
  'agents.get',
  'agents.register',
  'agents.list,agents.get',
  'healthz',
  'readyz',
  'metrics',
  known.id,
  '',
  '.',
  '..',
  '%2e%2e',
  '%2F',
  '%5C',
  ';a=b',
  '*',
  '//x.example',
  'http://x.example/',
  '%',
  '%ff',
  '%00',
  'index.html',
];
const anyRequest: fc.Arbitrary<RawRequest> = fc
  .record({
    method: fc.constantFrom(...METHODS.filter((method) => method !== 'CONNECT'), 'GET', 'GET', 'GET', 'POST', 'HEAD'),
    path: fc
      .tuple(
        fc.constantFrom('', 'api/', 'agent/', 'trpc/', 'trpc/agents.', 'assets/'),
        fc.array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...parts) }, hostileText.map(encode)), {
          maxLength: 4,
        }),
        fc.oneof(
          fc.constantFrom(
            '',
            '?',
            '?batch=1',
            '?batch=1&input={}',
            '?input=null',
            '?batch=1&input={"0":{"limit":1e9}}',
            '?#',
          ),
          fc
            .tuple(hostileJson, fc.boolean())
            .map(([json, isBatch]) => `?${isBatch ? 'batch=1&' : ''}input=${encode(json)}`),
        ),
      )
      .map(([start, rest, query]) => `/${start}${rest.join('/')}${query}`),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      { accept: 'application/json' },
      { 'content-type': 'application/json' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': 'text/html', accept: 'text/html' },
      { origin: 'null', 'access-control-request-method': 'POST' },
      { upgrade: 'websocket', connection: 'upgrade', 'sec-websocket-key': 'x' },
      { 'trpc-accept': 'application/jsonl', accept: 'text/event-stream' },
    ),
    body: fc.oneof(fc.constant(''), hostileJson),
  })
  // Node sets Content-Length for some methods only.
  .map(({ headers, body, ...rest }) => ({
    ...rest,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
  }));

/** A randomly mutated request: bytes changed, removed or inserted, and contradictory headers. */
const anyBytes = fc
  .tuple(
    fc.constantFrom(
      'GET /api/agents?limit=1',
      'POST /api/agents',
      'GET /agent/x',
      'GET /%C3%BC',
      'HEAD /api/stats',
      'GET *',
    ),
    fc.constantFrom('HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/0.9', ''),
    fc.array(
      fc.constantFrom(
        'Content-Length: 5',
        'Content-Length: 5, 5',
        'Content-Length: -1',
        'Content-Length: 99999999999999999999',
        'Transfer-Encoding: chunked',
        'Transfer-Encoding: gzip, chunked',
        'Transfer-Encoding : chunked',
        'Host: y',
        'Content-Type: text/plain',
        'Content-Type: application/json',
        'Expect: 100-continue',
        'Upgrade: h2c',
        ': x',
        ' folded: x',
        'Connection: upgrade, HTTP2-Settings',
        'Range: bytes=0-',
        'X: \u0000',
        'X: \u00FF',
        'X\u00FC: y',
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom(JSON.stringify(makeNewAgent()), '', '5\r\nhello\r\n0\r\n\r\n', 'zz\r\n', 'GET / HTTP/1.1\r\n\r\n'),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.uint8Array({ maxLength: 3 })), { maxLength: 3 }),
    fc.option(fc.nat(), { nil: undefined, freq: 3 }),
  )
  .map(([start, version, headers, body, changes, end]) => {
    const length = `Content-Length: ${Buffer.byteLength(body)}`;
    const lines = [`${start} ${version}`, 'Host: x', 'Content-Type: application/json', length, ...headers];
    let bytes = Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`, 'latin1');
    for (const [at, deleted, inserted] of changes) {
      const position = at % bytes.length;
      bytes = Buffer.concat([bytes.subarray(0, position), inserted, bytes.subarray(position + deleted)]);
    }
    return end === undefined ? bytes : bytes.subarray(0, end % bytes.length);
  });

/** Sends bytes and then the end of a request; returns all received bytes. */
async function sendToEnd(url: string, bytes: Uint8Array): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // The server may close before it has read everything.
  socket.on('error', () => {});
  socket.write(bytes);
  socket.write('\0'.repeat(20_000));
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks).toString();
}

describe.each(surfaceEngines)('attacks on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let ajv: Ajv2020;
  let paths: Record<string, Record<string, Operation>>;
  const metrics = createMetrics();
  const log: string[] = [];
  /** The acknowledged agents, by id. */
  const stored = new Map<string, Agent>([[known.id, known]]);

  beforeAll(async () => {
    database = await open();
    const timeouts = { headersTimeout: 3_000, requestTimeout: 3_000, keepAliveTimeout: 5_000 };
    const logger = { ...logOptions('debug'), stream: { write: (text: string) => void log.push(text) } };
    app = await startTestApp({ database, withSite: true, ...timeouts, metrics, logger });
    await app.agents.load([known]);
    const document = dereference(await readJson(OPENAPI_PATH)) as { paths: typeof paths };
    ({ paths } = document);
    ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema(document, 'document');
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function readJson<Value>(path: string): Promise<Value> {
    const response = await fetch(app.url + path);
    expect(response.status).toBe(200);
    return (await response.json()) as Value;
  }

  /** Checks the response of an operation against the document. */
  function checkAnswer(path: string, method: string, request: RawRequest, { status, headers, body }: Answer): void {
    expect(status).toBeLessThan(500);
    expect(body).not.toMatch(INTERNALS);
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) });
    expect(headers).not.toHaveProperty('x-forged');
    expect(headers).not.toHaveProperty('set-cookie');
    const { content } = paths[path]?.[method]?.responses[status] ?? {};
    // If-None-Match: * names every representation.
    if (status === 304 && request.headers?.['if-none-match'] !== undefined) {
      expect(paths[path]?.[method]?.responses).toHaveProperty('304');
      expect([body, headers['content-type']]).toEqual(['', undefined]);
      return;
    }
    if (!content) throw new Error(`${status} is not told of ${method} ${path}: ${body}`);
    const [type = ''] = headers['content-type']?.split(';') ?? [];
    expect(Object.keys(content)).toContain(type);
    if (status >= 400) checkError(request, { status, headers, body });
    if (request.method === 'HEAD') return;
    const pointer = ['paths', path, method, 'responses', status, 'content', type, 'schema']
      .map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
      .map(encodeURIComponent)
      .join('/');
    const validate = ajv.getSchema(`document#/${pointer}`) as ValidateFunction;
    const value: unknown = type === 'text/plain' ? body : JSON.parse(body);
    if (!validate(value)) throw new Error(`${ajv.errorsText(validate.errors)}: ${body}`);
  }

  /** Checks that a response has the error format. */
  function checkError({ headers: sent, method }: RawRequest, { status, headers, body }: Answer): void {
    expect(headers['cache-control']).toBe('no-store');
    const isProblem = sent?.['accept'] === 'application/json' && status !== 431;
    expect(headers['content-type']).toBe(`${isProblem ? PROBLEM_MEDIA_TYPE : 'text/plain'}; charset=utf-8`);
    if (method === 'HEAD') return;
    const problem = isProblem ? (JSON.parse(body) as { status: number; detail: string }) : { status, detail: body };
    expect(problem.status).toBe(status);
    expect(problem.detail).toMatch(/^\S[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]*\.$/u);
    expect(problem.detail.length).toBeLessThan(2_000);
  }

  /** Records an acknowledged agent, which must equal the sent one and be valid by the contract. */
  function remember({ body: sent = '' }: RawRequest, { status, body }: Answer): void {
    if (status !== 201) return;
    const agent = JSON.parse(body) as Agent;
    const { id, rating, reviewCount, createdAt, ...told } = agent;
    expect(told).toEqual(
      newAgentSchema.parse(
        JSON.parse(
          Buffer.from(sent)
            .toString()
            .replace(/^\uFEFF/, ''),
        ),
      ),
    );
    expect([rating, reviewCount, new Date(createdAt).toISOString()]).toEqual([0, 0, createdAt]);
    const before = stored.get(id);
    if (before) expect(agent).toEqual(before);
    stored.set(id, agent);
  }

  /** Checks that every read returns the acknowledged agents. */
  async function checkStored(): Promise<void> {
    const toMap = (agents: readonly Agent[]) => new Map(agents.map((agent) => [agent.id, agent]));
    expect(await readJson('/api/stats')).toMatchObject({ totalAgents: stored.size });
    expect(toMap(await readJson<Agent[]>('/api/agents'))).toEqual(stored);
    const byCategory = ['chatbot', 'automation', 'analytics', 'creative', 'vision', 'language'].map((category) =>
      readJson<Agent[]>(`/api/agents/category/${category}`),
    );
    expect(toMap((await Promise.all(byCategory)).flat())).toEqual(stored);
    for (const agent of [...stored.values()].slice(-10)) {
      expect(await readJson(`/api/agents/${agent.id}`)).toEqual(agent);
      expect((await send(app.url, { path: `/agent/${agent.id}` })).status).toBe(200);
      // A name of 100 characters can have more code points than a search text.
      if (!/[\p{L}\p{N}]/u.test(agent.name) || Array.from(agent.name).length > 200) continue;
      const found = await readJson<Agent[]>(`/api/search?q=${encode(agent.name)}`);
      expect(found).toContainEqual(agent);
    }
  }

  test('no request to a documented operation causes an internal error or an undocumented response', async () => {
    const statuses: Record<string, Set<number>> = {};
    for (const [path, operations] of Object.entries(paths)) {
      for (const [method, operation] of Object.entries(operations)) {
        const seen = (statuses[`${method} ${path}`] = new Set());
        // An agent has so many fields that few random ones are accepted.
        await fc.assert(
          fc.asyncProperty(requestsFor(path, method, operation), async (request) => {
            const answer = await send(app.url, request);
            if (path === endpoints['agents.register'].path) remember(request, answer);
            checkAnswer(path, method, request, answer);
            seen.add(answer.status);
          }),
          method === 'get' ? RUNS : { ...RUNS, numRuns: 3 * RUNS.numRuns },
        );
        // A read cannot change what is stored; the reads are checked together at the end.
        if (method !== 'get') await checkStored();
        // Some attacks must reach the operation itself.
        const success = Object.keys(operation.responses).find((status) => status.startsWith('2'));
        // No attack has the management key of the agent, and only some may try one. Websites are not checked here.
        const refusals = '403' in operation.responses ? [403] : [Number(success)];
        const needsKey = operation.security?.every((scheme) => Object.keys(scheme).length > 0) ?? false;
        const reached = needsKey ? [401, 429] : refusals;
        expect(
          [...seen].some((status) => reached.includes(status)),
          `${method} ${path}`,
        ).toBe(true);
      }
    }
    await checkStored();
    expect(stored.size).toBeGreaterThan(5);
    // It sends thousands of requests, also on a busy machine.
  }, 300_000);

  test('no method and URL cause an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const { status, headers, body } = await send(app.url, request);
        expect(status).toBeLessThan(500);
        expect(body).not.toMatch(INTERNALS);
        expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-request-id': expect.any(String) });
        expect(headers).not.toHaveProperty('x-forged');
        // Too large headers are not read, so the requested format is unknown.
        if (status === 431) return;
        expect(headers['content-security-policy']).toContain("script-src 'self'");
        if (/^\/api\b/.test(request.path ?? '') && status >= 400) checkError(request, { status, headers, body });
        if (request.method === 'HEAD' || status === 304) expect(body).toBe('');
      }),
      RUNS,
    );
    await checkStored();
  });

  test('no bytes cause an internal error or a second response', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        const answer = await sendToEnd(app.url, bytes);
        const statuses = [...answer.matchAll(/HTTP\/1\.1 ([2-9]\d\d)/g)].map(([, status]) => Number(status));
        expect(Math.max(0, ...statuses)).toBeLessThan(500);
        // One for each possible request among them, and one for bytes that are not a request.
        const requests = Buffer.from(bytes).toString('latin1').split('HTTP/1').length - 1;
        expect(statuses.length).toBeLessThanOrEqual(requests + 1);
        expect(answer).not.toMatch(INTERNALS);
        expect(answer).not.toMatch(/^X-Forged/im);
        for (const [, json] of answer.matchAll(/HTTP\/1\.1 201.+?\r\n\r\n(\{.+?\})(?=HTTP|$)/gs)) {
          const agent = JSON.parse(json ?? '') as Agent;
          stored.set(agent.id, agent);
        }
      }),
      RUNS,
    );
    await checkStored();
  });

  test('the log and the metrics contain no text of the attacks', async () => {
    const lines = log.join('').trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(250);
    const routes = new Set<unknown>();
    for (const line of lines) {
      const { level, time, pid, hostname, requestId, msg, route, ...rest } = JSON.parse(line) as Record<
        string,
        unknown
      >;
      expect(Object.keys(rest).filter((key) => !['method', 'status', 'responseTime'].includes(key))).toEqual([]);
      expect([level, time, pid, hostname, requestId, msg].join(' ')).toMatch(/^[\w .:'/-]+$/);
      routes.add(route);
    }
    const text = await metrics.registry.metrics();
    for (const [, route] of text.matchAll(/route="([^"]*)"/g)) expect(routes).toContain(route);
    expect([...routes].filter((route) => !/^[\w/:.*-]+$/.test(String(route)))).toEqual([]);
    expect(routes.size).toBeLessThan(Object.keys(endpoints).length + 8);
  });
});
