import { randomUUID } from 'node:crypto';
import { agentSchema, endpoints, newAgentSchema, OPENAPI_PATH, type EndpointName } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DatabaseUnavailableError } from '../../db/engine.ts';
import {
  makeFailingStore,
  send,
  sendBytes,
  startTestApp,
  type RawRequest,
  type TestApp,
} from '../../testing/test-app.ts';

type Schema = { $ref?: string; type?: string; required?: string[]; properties?: object; items?: Schema };
type Content = { content?: Record<string, { schema: Schema }> };
type Operation = {
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};
type Document = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const agent = makeAgent();
const json = { 'content-type': 'application/json' };

function makeBody(name: string): string {
  return JSON.stringify(makeNewAgent({ name }));
}

const pageParameters = ['after? in query', 'before? in query', 'limit? in query', 'position? in query'];
const listParameters = ['apiAccess? in query', 'pricing? in query', 'sort? in query'];

/** The parameters of each call, `?` after optional parameters. */
const parameters: Record<EndpointName, string[]> = {
  'agents.list': [...pageParameters, ...listParameters].toSorted(),
  'agents.byCategory': [...pageParameters, ...listParameters, 'category in path'].toSorted(),
  'agents.search': [...pageParameters, ...listParameters, 'q in query'].toSorted(),
  'agents.facets': ['apiAccess? in query', 'category? in query', 'pricing? in query', 'q? in query'],
  'agents.get': ['id in path'],
  'agents.register': ['Idempotency-Key? in header'],
  'stats.get': [],
};

/** Requests that lead to each status of each call. */
const requests: Record<EndpointName, RawRequest[]> = {
  'agents.list': [{ path: '/api/agents' }, { path: '/api/agents?limit=0' }],
  'agents.byCategory': [{ path: '/api/agents/category/automation' }, { path: '/api/agents/category/robots' }],
  'agents.search': [{ path: '/api/search?q=plain' }, { path: '/api/search' }],
  'agents.facets': [{ path: '/api/facets' }, { path: '/api/facets?pricing=cheap' }],
  'agents.get': [
    { path: `/api/agents/${agent.id}` },
    { path: '/api/agents/1' },
    { path: `/api/agents/${randomUUID()}` },
  ],
  'agents.register': [
    { path: '/api/agents', method: 'POST', headers: json, body: makeBody('Plain Agent') },
    { path: '/api/agents', method: 'POST', headers: json, body: '{}' },
    { path: '/api/agents', method: 'POST', headers: { ...json, 'idempotency-key': 'used' }, body: makeBody('Other') },
    { path: '/api/agents', method: 'POST', headers: json, body: 'x'.repeat(70_000) },
    { path: '/api/agents', method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' },
  ],
  'stats.get': [{ path: '/api/stats' }],
};

let app: TestApp;
let failingApp: TestApp;
let cutOffApp: TestApp;
/** An application whose rate limits are used up. */
let limitedApp: TestApp;
/** An application with the shortest timeouts. */
let hastyApp: TestApp;
/** Its responses to an incomplete request for each call. */
let answersToHalf: Promise<Record<EndpointName, string>>;
let document: Document;

beforeAll(async () => {
  app = await startTestApp();
  await app.agents.load([agent]);
  await app.agents.registerOnce('used', makeNewAgent());
  [failingApp, cutOffApp] = await Promise.all(
    [makeFailingStore(), makeFailingStore(new DatabaseUnavailableError('It is away.'))].map((store) =>
      startTestApp({ agents: store, viewStore: store }),
    ) as [Promise<TestApp>, Promise<TestApp>],
  );
  limitedApp = await startTestApp({ limits: { read: 1, register: 1 } });
  await send(limitedApp.url, requests['stats.get'][0]);
  await send(limitedApp.url, requests['agents.register'][0]);
  hastyApp = await startTestApp({ timeouts: { headers: 1, request: 1, connection: 60_000, keepAlive: 1 } });
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
  await failingApp.close();
  await cutOffApp.close();
  await limitedApp.close();
  await hastyApp.close();
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

/** Resolves a schema that is a reference. */
function resolve(schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name === undefined ? schema : document.components.schemas[name];
}

describe.each(Object.keys(endpoints) as EndpointName[])('%s', (name) => {
  const { method, path, status } = endpoints[name];
  const operation = () => document.paths[path]![method.toLowerCase()]!;
  const schemaOf = ({ content }: Content) => resolve(content?.['application/json']?.schema);

  test('has a route at the documented path', () => {
    expect(app.app.hasRoute({ method, url: path.replaceAll(/\{(\w+)\}/g, ':$1') })).toBe(true);
  });

  test('has the documented parameters', () => {
    const told = (operation().parameters ?? []).map(
      (parameter) => `${parameter.name}${parameter.required ? '' : '?'} in ${parameter.in}`,
    );
    expect(told.toSorted()).toEqual(parameters[name]);
  });

  test('sends the documented statuses', async () => {
    const [right] = requests[name];
    const answers = [];
    for (const { url } of [failingApp, cutOffApp, limitedApp]) answers.push(await send(url, right));
    for (const request of requests[name]) answers.push(await send(app.url, request));
    answers.push(
      await send(app.url, { ...right, path: `${right?.path}?${'x'.repeat(9_000)}` }),
      await send(app.url, { ...right, headers: { ...right?.headers, expect: 'more' } }),
      await send(app.url, { ...right, headers: { ...right?.headers, 'x-large': 'x'.repeat(20_000) } }),
    );
    const withoutHost = `${method} ${right?.path} HTTP/1.1\r\nConnection: close\r\n\r\n`;
    const raw = [await sendBytes(app.url, withoutHost), (await answersToHalf)[name]];
    const statuses = [
      ...answers.map(({ status }) => String(status)),
      ...raw.map((answer) => answer.split(' ')[1] ?? ''),
    ];
    expect([...new Set(statuses)].toSorted()).toEqual(Object.keys(operation().responses).toSorted());
  });

  test('sends the documented body to a valid request', async () => {
    const answer: unknown = JSON.parse((await send(app.url, requests[name][0])).body);
    const schema = schemaOf(operation().responses[status]!);
    expect(schema?.type).toBe(Array.isArray(answer) ? 'array' : 'object');
    const [whole, told] = Array.isArray(answer) ? [answer[0], resolve(schema?.items)] : [answer, schema];
    expect(Object.keys(told?.properties ?? {}).toSorted()).toEqual(Object.keys(whole as object).toSorted());
  });

  test('documents errors as a sentence or problem details', () => {
    for (const [code, response] of Object.entries(operation().responses)) {
      if (code === String(status)) continue;
      expect(Object.keys(response.content ?? {})).toEqual(['text/plain', 'application/problem+json']);
    }
  });

  test('documents its request body', () => {
    const { requestBody } = operation();
    expect(requestBody === undefined).toBe(method === 'GET');
    if (!requestBody) return;
    const schema = schemaOf(requestBody);
    expect(requestBody.required).toBe(true);
    expect(Object.keys(schema?.properties ?? {}).toSorted()).toEqual(Object.keys(newAgentSchema.shape).toSorted());
    expect(schema?.required?.toSorted()).toEqual(['category', 'contactEmail', 'description', 'name']);
  });
});

test('generating the document does not change the schemas', () => {
  expect(newAgentSchema.safeParse({ ...makeNewAgent(), name: 5 }).success).toBe(false);
  expect(agentSchema.safeParse({ ...agent, rating: '5' }).success).toBe(false);
});
