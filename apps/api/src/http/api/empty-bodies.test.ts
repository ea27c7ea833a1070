import { createManagementKey, endpoints, type Endpoint } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { postJson, send, startTestApp, type TestApp } from '../../testing/test-app.ts';

let app: TestApp;
let agent: { id: string; key: string };

async function register(): Promise<typeof agent> {
  const key = createManagementKey();
  const registered = await postJson(`${app.url}/api/agents`, makeNewAgent(), { 'management-key': key });
  return { ...((await registered.json()) as { id: string }), key };
}

beforeAll(async () => {
  app = await startTestApp();
  agent = await register();
  return () => app.close();
});

const contentTypes = [
  'application/json',
  'application/json; charset=utf-16',
  'application/merge-patch+json',
  'multipart/form-data; boundary=x',
  'text/plain; charset=latin1',
  'json',
  '',
];
const lengths: Record<string, Record<string, string>> = {
  'no length': {},
  'Content-Length: 0': { 'content-length': '0' },
  'an empty chunked body': { 'transfer-encoding': 'chunked' },
  'an empty compressed body': { 'content-length': '0', 'content-encoding': 'gzip' },
};

const calls = Object.entries<Endpoint>(endpoints).map(([name, endpoint]) => ({ name, ...endpoint }));

/** Sends a call with the key of an agent. */
async function sendCall({ name, method, path }: (typeof calls)[number], headers: Record<string, string>) {
  // Other calls change nothing.
  if (['agents.withdraw', 'agents.takeBack', 'agents.replaceKey'].includes(name)) agent = await register();
  const url = app.url + path.replace('{id}', agent.id).replace('{category}', 'vision');
  const query = name === 'agents.search' || name === 'agents.suggest' ? '?q=nothing' : '';
  const newKey = createManagementKey();
  const keys = { authorization: `Bearer ${agent.key}`, 'management-key': newKey };
  const answer = await send(url + query, { method, headers: { connection: 'keep-alive', ...keys, ...headers } });
  if (name === 'agents.replaceKey') agent = { ...agent, key: newKey };
  return { status: answer.status, connection: answer.headers.connection, body: answer.body };
}

describe.each(Object.entries(lengths))('with %s', (_length, headers) => {
  test.each(calls.filter(({ hasBody }) => hasBody !== true))('$name works with any Content-Type', async (call) => {
    // This registry asks and checks no websites.
    const status = ['agents.challenge', 'agents.claim', 'agents.checkConnections'].includes(call.name) ? 403 : 200;
    for (const type of contentTypes) {
      const answer = await sendCall(call, { ...headers, 'content-type': type });
      expect([type, answer]).toMatchObject([type, { status, connection: 'keep-alive' }]);
    }
  });

  test.each(calls.filter(({ hasBody }) => hasBody === true))('$name is refused with a sentence', async (call) => {
    expect(await sendCall(call, { ...headers, 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      body: 'The body is empty; it must be a JSON object.',
    });
  });
});

test.each(calls.filter(({ hasBody, method }) => hasBody !== true && method !== 'GET'))(
  '$name refuses a body that is not JSON',
  async ({ method, path }) => {
    for (const type of ['text/plain', 'json', 'application/merge-patch+json']) {
      const headers = { 'content-type': type, 'content-length': '2' };
      expect(await send(app.url + path.replace('{id}', agent.id), { method, headers, body: '{}' })).toMatchObject({
        status: 415,
        body: 'The body must be JSON, sent with Content-Type: application/json.',
      });
    }
  },
);

test('a tRPC mutation with an empty body gets a sentence', async () => {
  const answer = await send(`${app.url}/trpc/agents.withdraw`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.body)).toMatchObject({ error: { message: expect.stringMatching(/^.+\.$/) } });
});
