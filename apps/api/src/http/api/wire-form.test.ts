import { defaultCategories, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSampleAgents } from '../../agents/load-sample-agents.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

let databases: TestDatabase[];
let apps: TestApp[];

beforeAll(async () => {
  databases = await Promise.all(engines.map(({ open }) => open()));
  apps = await Promise.all(databases.map((database) => startTestApp({ database })));
  const [first, ...others] = apps;
  await loadSampleAgents(first!.agents, defaultCategories);
  // Ids whose order in a locale differs from their order by code point.
  const twins = ['aaaaaaaa-0000-4000-8000-000000000000', 'aaaaaaaa-0000-4000-8000-00000000000a'];
  await first!.agents.load(twins.map((id) => makeAgent({ id, rating: 4.9, reviewCount: 7 })));
  const agents = (await first!.agents.list()) as Agent[];
  for (const app of others) await app.agents.load(agents.toReversed());
});

afterAll(async () => {
  for (const app of apps) await app.close();
  for (const database of databases) await database.remove();
});

test.each([
  '/api/agents',
  '/api/agents?limit=7',
  '/api/agents/category/vision',
  '/api/search?q=otterdesk',
  '/api/agents/aaaaaaaa-0000-4000-8000-00000000000a',
  '/api/stats',
])('%s has the same bytes on every engine', async (path) => {
  const [expected, ...others] = await Promise.all(
    apps.map(async ({ url }) => {
      const response = await fetch(url + path);
      return { status: response.status, link: response.headers.get('link'), body: await response.text() };
    }),
  );
  expect(expected?.status).toBe(200);
  for (const answer of others) expect(answer).toEqual(expected);
});
