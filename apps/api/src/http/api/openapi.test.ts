import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  agentSchema,
  createManagementKey,
  defaultSiteConfig,
  describeConnection,
  endpointDescriptions,
  endpoints,
  filters,
  newAgentSchema,
  OPENAPI_PATH,
  rowOf,
  type Agent,
  type Endpoint,
  type EndpointName,
  TOTAL_BOUND_HEADER,
} from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMemoryRateLimitStore } from '../../rate-limit/rate-limiter.ts';
import type { ConnectionChecks } from '../../connection-checks/connection-checks.ts';
import { createAgentStore } from '../../stores.ts';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { hashKey } from '../../agents/find-owned.ts';
import { DatabaseUnavailableError } from '../../database-error.ts';
import { createAppRouter } from '../../router.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { resolveTestTool } from '../../testing/resolve-test-tool.ts';
import {
  makeFailingStore,
  send,
  sendBytes,
  startTestApp,
  type RawRequest,
  type TestApp,
} from '../../testing/test-app.ts';
import { createOpenApiDocument } from './openapi-document.ts';
import type { Websites } from '../../website-check/check-website.ts';
import { createFileReader } from '../../website-files/read-file.ts';
import { createChallenges } from '../../website-check/website-challenge.ts';
import { runsAll } from '../../testing/tier.ts';

type Schema = {
  $ref?: string;
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
  description?: string;
};
type Content = { content?: Record<string, { schema: Schema; example?: unknown }> };
type Response = Content & { $ref?: string; description: string; headers?: Record<string, { $ref: string }> };
type Operation = {
  tags: string[];
  description: string;
  parameters: { name: string; in: string; required?: boolean; description?: string }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Response>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  tags: { name: string }[];
  components: { schemas: Record<string, Schema>; responses: Record<string, Response>; headers: object };
};

const run = promisify(execFile);

const agent = makeAgent();
const connection = { kind: 'a2a', card: 'https://owner.example/card.json' } as const;
const json = { 'content-type': 'application/json' };

/** Agents with a management key, of which the second is withdrawn before the tests and the third by them. */
const [owned, withdrawn, toWithdraw, toWithdrawLater] = Array.from({ length: 4 }, () =>
  makeAgent({ website: 'https://owner.example', connections: [connection] }),
) as [Agent, Agent, Agent, Agent];
const KEY = createManagementKey();
const authorized = { authorization: `Bearer ${KEY}` };

async function addOwned({ engine }: TestDatabase): Promise<void> {
  await createAgentStore(engine).load([homeless, owned, withdrawn, toWithdraw, toWithdrawLater]);
  const operator = createOperatorStore(engine);
  for (const { id } of [homeless, owned, toWithdraw, toWithdrawLater]) await operator.setKeyHash(id, hashKey(KEY));
  await operator.withdraw({ ids: new Set([withdrawn.id]) });
}

const LARGE = 'x'.repeat(70_000);

/** Requests of an owner that lead to each status but those of the body. */
function ownersRequests(request: RawRequest, toPath: (id: string) => string, id = owned.id): RawRequest[] {
  const right = { ...request, path: toPath(id), headers: { ...request.headers, ...authorized } };
  return [
    right,
    { ...right, path: toPath('1') },
    { ...right, path: toPath(owned.id), headers: request.headers },
    { ...right, path: toPath(randomUUID()) },
    { ...right, path: toPath(withdrawn.id) },
    { ...right, path: toPath(owned.id), headers: { ...right.headers, 'if-match': '"other"' } },
    {
      ...right,
      path: toPath(owned.id),
      headers: { ...right.headers, ...json, 'content-length': '70000' },
      body: LARGE,
    },
    {
      ...right,
      path: toPath(owned.id),
      headers: { ...right.headers, 'content-type': 'text/plain', 'content-length': '1' },
      body: 'x',
    },
  ];
}

/** An agent without a website and without connections. */
const homeless = makeAgent({ website: null });

