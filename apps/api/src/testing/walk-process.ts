// Prints the source files that run for a search and for a registration, as JSON: those of whose functions V8 counts a call.
// A process of its own, since the code that tests transform has further functions.
import { Session } from 'node:inspector/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { buildApp } from '../app.ts';
import { createChangeStore } from '../changes/change-log.ts';
import { openDatabase } from '../db/open-database.ts';
import { createRateLimitStore } from '../rate-limit/rate-limit-store.ts';
import { createPublicationStore } from '../publisher/publication-store.ts';
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
  stores: {
    agents,
    changes: createChangeStore(engine.db),
    sources: createSourceStore(engine),
    servers: createServerStore(engine),
    publications: createPublicationStore(engine),
    views: createViewCounter({ store: createViewStore(engine), onError: console.error }),
  },
  rateLimitStore: createRateLimitStore(engine),
  REGISTER_LIMIT: 100,
  REGISTER_LIMIT_GLOBAL: 100,
  READ_LIMIT: 100,
  webDir: import.meta.dirname,
});
const url = await app.listen({ host: '127.0.0.1', port: 0 });

/** Searches; with another limit the response is not that of the cache. */
async function search(limit: number): Promise<number> {
  return (await fetch(`${url}/api/search?q=translator&limit=${limit}`)).status;
}

async function register(round: number): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify(makeNewAgent({ name: `Otter ${round}` }));
  return (await fetch(`${url}/api/agents`, { method: 'POST', headers, body })).status;
}

// The first requests load and prepare code for later ones.
await register(0);
await search(50);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** The files that run in each of three rounds, so that jobs of the background do not count. */
async function listFiles(request: (round: number) => Promise<number>): Promise<{ status: number; files: string[] }> {
  let status = 0;
  const rounds: Set<string>[] = [];
  for (const round of [1, 2, 3]) {
    await session.post('Profiler.takePreciseCoverage');
    status = await request(round);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const run = result.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0));
    rounds.push(new Set(run.map((script) => script.url)));
  }
  const files = [...(rounds[0] ?? [])]
    .filter((file) => file.startsWith(root) && !/node_modules|\/testing\//.test(file))
    .filter((file) => rounds.every((urls) => urls.has(file)));
  return { status, files: files.map((file) => file.slice(root.length)).toSorted() };
}

console.log(JSON.stringify({ search: await listFiles(search), register: await listFiles(register) }));
await app.close();
await engine.close();
