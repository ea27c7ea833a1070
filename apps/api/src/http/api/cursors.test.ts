import { toCursor, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore } from '../../operator/operator-store.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { send, startTestApp, type TestApp } from '../../testing/test-app.ts';

const names = ['Ant', 'Bee', 'Cat', 'Dog', 'Elk', 'Fox'];
const toAgents = () =>
  names.map((name, index) =>
    makeAgent({
      name: `${name} mail`,
      category: 'language',
      rating: 5 - index / 2,
      reviewCount: 60 - index,
      createdAt: `2026-01-0${9 - index}T00:00:00.000Z`,
    }),
  );

const lists = [
  '/api/agents?limit=2',
  '/api/agents?limit=2&sort=rating',
  '/api/agents?limit=2&sort=reviews',
  '/api/agents?limit=2&sort=name',
  '/api/agents/category/language?limit=2',
  '/api/search?q=mail&limit=2',
  '/api/search?q=mail&limit=2&sort=name',
];

describe.each(engines)('a cursor on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let agents: Agent[];

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
  });

  beforeEach(async () => {
    await database.empty();
    agents = toAgents();
    await app.agents.load(agents);
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function read(path: string) {
    const { status, headers, body } = await send(app.url + path);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(headers.link)) ?? [];
    const [, previous = ''] = /<([^>]+)>; rel="prev"/.exec(String(headers.link)) ?? [];
    return { status, body, next, previous, agents: status === 200 ? (JSON.parse(body) as Agent[]) : [] };
  }

  const hide = (agent: Agent | undefined) =>
    createOperatorStore(database.engine).hide({ ids: new Set([agent?.id ?? '']) }, 'spam');

  test.each(lists)('of %s leads on when its agent is hidden', async (path) => {
    const first = await read(path);
    await hide(first.agents[1]);
    const second = await read(first.next);
    expect(second.agents.map(({ id }) => id)).not.toContain(first.agents[0]?.id);
    const third = await read(second.next);
    const walked = [...first.agents, ...second.agents, ...third.agents].map(({ id }) => id);
    expect(walked.toSorted()).toEqual(agents.map(({ id }) => id).toSorted());
  });

  test.each(lists)('of %s leads back when its agent is hidden', async (path) => {
    const second = await read(`${(await read(path)).next}&position=true`);
    await hide(second.agents[0]);
    const first = await read(second.previous);
    expect(first.agents).toEqual((await read(path)).agents);
  });

  test.each(lists)('of %s leads on when its agent has changed', async (path) => {
    const first = await read(path);
    const last = first.agents[1] as Agent;
    await database.engine.db
      .updateTable('agents')
      .set({ sort_name: 'zz', rating: 0, review_count: 0 })
      .where('id', '=', last.id)
      .execute();
    const rest = await read(first.next);
    const others = agents.filter(({ id }) => !first.agents.some((agent) => agent.id === id));
    expect((await read(rest.next)).agents.concat(rest.agents)).toEqual(expect.arrayContaining(others));
  });

  test('of the order of names is short, however long a name is', async () => {
    // A syllable of Hangul that is spelled out is one character.
    const start = `${'\u1100'.repeat(14)}\u1161\u11A8`.repeat(99);
    const long = ['a', 'b', 'c'].map((end) => makeAgent({ name: start + end }));
    await app.agents.load(long);
    const walked: Agent[] = [];
    for (let path = '/api/agents?sort=name&limit=1'; path !== '';) {
      const page = await read(path);
      expect(page.status).toBe(200);
      walked.push(...page.agents);
      path = page.next;
    }
    expect(walked.map(({ id }) => id).toSorted()).toEqual([...agents, ...long].map(({ id }) => id).toSorted());
    expect((await read('/api/agents?sort=name')).agents).toEqual(walked);
  });

  test('of another order is refused', async () => {
    const cursor = toCursor(agents[1] as Agent, 'name');
    for (const path of ['/api/agents?limit=2', '/api/agents?sort=rating', '/api/search?q=mail']) {
      const { status, body } = await read(`${path}${path.includes('?') ? '&' : '?'}after=${cursor}`);
      expect([status, body]).toEqual([
        400,
        expect.stringMatching(/^after must be the id of an agent in the .+, or a cursor of its order\.$/),
      ]);
    }
  });

  test('that nobody made is a place like any other', async () => {
    const stranger = makeAgent({ createdAt: '2026-01-08T12:00:00.000Z' });
    const { agents: found } = await read(`/api/agents?after=${toCursor(stranger, 'newest')}`);
    expect(found).toEqual(agents.slice(1));
  });
});