/** Requests for a claim by way of a website that lead to each status but those of checks that are off. */
function claimRequests(step: string): RawRequest[] {
  const request = { method: 'POST', headers: { 'management-key': KEY } };
  const toPath = (id: string) => `/api/agents/${id}/${step}`;
  return [
    { ...request, path: toPath(owned.id) },
    { ...request, path: toPath(owned.id), headers: {} },
    { ...request, path: toPath(randomUUID()) },
    { ...request, path: toPath(withdrawn.id) },
    { ...request, path: toPath(homeless.id) },
    {
      ...request,
      path: toPath(owned.id),
      headers: { ...request.headers, ...json, 'content-length': '70000' },
      body: LARGE,
    },
    { ...request, path: toPath(owned.id), headers: { ...request.headers, 'content-type': 'text/plain' }, body: 'x' },
  ];
}

/** Checks of websites that find every challenge. */
const websites: Websites = {
  secret: Buffer.from('secret'),
  sharedHosts: [],
  readDomainKeys: async () => [],
  challenges: createChallenges(Buffer.from('secret')),
  checkWebsite: async () => 'page',
  readFile: createFileReader(),
  fetch: async ({ hostname }) => {
    const status = hostname === 'owner.example' ? 200 : 404;
    return { status, type: 'text/html', text: '<title>Front Desk</title>', isChallenge: false, headers: {} };
  },
};

/** Connections that all answered. */
const facts = { result: 'answered', tools: null, reason: '', checkedAt: agent.createdAt } as const;
const connectionChecks = {
  store: {
    ofAgent: async () => [{ ...facts, address: describeConnection(connection) }],
    offersOf: async () => [],
    sync: async () => {},
    claim: async () => [],
  },
  rateLimitStore: createMemoryRateLimitStore(),
} as unknown as ConnectionChecks;

function makeBody(name: string): string {
  return JSON.stringify(makeNewAgent({ name }));
}

const pageParameters = ['after? in query', 'before? in query', 'limit? in query', 'position? in query'];
const filterParameters = filters.map(({ name }) => `${name}? in query`);
const listParameters = [...filterParameters, 'sort? in query'];

/** The parameters of each call, `?` after optional parameters. */
const parameters: Record<EndpointName, string[]> = {
  'agents.list': [...pageParameters, ...listParameters, 'website? in query'].toSorted(),
  'agents.byCategory': [...pageParameters, ...listParameters, 'category in path'].toSorted(),
  'agents.search': [...pageParameters, ...listParameters, 'correct? in query', 'q in query'].toSorted(),
  'agents.suggest': ['q in query'],
  'agents.facets': [...filterParameters, 'category? in query', 'correct? in query', 'q? in query'],
  'agents.get': ['id in path'],
  'agents.register': ['Idempotency-Key? in header', 'Management-Key? in header'],
  'agents.update': ['If-Match? in header', 'id in path'],
  'agents.withdraw': ['If-Match? in header', 'id in path'],
  'agents.takeBack': ['If-Match? in header', 'id in path'],
  'agents.replaceKey': ['If-Match? in header', 'Management-Key in header', 'id in path'],
  'agents.challenge': ['Management-Key in header', 'id in path'],
  'agents.claim': ['Management-Key in header', 'id in path'],
  'agents.report': ['id in path'],
  'agents.history': ['id in path'],
  'agents.facts': ['id in path'],
  'agents.checkConnections': ['id in path'],
  'changes.list': ['after? in query', 'include? in query', 'limit? in query'],
  'prefill.read': [],
  'stats.get': [],
};

