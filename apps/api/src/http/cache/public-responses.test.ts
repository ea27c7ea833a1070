import { createManagementKey } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { expect, onTestFinished, test } from 'vitest';
import { send, startTestApp, type TestApp, type TestAppOptions } from '../../testing/test-app.ts';

const STRANGER = 'stranger.example';
const PUBLIC_URL = 'https://registry.example';
const SHARED = 'public, max-age=0, must-revalidate, s-maxage=60, stale-while-revalidate=60';
const OWN_HEADERS = ['ratelimit', 'ratelimit-policy', 'x-request-id'];

/** The patterns of all routes that are read, by the tree that the router prints. */
function listRoutes({ app }: TestApp): string[] {
  const parents: string[] = [];
  const lines = app.printRoutes({ commonPrefix: false, method: 'GET' }).split('\n').filter(Boolean);
  return lines.map((line) => {
    const [, indent = '', part = ''] = /^([\s│├└─]*)(.*) \(GET\)$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (parents[depth - 1] ?? '') + part;
    parents[depth] = path;
    return path;
  });
}

/** An address of each route; the router prints two spellings of a name as alternatives. */
function toPaths(routes: readonly string[], id: string): string[] {
  const values: Record<string, string> = {
    id,
    category: 'vision',
    urn: `urn:air:registry.example:agent:${id}`,
    path: 'stats.get',
    part: 'pages',
    version: 'latest',
  };
  const filled = routes.map((route) =>
    route
      .replace(/:name\|:namespace(\/:slug)?/, (_all, slug) =>
        slug ? 'example.registry/agents' : 'example.registry%2Fagents',
      )
      .replace(/:(\w+)(?:\([^)]*\))?/g, (_all, name: string) => values[name] ?? name)
      .replace('/api/search', '/api/search?q=otter')
      .replace(/^\/api\/suggest(?:\/opensearch)?$/, '$&?q=otter')
      .replace('*', 'nowhere'),
  );
  return [...filled, '/?q=otter', '/?category=vision', `/?compare=${id}`, `/?keep=${id}`];
}

/** Starts a registry with an agent; returns it and an address of each of its routes. */
async function start(options: TestAppOptions): Promise<{ app: TestApp; paths: string[] }> {
  const app = await startTestApp({
    withSite: true,
    READ_LIMIT: 10_000,
    SECURITY_CONTACT: 'mailto:x@y.example',
    ...options,
  });
  onTestFinished(() => app.close());
  const connections = [{ kind: 'mcp', transport: 'sse', url: 'https://otter.example.com/mcp' } as const];
  const agent = makeNewAgent({ name: 'Otter', category: 'vision', connections });
  const { id } = (await app.agents.register(agent, { key: createManagementKey() })).agent;
  return { app, paths: toPaths(listRoutes(app), id) };
}

const accepts = ['text/html', 'text/markdown'];

test('without PUBLIC_URL no body that names the host of a request is shared, and none has that of another request', async () => {
  const { app, paths } = await start({});
  const named = new Set<string>();
  for (const path of paths) {
    for (const accept of accepts) {
      // The same twice, since the second one may be cached.
      for (const host of [STRANGER, STRANGER, 'registry.example']) {
        const { body, headers } = await send(app.url + path, { headers: { accept, host } });
        const isNamed = body.includes(host);
        const isShared = /public/.test(headers['cache-control'] ?? '');
        expect({ path, accept, isLeaked: isNamed && isShared }).toEqual({ path, accept, isLeaked: false });
        if (isNamed) named.add(path);
        else expect({ path, accept, host, body }).not.toMatchObject({ body: expect.stringContaining(STRANGER) });
      }
    }
  }
  for (const path of ['/', '/mcp/server-card', '/llms.txt', '/skill.md', '/robots.txt', '/.well-known/security.txt'])
    expect([...named]).toContain(path);
});

test('with PUBLIC_URL an answer that shared caches may serve has nothing of the client that asked first', async () => {
  const { app, paths } = await start({ PUBLIC_URL, SHARED_CACHE_SECONDS: 60 });
  const controls = new Map<string, string | undefined>();
  for (const path of paths) {
    for (const accept of accepts) {
      for (const host of [STRANGER, 'registry.example']) {
        const { body, headers } = await send(app.url + path, { headers: { accept, host } });
        const control = headers['cache-control'];
        controls.set(path, control);
        expect({ path, accept, control }).not.toMatchObject({ control: expect.stringContaining('private') });
        const own = control?.startsWith('public') ? OWN_HEADERS.filter((name) => name in headers) : [];
        expect({ path, accept, own, isNamed: body.includes(STRANGER) }).toEqual({
          path,
          accept,
          own: [],
          isNamed: false,
        });
      }
    }
  }
  for (const [path, control] of controls) {
    if (/badge|picture|feed|sitemap|versions/.test(path)) expect({ path, control }).toEqual({ path, control: SHARED });
  }
});
