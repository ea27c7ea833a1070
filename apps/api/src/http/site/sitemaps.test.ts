import { createManagementKey, defaultSiteConfig } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { createAgentStore, type AgentStore } from '../../stores.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { registerResponseCache } from '../cache/response-cache.ts';
import { trackConnections } from '../plugins/connection.ts';
import { registerDeadline } from '../plugins/create-server.ts';
import { registerErrorHandler } from '../plugins/error-handler.ts';
import { defaultSlowClientLimits, registerSlowClients } from '../plugins/slow-clients.ts';
import { registerSitemaps } from './sitemaps.ts';

const MAX_SIZE = 4;
const KEY = createManagementKey();

/** When agents were listed: six together, and the last of a month before the first of the next. */
const listings = [
  ...Array.from({ length: 6 }, () => '2026-01-05T10:00:00.000Z'),
  '2026-01-31T23:59:59.999Z',
  '2026-02-01T00:00:00.000Z',
  '2026-02-03T00:00:00.000Z',
  '2026-03-01T00:00:00.000Z',
];

describe.each(engines)('a sitemap that would be too long, on $name', ({ open }) => {
  let database: TestDatabase;
  let app: FastifyInstance;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    app = Fastify();
    const connections = trackConnections(app.server);
    registerErrorHandler(app, connections, { charge: async () => {}, consume: async () => ({}) });
    registerSlowClients(app, connections, defaultSlowClientLimits);
    registerDeadline(app, 5_000);
    registerSitemaps(app, {
      siteConfig: defaultSiteConfig,
      agents: store,
      toOrigin: () => 'https://registry.example',
      maxSitemapSize: MAX_SIZE,
      cache: registerResponseCache(app, { maxSize: 1_000_000, onView: () => {} }),
      readVersion: () => store.version(),
    });
  });

  beforeEach(async () => {
    await database.empty();
    for (const [index, at] of listings.entries()) {
      const { agent } = await store.register(makeNewAgent({ name: `Agent ${index}` }), { key: KEY });
      await setListed(agent.id, at);
    }
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  const setListed = (id: string, at: string) =>
    database.engine.db.updateTable('agents').set({ listed_at: at, changed_at: at }).where('id', '=', id).execute();

  async function read(path: string) {
    const { statusCode, body, headers } = await app.inject(path);
    expect({ path, statusCode }).toEqual({ path, statusCode: 200 });
    return { body, etag: String(headers.etag) };
  }

  /** The parts in the order of the index, each with its time, its ETag and the ids of its agents. */
  async function readParts() {
    const { body } = await read('/sitemap.xml');
    const items = body.matchAll(
      /<sitemap><loc>https:\/\/registry\.example(.*?)<\/loc><lastmod>(.*?)<\/lastmod><\/sitemap>/g,
    );
    const parts: { path: string; time: string; etag: string; ids: string[] }[] = [];
    for (const [, path = '', time = ''] of items) {
      const part = await read(path);
      const ids = Array.from(part.body.matchAll(/\/agent\/(.*?)<\/loc>/g), ([, id = '']) => id);
      parts.push({ path, time, etag: part.etag, ids });
    }
    return parts;
  }

  /** The parts of agents that are no longer the same. */
  async function listChanged(parts: Awaited<ReturnType<typeof readParts>>): Promise<string[]> {
    const changed: string[] = [];
    for (const { path, etag } of parts.slice(1)) {
      const { statusCode } = await app.inject({ url: path, headers: { 'if-none-match': etag } });
      if (statusCode !== 304) changed.push(path);
    }
    return changed;
  }

  test('is an index of a part for each month, or several, that list every agent once', async () => {
    const parts = await readParts();
    expect(parts.map(({ path, ids }) => [path, ids.length])).toEqual([
      ['/sitemap-pages.xml', 0],
      ['/sitemap-2026-01-1.xml', 4],
      ['/sitemap-2026-01-2.xml', 3],
      ['/sitemap-2026-02-1.xml', 2],
      ['/sitemap-2026-03-1.xml', 1],
    ]);
    expect(parts.slice(1).map(({ time }) => time)).toEqual([0, 6, 8, 9].map((index) => listings[index]));
    expect(parts[0]?.time).toBe(await store.lastChange());
    const listed = (await store.list()).map(({ id }) => id);
    expect(parts.flatMap(({ ids }) => ids).toSorted()).toEqual(listed.toSorted());
    const { body: pages } = await read('/sitemap-pages.xml');
    expect(pages.match(/<url>/g)).toHaveLength(7);
  });

  test('changes in one part with a registration, an edit or a removal', async () => {
    const parts = await readParts();
    const [, january, , february] = parts;
    const { agent } = await store.register(makeNewAgent());
    const month = new Date().toISOString().slice(0, 7);
    expect(await listChanged(parts)).toEqual([]);
    expect(await readParts()).toContainEqual(
      expect.objectContaining({ path: `/sitemap-${month}-1.xml`, ids: [agent.id] }),
    );

    const edited = february?.ids[0] ?? '';
    await store.update(edited, { key: KEY }, { description: 'Edited.' });
    expect(await listChanged(parts)).toEqual([february?.path]);
    const now = await readParts();
    expect(now[3]).toMatchObject({ path: february?.path, ids: february?.ids });
    expect(now[3]?.time.slice(0, 7)).toBe(month);
    expect([now[1]?.time, now[2]?.time]).toEqual([parts[1]?.time, parts[2]?.time]);

    await createOperatorStore(database.engine).hide({ ids: new Set(january?.ids.slice(0, 1)) }, 'spam');
    expect(await listChanged(now)).toEqual(['/sitemap-2026-01-1.xml', '/sitemap-2026-01-2.xml']);
    const left = (await readParts()).flatMap(({ ids }) => ids);
    expect(left).not.toContain(january?.ids[0]);
    expect(left).toHaveLength(listings.length);
  });

  test.each(['2026-01-0', '2026-01-3', '2026-01', '2026-04-1', '2026-13-1', '1', 'x', '2026-01-1-1'])(
    'has no part %s',
    async (part) => {
      expect((await app.inject(`/sitemap-${part}.xml`)).statusCode).toBe(404);
    },
  );

  test('ends with a month whose agents are gone', async () => {
    const [, , , , march] = await readParts();
    await store.withdraw(march?.ids[0] ?? '', { key: KEY });
    expect((await app.inject(march?.path ?? '')).statusCode).toBe(404);
    expect((await readParts()).map(({ path }) => path)).not.toContain(march?.path);
  });
});