/** Requests that lead to each status of each call. */
const requests: Record<EndpointName, RawRequest[]> = {
  'agents.list': [{ path: '/api/agents' }, { path: '/api/agents?limit=0' }],
  'agents.byCategory': [{ path: '/api/agents/category/automation' }, { path: '/api/agents/category/robots' }],
  'agents.search': [{ path: '/api/search?q=plain' }, { path: '/api/search' }],
  'agents.suggest': [{ path: '/api/suggest?q=plain' }, { path: '/api/suggest?q=p' }],
  'agents.facets': [{ path: '/api/facets' }, { path: '/api/facets?pricing=cheap' }],
  'agents.get': [
    { path: `/api/agents/${agent.id}` },
    { path: '/api/agents/1' },
    { path: `/api/agents/${randomUUID()}` },
    { path: `/api/agents/${withdrawn.id}` },
    { path: `/api/agents/${owned.id}`, headers: { authorization: `Bearer ${createManagementKey()}` } },
  ],
  'agents.register': [
    { path: '/api/agents', method: 'POST', headers: json, body: makeBody('Plain Agent') },
    { path: '/api/agents', method: 'POST', headers: json, body: '{}' },
    { path: '/api/agents', method: 'POST', headers: { ...json, 'idempotency-key': 'used' }, body: makeBody('Other') },
    { path: '/api/agents', method: 'POST', headers: json, body: 'x'.repeat(70_000) },
    { path: '/api/agents', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  ],
  'agents.update': ownersRequests(
    { method: 'PATCH', headers: json, body: '{"name":"Renamed"}' },
    (id) => `/api/agents/${id}`,
  ),
  'agents.withdraw': ownersRequests({ method: 'DELETE' }, (id) => `/api/agents/${id}`, toWithdraw.id),
  'agents.takeBack': ownersRequests({ method: 'DELETE' }, (id) => `/api/agents/${id}/proposal`),
  'agents.replaceKey': ownersRequests(
    { method: 'POST', headers: { 'management-key': KEY } },
    (id) => `/api/agents/${id}/management-key`,
  ),
  'agents.challenge': claimRequests('website-challenge'),
  'agents.claim': claimRequests('website-claim'),
  'agents.report': [
    ...[owned.id, '1', randomUUID(), withdrawn.id].map((id) => ({
      path: `/api/agents/${id}/reports`,
      method: 'POST',
      headers: json,
      body: '{"reason":"spam"}',
    })),
    { path: `/api/agents/${owned.id}/reports`, method: 'POST', headers: json, body: LARGE },
    { path: `/api/agents/${owned.id}/reports`, method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  ],
  'agents.history': [
    { path: `/api/agents/${agent.id}/history` },
    { path: '/api/agents/1/history' },
    { path: `/api/agents/${randomUUID()}/history` },
    { path: `/api/agents/${withdrawn.id}/history` },
  ],
  'agents.facts': [
    { path: `/api/agents/${agent.id}/facts` },
    { path: `/api/agents/${owned.id}/facts`, headers: { authorization: `Bearer ${createManagementKey()}` } },
    { path: '/api/agents/1/facts' },
    { path: `/api/agents/${randomUUID()}/facts` },
    { path: `/api/agents/${withdrawn.id}/facts` },
  ],
  'agents.checkConnections': [
    ...ownersRequests({ path: '', method: 'POST' }, (id) => `/api/agents/${id}/connection-check`),
    { path: `/api/agents/${homeless.id}/connection-check`, method: 'POST', headers: authorized },
  ],
  'changes.list': [
    { path: '/api/changes?include=agents' },
    { path: '/api/changes?limit=0' },
    { path: '/api/changes?after=AAAAAAAAAAAA.1' },
  ],
  'prefill.read': [
    ...['{"url":"https://owner.example"}', '{"url":"https://nothing.example"}', '{}', LARGE].map((body) => ({
      path: '/api/prefill',
      method: 'POST',
      headers: json,
      body,
    })),
    { path: '/api/prefill', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  ],
  'stats.get': [{ path: '/api/stats' }],
};

/** Requests whose responses have every header of the call. */
const requestsForHeaders: Partial<Record<EndpointName, RawRequest>> = {
  'agents.list': { path: '/api/agents?limit=1&position=true' },
  'agents.byCategory': { path: '/api/agents/category/automation?limit=1&position=true' },
  'agents.search': { path: '/api/search?q=xylophnoe%20-zebra&limit=1&position=true' },
};

/** Requests whose responses have the body of the call, where the first request can be sent once only. */
const requestsForBody: Partial<Record<EndpointName, RawRequest>> = {
  'agents.withdraw': { method: 'DELETE', path: `/api/agents/${toWithdrawLater.id}`, headers: authorized },
};

let databases: TestDatabase[];

let app: TestApp;
/** An application whose response cache is empty. */
let freshApp: TestApp;
let failingApp: TestApp;
let cutOffApp: TestApp;
/** An application whose rate limits are used up. */
let limitedApp: TestApp;
/** An application that does not check websites. */
let uncheckedApp: TestApp;
/** An application that holds registrations. */
let heldApp: TestApp;
/** An application with the shortest timeouts. */
let hastyApp: TestApp;
/** Its responses to an incomplete request for each call. */
let answersToHalf: Promise<Record<EndpointName, string>>;
let document: Document;

beforeAll(async () => {
  databases = [await engines[0].open(), await engines[0].open()];
  for (const database of databases) await addOwned(database);
  app = await startTestApp({ database: databases[0]!, websites, connectionChecks });
  await app.agents.load([agent]);
  await app.agents.registerOnce('used', makeNewAgent());
  const { agent: held } = await app.agents.register(makeNewAgent(), { key: KEY, isHeld: true });
  const heldRequest = { path: `/api/agents/${held.id}`, headers: authorized };
  requests['agents.get'].push(heldRequest);
  requests['agents.update'].push({ ...heldRequest, method: 'PATCH', headers: { ...json, ...authorized }, body: '{}' });
  requests['agents.takeBack'].push({ ...heldRequest, method: 'DELETE', path: `${heldRequest.path}/proposal` });
  [failingApp, cutOffApp] = await Promise.all(
    [makeFailingStore(), makeFailingStore(new DatabaseUnavailableError('It is away.'))].map((store) =>
      startTestApp({
        agents: store,
        viewStore: store,
        rateLimitStore: { increment: () => store.count() as Promise<never> },
        websites,
        connectionChecks,
      }),
    ) as [Promise<TestApp>, Promise<TestApp>],
  );
  limitedApp = await startTestApp({ READ_LIMIT: 1, REGISTER_LIMIT: 1, editLimit: 1 });
  await send(limitedApp.url, requests['stats.get'][0]);
  await send(limitedApp.url, requests['agents.register'][0]);
  await send(limitedApp.url, requests['agents.update'][0]);
  await send(limitedApp.url, requests['agents.report'][0]);
  for (let count = 0; count < 10; count += 1) await send(limitedApp.url, requests['prefill.read'][0]);
  const limits = { READ_LIMIT: 100, REGISTER_LIMIT: 100, editLimit: 100 };
  freshApp = await startTestApp({ database: databases[1]!, websites, connectionChecks, ...limits });
  await freshApp.agents.load([agent, ...Array.from({ length: 2 }, () => makeAgent({ name: 'Xylophone' }))]);
  uncheckedApp = await startTestApp({ database: databases[0]! });
  heldApp = await startTestApp({ database: databases[0]!, REGISTRATION: 'held' });
  hastyApp = await startTestApp({ headersTimeout: 1, requestTimeout: 1, keepAliveTimeout: 1 });
  answersToHalf = sendHalves();
  document = (await (await fetch(app.url + OPENAPI_PATH)).json()) as Document;
});

async function sendHalves(): Promise<Record<EndpointName, string>> {
  const answers = Object.entries(endpoints).map(async ([name, { method, path }]) => [
    name,
    await sendBytes(hastyApp.url, `${method} ${path} HTTP/1.1\r\n`),
  ]);
  return Object.fromEntries(await Promise.all(answers)) as Record<EndpointName, string>;
}

afterAll(async () => {
  await app.close();
  await freshApp.close();
  await failingApp.close();
  await cutOffApp.close();
  await limitedApp.close();
  await uncheckedApp.close();
  await heldApp.close();
  await hastyApp.close();
  for (const database of databases) await database.remove();
});

test('the document is OpenAPI 3.1, as JSON', async () => {
  const { status, headers } = await fetch(app.url + OPENAPI_PATH);
  // The document does not depend on agents.
  expect(headers.get('last-modified')).toBeNull();
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(document.openapi).toMatch(/^3\.1\.\d$/);
});

test('the document describes exactly the endpoints', () => {
  const told = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(told.toSorted()).toEqual(
    Object.values(endpoints)
      .map(({ method, path }) => `${method} ${path}`)
      .toSorted(),
  );
});

test('every reference in the document leads somewhere', () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!);
  expect(references).not.toEqual([]);
  for (const path of references) expect(document).toHaveProperty(path.split('/'));
});

test('the document has a licence, security for owners only, and its tags are those of the operations', () => {
  expect(document).toMatchObject({ info: { license: { identifier: 'MIT' } }, security: [] });
  const used = Object.values(document.paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags));
  expect([...new Set(used)].toSorted()).toEqual(document.tags.map(({ name }) => name).toSorted());
});

