// Prints the source files that run for a search and for a registration, as JSON: those of whose functions V8 counts a call.
// A process of its own, since the code that tests transform has further functions.
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { buildApp } from '../app.ts';
import { createChangeStore } from '../changes/change-log.ts';
import { openDatabase } from '../db/open-database.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { createServerStore } from '../servers/server-store.ts';
import { createViewCounter, createViewStore } from '../stats/view-store.ts';
import { createAgentStore } from '../stores.ts';
import { createSourceStore } from '../sync/source-store.ts';

const root = pathToFileURL(join(import.meta.dirname, '../../../../')).href;
const [, , databaseUrl = ''] = process.argv;
const { engine } = await openDatabase(databaseUrl);
const agents = createAgentStore(engine);
await agents.load([makeAgent({ name: 'Otter Translator' })]);
const app = await buildApp({
  agents,
  changes: createChangeStore(engine.db),
  sources: createSourceStore(engine),
  servers: createServerStore(engine.db),
  views: createViewCounter({ store: createViewStore(engine), onError: console.error }),
  rateLimitStore: createRateLimitStore(engine),
  limits: { register: 100, registerGlobal: 100, edit: 100, read: 100, writeBytes: 1_000_000 },
  webDir: import.meta.dirname,
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });

async function search(q: string): Promise<number> {
  return (await fetch(`${url}/api/search?q=${q}&limit=10`)).status;
}

async function register(name: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(makeNewAgent({ name }));
  return (await fetch(`${url}/api/agents`, { method: 'POST', headers, body })).status;
}

// The first requests load and prepare what later ones find ready.
await register('First');
await search('first');
await search('otter');

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

async function listFiles(request: () => Promise<number>): Promise<{ status: number; files: string[] }> {
  // What earlier requests still do does not count.
  await wait(100);
  await session.post('Profiler.takePreciseCoverage');
  const status = await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const run = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
  const files = run
    .filter((script) => script.url.startsWith(root) && !script.url.includes('/node_modules/'))
    .map((script) => script.url.slice(root.length))
    .filter((file) => !file.includes('/testing/'));
  return { status, files: files.toSorted() };
}

const walks = {
  search: await listFiles(() => search('translator')),
  register: await listFiles(() => register('Second')),
};
console.log(JSON.stringify(walks));
await app.close();
await engine.close();
