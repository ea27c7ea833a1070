import { createManagementKey, type Agent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { postJson, startTestApp, type TestApp } from '../../testing/test-app.ts';

const exampleTasks = ['Find me a table for four on Friday.', 'Cancel it, please.'];

describe.each(surfaceEngines)('example tasks on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const key = createManagementKey();
  const register = async (fields: object, headers: Record<string, string> = {}) => {
    const body = { ...makeNewAgent(), ...fields };
    const response = await postJson(`${app.url}/api/agents`, body, { 'management-key': key, ...headers });
    return { status: response.status, agent: (response.ok ? await response.json() : {}) as Partial<Agent> };
  };
  const read = async (path: string) => (await fetch(app.url + path)).json();

  test('are read as they were registered, found by their words, and left out where there are none', async () => {
    const { agent } = await register({ exampleTasks });
    const { agent: bare } = await register({ exampleTasks: [' '] });
    expect(agent).toMatchObject({ exampleTasks });
    expect(bare).not.toHaveProperty('exampleTasks');
    expect(await read(`/api/agents/${agent.id}`)).toEqual(agent);
    expect(await read(`/api/agents/${bare.id}`)).toEqual(bare);
    expect(await read('/api/search?q=friday')).toEqual([agent]);
  });

  test('are changed and removed by their owner, which the history names without their texts', async () => {
    const { agent } = await register({});
    const path = `/api/agents/${agent.id}`;
    const patch = async (fields: object) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
      return (await fetch(app.url + path, { method: 'PATCH', headers, body: JSON.stringify(fields) })).json();
    };
    expect(await patch({ exampleTasks })).toMatchObject({ exampleTasks });
    expect(await patch({ name: 'Another' })).toMatchObject({ exampleTasks });
    for (const none of [[], null]) {
      await patch({ exampleTasks });
      expect(await patch({ exampleTasks: none })).not.toHaveProperty('exampleTasks');
      expect(await read(path)).not.toHaveProperty('exampleTasks');
    }
    const [latest] = (await read(`${path}/history`)) as { fields: object[] }[];
    expect(latest?.fields).toEqual([{ field: 'exampleTasks' }]);
  });

  test('that are empty do not make a repeated registration another one', async () => {
    const headers = { 'idempotency-key': 'tasks' };
    const first = await register({ exampleTasks: [] }, headers);
    expect(await register({ exampleTasks: [] }, headers)).toEqual(first);
    expect(await register({}, headers)).toEqual(first);
    expect(await register({ exampleTasks }, headers)).toMatchObject({ status: 422 });
  });

  test('that are left out make a repeated registration another one', async () => {
    const headers = { 'idempotency-key': 'fewer' };
    await register({ exampleTasks }, headers);
    expect(await register({}, headers)).toMatchObject({ status: 422 });
  });
});