test('everything that clients send or get is a named component, and only bodies of requests are closed', () => {
  // A schema in it, too: no object of a response is closed.
  const isClosed = (schema: Schema) => JSON.stringify(schema).includes('"additionalProperties":false');
  expect(Object.entries(document.components.schemas).map(([name, schema]) => [name, isClosed(schema)])).toEqual([
    ['NewConnectionInput', false],
    ['PackageArgument', false],
    ['Connection', false],
    ['ConnectionInput', false],
    ['Agent', false],
    ['Facets', false],
    ['HistoryEntry', false],
    ['FieldChange', false],
    ['ToolsChange', false],
    ['Suggestions', false],
    ['SuggestedAgent', false],
    ['SuggestedCategory', false],
    ['WebsiteChallenge', false],
    ['Report', false],
    ['EntryFacts', false],
    ['DayViews', false],
    ['EntrySource', false],
    ['NamedEntry', false],
    ['ConnectionFacts', false],
    ['OfferFacts', false],
    ['Tool', false],
    ['CardFacts', false],
    ['ServerFacts', false],
    ['Changes', false],
    ['Change', false],
    ['FollowedAgent', false],
    ['Prefill', false],
    ['PrefilledField', false],
    ['Stats', false],
    ['NewConnection', false],
    ['Problem', false],
    ['NewAgent', true],
    ['AgentPatch', true],
    ['KeyClaim', true],
    ['NewReport', true],
    ['PrefillRequest', true],
  ]);
});

