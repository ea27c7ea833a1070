import { randomUUID } from 'node:crypto';
import { createManagementKey } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, TEST_PAGE, type TestApp } from '../../testing/test-app.ts';

const ORIGIN = 'https://registry.example';
const agents = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk'].map((name) => makeAgent({ name }));
const ids = agents.map(({ id }) => id).toSorted();
const [a = '', b = '', c = ''] = ids;

describe.each(surfaceEngines)('a comparison, on $name', (engine) => {
  let database: TestDatabase;
  let app: TestApp;
  let renderings = 0;

  beforeAll(async () => {
    database = await engine.open();
    const renderMarkup = async ({ state }: { state: unknown }) => {
      renderings += 1;
      return String(state);
    };
    app = await startTestApp({ database, withSite: true, PUBLIC_URL: ORIGIN, renderMarkup });
    await app.agents.load(agents);
    return async () => {
      await app.close();
      await database.remove();
    };
  });

  const read = async (query: string, accept = 'text/html') => {
    const response = await fetch(`${app.url}/?${query}`, { headers: { accept } });
    return { status: response.status, etag: response.headers.get('etag'), text: await response.text() };
  };
  /** The path that a page is rendered for. */
  const readPath = async (query: string) => JSON.parse((await read(query)).text.replace(TEST_PAGE, '')).url as string;
  const readMarkdown = async (query: string) => {
    const { status, text } = await read(query, 'text/markdown');
    expect(status).toBe(200);
    return text;
  };
  const readNames = async (query: string) =>
    [...(await readMarkdown(query)).matchAll(/^## \[(\w+)\]/gm)].map(([, name]) => name);

  test.each(['text/html', 'text/markdown'])('in every spelling of its ids is one cache entry of %s', async (accept) => {
    const queries = [
      `compare=${c},${a},${b}`,
      `compare=${c}&compare=${a},${b}`,
      `compare=${c.toUpperCase()},,${a},${b},${a}&q=x&category=vision&utm_source=y`,
    ];
    renderings = 0;
    const pages = [];
    for (const query of queries) pages.push(await read(query, accept));
    expect(new Set(pages.map(({ etag }) => etag)).size).toBe(1);
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(renderings).toBe(accept === 'text/html' ? 1 : 0);
  });

  test('of five agents has the first four, in their order', async () => {
    const asked = ids.toReversed();
    const shown = asked.slice(0, 4);
    expect(await readPath(`compare=${asked.join(',')}`)).toBe(`/?compare=${shown.join(',')}`);
    const nameOf = (id: string) => agents.find((agent) => agent.id === id)?.name;
    expect(await readNames(`compare=${asked.join(',')}`)).toEqual(shown.map(nameOf));
  });

  test('names the ids that are unknown, hidden, withdrawn or no ids', async () => {
    const hidden = makeAgent({ name: 'Hidden' });
    await app.agents.load([hidden]);
    await createOperatorStore(database.engine).hide({ ids: new Set([hidden.id]) }, 'spam');
    const key = createManagementKey();
    const { agent: withdrawn } = await app.agents.register(makeNewAgent({ name: 'Withdrawn' }), { key });
    await app.agents.withdraw(withdrawn.id, { key });
    const unknown = randomUUID();
    const query = `compare=${a},${unknown},${hidden.id},${withdrawn.id}`;
    expect((await read(query)).status).toBe(200);
    const text = await readMarkdown(query);
    expect(await readNames(query)).toHaveLength(1);
    for (const line of [
      `No agent has the id ‘${unknown}’.`,
      `No agent has the id ‘${hidden.id}’.`,
      `The agent ${withdrawn.id} was withdrawn.`,
    ]) {
      expect(text.replaceAll('\\', '')).toContain(line);
    }
    expect(text).not.toMatch(/Hidden|Withdrawn/);
    expect((await read('compare=*no*-id,%00')).status).toBe(200);
    expect(await readMarkdown('compare=*no*-id')).toContain('No agent has the id ‘\\*no\\*-id’.');
  });

  test('of nothing is the list', async () => {
    for (const query of ['compare=', 'compare=%00,,%20']) expect(await readPath(query)).toBe('/');
  });

  test('and a shared list is one cache entry in each order of its ids, has at most 50, and counts no views', async () => {
    const spellings = [`keep=${b},${a}`, `keep=${b.toUpperCase()},,${a},${b}&q=x&sort=name`, `keep=${b}&keep=${a}`];
    const pages = await Promise.all(spellings.map((query) => read(query)));
    expect(new Set(pages.map(({ etag }) => etag)).size).toBe(1);
    expect(await readPath(spellings[1]!)).toBe(`/?keep=${b},${a}`);
    expect(await readPath(`compare=${c}&keep=${a}`)).toBe(`/?compare=${c}`);
    expect(await readPath('keep=%00')).toBe('/?keep=');
    const many = Array.from({ length: 60 }, () => randomUUID());
    expect(await readPath(`keep=${many.join(',')}`)).toBe(`/?keep=${many.slice(0, 50).join(',')}`);
    const inOrder = [b, a].map((id) => agents.find((agent) => agent.id === id)?.name);
    expect(await readNames(`keep=${b},${a}`)).toEqual(inOrder);
    const markdown = await readMarkdown(`keep=${b},${many[0]}`);
    expect(markdown.replaceAll('\\', '')).toContain(`No agent has the id ‘${many[0]}’.`);
    await app.views.flush();
    expect(await app.views.monthlyViews()).toBe(0);
  });

  test('shows an edit with the next request', async () => {
    const key = createManagementKey();
    const { agent } = await app.agents.register(makeNewAgent({ name: 'Weasel' }), { key });
    const query = `compare=${agent.id},${a}`;
    expect(await readNames(query)).toContain('Weasel');
    await app.agents.update(agent.id, { key }, { name: 'Stoat' });
    expect(await readNames(query)).toContain('Stoat');
  });
});