test('every text that clients send has the bounds that are checked', () => {
  const isBounded = (schema: object) =>
    ['maxLength', 'enum', 'format', 'pattern', 'const'].some((keyword) => keyword in schema);
  const listTexts = (schema: Schema | undefined, path: string): string[] => {
    if (!schema) return [];
    const inner = schema as Schema & { anyOf?: Schema[]; oneOf?: Schema[] };
    const parts = [...(inner.anyOf ?? []), ...(inner.oneOf ?? [])];
    const isText = [schema.type].flat().includes('string') && !isBounded(schema);
    return [
      ...(isText ? [path] : []),
      ...parts.flatMap((part) => listTexts(part, path)),
      ...listTexts(schema.items, path),
      ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => listTexts(part, `${path}.${name}`)),
    ];
  };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const parameters = operations.flatMap((operation) => operation.parameters ?? []) as {
    name: string;
    in: string;
    schema: Schema;
  }[];
  const unbounded = parameters
    .filter((parameter) => parameter.in === 'query')
    .flatMap(({ name, schema }) => listTexts(schema, name));
  const bodies = operations.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}));
  const named = bodies.map(({ schema }) => (schema.$ref ?? '').split('/').at(-1) ?? '');
  unbounded.push(...named.flatMap((name) => listTexts(document.components.schemas[name], name)));
  // Cursors are what the registry gave.
  expect([...new Set(unbounded)].filter((path) => !['after', 'before'].includes(path))).toEqual([]);
});

test('fields of agents, registrations, figures and problems are described', () => {
  const undescribed = Object.entries(document.components.schemas).flatMap(([name, { description, properties }]) => [
    ...(description ? [] : [name]),
    ...Object.entries(properties ?? {}).flatMap(([field, property]) =>
      property.description ? [] : [`${name}.${field}`],
    ),
  ]);
  expect(undescribed).toEqual([]);
});

test.runIf(runsAll)(
  'redocly lint finds nothing',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agent-registry-openapi-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
    // /api/agents/category/{category} and /api/agents/{id}/management-key have different methods, and no id is `category`.
    const redocly = resolveTestTool('@redocly/cli/bin/cli.js');
    const { stdout } = await run(
      process.execPath,
      [redocly, 'lint', '--format=json', '--skip-rule=no-ambiguous-paths', 'openapi.json'],
      {
        cwd: folder,
        env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0, ignored: 0 }, problems: [] });
  },
  30_000,
);

/** Resolves a schema that is a reference. */
function resolve(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

/** Resolves a response that is a reference. */
function resolveResponse(response: Response): Response {
  const name = response.$ref?.split('/').at(-1);
  return name === undefined ? response : document.components.responses[name]!;
}

describe.each(Object.keys(endpoints) as EndpointName[])('%s', (name) => {
  const { method, path } = endpoints[name];
  const { status = 200 } = endpointDescriptions[name];
  const operation = () => document.paths[path]![method.toLowerCase()]!;
  const schemaOf = ({ content }: Content) => resolve(content?.['application/json']?.schema);

  test('has a route at the documented path', () => {
    expect(app.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true);
  });

  test('has the documented parameters', () => {
    const told = operation().parameters.map(
      (parameter) => `${parameter.name}${parameter.required ? '' : '?'} in ${parameter.in}`,
    );
    const common = method === 'GET' ? ['If-None-Match? in header'] : [];
    expect(told.toSorted()).toEqual([...common, ...parameters[name]].toSorted());
    expect(operation().parameters.filter(({ description }) => !description)).toEqual([]);
  });

  test('sends the documented statuses', async () => {
    const [right] = requests[name];
    const answers = [];
    for (const { url } of [failingApp, cutOffApp, limitedApp]) answers.push(await send(url, right));
    if (['agents.challenge', 'agents.claim', 'agents.checkConnections', 'prefill.read'].includes(name))
      answers.push(await send(uncheckedApp.url, right));
    if (name === 'agents.register') answers.push(await send(heldApp.url, right));
    for (const request of requests[name]) answers.push(await send(app.url, request));
    answers.push(
      await send(app.url, { ...right, path: `${right?.path}?${'x'.repeat(9_000)}` }),
      await send(app.url, { ...right, headers: { ...right?.headers, expect: 'more' } }),
      await send(app.url, { ...right, headers: { ...right?.headers, 'x-large': 'x'.repeat(20_000) } }),
    );
    if (method === 'GET') {
      const { etag = '' } = (await send(app.url, right)).headers;
      answers.push(await send(app.url, { ...right, headers: { 'if-none-match': etag } }));
    }
    const withoutHost = `${method} ${right?.path} HTTP/1.1\r\nConnection: close\r\n\r\n`;
    const raw = [await sendBytes(app.url, withoutHost), (await answersToHalf)[name]];
    const statuses = [
      ...answers.map(({ status }) => String(status)),
      ...raw.map((answer) => answer.split(' ')[1] ?? ''),
    ];
    expect([...new Set(statuses)].toSorted()).toEqual(Object.keys(operation().responses).toSorted());
  });

  test('sends the documented headers', async () => {
    const known = Object.keys(document.components.headers);
    const answers = [
      [status, await send(freshApp.url, requestsForHeaders[name] ?? requests[name][0])],
      [429, await send(limitedApp.url, requests[name][0])],
      [503, await send(cutOffApp.url, requests[name][0])],
    ] as const;
    for (const [code, { status, headers }] of answers) {
      expect(status).toBe(code);
      const told = Object.keys(resolveResponse(operation().responses[code]!).headers ?? {});
      const sent = known.filter((header) => headers[header.toLowerCase()] !== undefined);
      // Only with more results than a test has.
      const always = told.filter((header) => header !== TOTAL_BOUND_HEADER);
      expect({ code, headers: sent.toSorted() }).toEqual({ code, headers: always.toSorted() });
    }
  });

  test('sends the documented body to a valid request', async () => {
    const answer: unknown = JSON.parse((await send(app.url, requestsForBody[name] ?? requests[name][0])).body);
    const schema = schemaOf(operation().responses[status]!);
    expect(schema?.type).toBe(Array.isArray(answer) ? 'array' : 'object');
    const [whole, told] = Array.isArray(answer) ? [answer[0], resolve(schema?.items)] : [answer, schema];
    const fields = Object.keys(told?.properties ?? {});
    const isAlwaysSent = (field: string) =>
      !rowOf(field)?.isOptional &&
      ![
        'viewsByDay',
        'besides',
        'connectionsChangedAt',
        'connectionsHash',
        'sources',
        'server',
        'totalBound',
        'left',
        'offers',
        'tools',
      ].includes(field);
    const sent = Object.keys(whole as object).filter(isAlwaysSent);
    expect(fields.filter(isAlwaysSent).toSorted()).toEqual(sent.toSorted());
    expect(told?.required?.toSorted()).toEqual(sent.toSorted());
    const example = operation().responses[status]!.content?.['application/json']?.example;
    expect(Object.keys([example].flat()[0] as object)).toEqual(fields);
  });

  test('documents errors as a sentence or problem details', () => {
    for (const [code, response] of Object.entries(operation().responses)) {
      if (Number(code) < 400) continue;
      expect(Object.keys(resolveResponse(response).content ?? {})).toEqual(['text/plain', 'application/problem+json']);
    }
  });

  test('documents its request body', () => {
    const { requestBody } = operation();
    expect(requestBody !== undefined).toBe('hasBody' in endpoints[name]);
    if (!requestBody) return;
    const schema = schemaOf(requestBody);
    expect(requestBody.required ?? false).toBe((endpoints[name] as Endpoint).hasBody === true);
    const bodies: Partial<Record<EndpointName, string[]>> = {
      'agents.claim': ['domain', 'method', 'challenge', 'signature'],
      'agents.report': ['reason', 'text'],
      'prefill.read': ['url'],
    };
    const fields = bodies[name] ?? Object.keys(newAgentSchema.shape);
    expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(fields.toSorted());
    const required = {
      'agents.register': ['category', 'contactEmail', 'description', 'name'],
      'agents.report': ['reason'],
      'prefill.read': ['url'],
    };
    expect(schema?.required?.toSorted()).toEqual(required[name as keyof typeof required]);
  });
});

test('with PUBLIC_URL the document names its server, and without it that of the document', () => {
  const router = createAppRouter(defaultSiteConfig.categories);
  const options = { router, siteConfig: defaultSiteConfig, publicContact: 'everywhere' } as const;
  expect(createOpenApiDocument(options).servers).toEqual([{ url: '/' }]);
  const publicUrl = 'https://registry.example';
  expect(createOpenApiDocument({ ...options, publicUrl }).servers).toEqual([{ url: publicUrl }]);
});

test('generating the document does not change the schemas', () => {
  expect(newAgentSchema.safeParse({ ...makeNewAgent(), name: 5 }).success).toBe(false);
  expect(agentSchema.safeParse({ ...agent, rating: '5' }).success).toBe(false);
});
