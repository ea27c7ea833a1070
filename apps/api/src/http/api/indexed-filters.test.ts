import { createManagementKey, type Agent, type Facets } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOperatorStore, type OperatorStore } from '../../operator/operator-store.ts';
import type { RegistryRecord } from '../../db/record-kinds.ts';
import { engines, type TestDatabase } from '../../testing/engines.ts';
import { send, startTestApp, type TestApp } from '../../testing/test-app.ts';

const DAY = 86_400_000;
const TODAY = new Date().toISOString().slice(0, 10);
const TOMORROW = new Date(Date.now() + DAY).toISOString().slice(0, 10);
const MARKDOWN = { headers: { accept: 'text/markdown' } };
const SORTS = ['newest', 'rating', 'reviews', 'name'];

const paths = ['/api/agents?', '/api/agents/category/vision?', '/api/search?q=a&', '/api/facets?', '/feed.xml?'];

describe.each(engines)('the filters capability and since on $name', ({ open }) => {
  let database: TestDatabase;
  let app: TestApp;
  let operator: OperatorStore;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database, withSite: true });
    operator = createOperatorStore(database.engine);
  });

  beforeEach(() => database.empty());

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function get(path: string) {
    const { status, body, headers } = await send(app.url + path);
    expect({ path, status, body }).toMatchObject({ status: 200 });
    return { body: JSON.parse(body) as unknown, headers };
  }

  const names = async (path: string) => ((await get(path)).body as Agent[]).map(({ name }) => name);

  /** Sets the day on which agents were first listed. */
  const setListed = (day: string, ...listed: string[]) =>
    database.engine.db
      .updateTable('agents')
      .set({ listed_at: `${day}T00:00:00.000Z` })
      .where('name', 'in', listed)
      .execute();

  test('leave the agents with a capability in any spelling, and those first listed since a day, on every surface', async () => {
    const at = (day: number) => ({ createdAt: `2020-01-0${day}T00:00:00.000Z` });
    await app.agents.load([
      makeAgent({ name: 'Mail One', capabilities: ['Code Review', 'code-review'], pricingModel: 'free', ...at(5) }),
      makeAgent({ name: 'Mail Two', capabilities: ['x', 'code-review'], pricingModel: 'paid', ...at(4) }),
      makeAgent({ name: 'Mail Three', capabilities: ['code', 'review'], pricingModel: 'free', ...at(3) }),
      makeAgent({ name: 'Four', category: 'vision', capabilities: ['codereview'], pricingModel: 'free', ...at(2) }),
    ]);
    await setListed('2020-01-01', 'Mail One');
    for (const filter of ['capability=CODE+review', 'capability=code-review', 'capability=+codereview+']) {
      expect(await names(`/api/agents?${filter}`)).toEqual(['Mail One', 'Mail Two', 'Four']);
    }
    const filter = `capability=code+review&since=${TODAY}`;
    for (const sort of SORTS) {
      expect((await names(`/api/agents?sort=${sort}&${filter}`)).toSorted()).toEqual(['Four', 'Mail Two']);
      expect(await names(`/api/search?q=mail&sort=${sort}&${filter}`)).toEqual(['Mail Two']);
    }
    expect(await names(`/api/agents/category/vision?${filter}`)).toEqual(['Four']);
    expect(await names(`/api/search?q=mail&${filter}`)).toEqual(['Mail Two']);
    expect(await names('/api/search?q=mial&capability=codereview')).toEqual(['Mail Two', 'Mail One']);
    expect(await names(`/api/search?q=mail&since=${TOMORROW}`)).toEqual([]);
    expect(await names(`/api/agents?since=${TOMORROW}`)).toEqual([]);
    expect(await names('/api/agents?capability=code')).toEqual(['Mail Three']);
    expect(await names('/api/agents?capability=nothing+like+it')).toEqual([]);
    const page = await get(`/api/agents?limit=1&${filter}`);
    const { headers } = page;
    const body = page.body as Agent[];
    expect([headers['x-total-count'], body.map(({ name }) => name)]).toEqual(['2', ['Mail Two']]);
    const [, next = ''] = /^<(.+)>; rel="next"$/.exec(String(headers.link)) ?? [];
    expect(await names(next)).toEqual(['Four']);
    const count = async (query: string) => {
      const { total, pricing } = (await get(`/api/facets?${query}`)).body as Facets;
      return [total, pricing.free, pricing.paid];
    };
    expect(await count('capability=codereview')).toEqual([3, 2, 1]);
    expect(await count(`${filter}&pricing=free`)).toEqual([1, 1, 1]);
    expect(await count('q=mail&capability=codereview')).toEqual([2, 1, 1]);
    expect(await count(`q=mail&since=${TODAY}`)).toEqual([2, 1, 1]);
    type Feed = { items: { title: string }[] };
    const titles = async (query: string) =>
      ((await get(`/feed.json?${query}`)).body as Feed).items.map(({ title }) => title).toSorted();
    expect(await titles(filter)).toEqual(['Four', 'Mail Two']);
    expect(await titles(`q=mail&${filter}`)).toEqual(['Mail Two']);
    const { body: markdown } = await send(`${app.url}/?${filter}`, MARKDOWN);
    expect([markdown.includes('Mail Two'), markdown.includes('Mail One')]).toEqual([true, false]);
  });

  test.each([
    ['since', 'since must be a date, such as 2026-11-18.', ['2026', '2026-02-30', '2026-1-1', 'yesterday', "'"]],
    [
      'capability',
      'capability must be one capability of 2 to 60 characters, such as code review.',
      ['c', '!!', 'a'.repeat(61), 'ab&capability=cd'],
    ],
  ])('an invalid %s is 400 with a sentence, and no page is rendered', async (name, sentence, values) => {
    for (const value of values) {
      for (const path of paths) {
        const { status, body } = await send(`${app.url}${path}${name}=${value}`);
        expect({ path, value, status, body }).toEqual({ path, value, status: 400, body: sentence });
      }
      expect(await send(`${app.url}/?${name}=${value}`, MARKDOWN)).toMatchObject({ status: 400 });
    }
  });

  test.each(['since=', 'capability=+', 'pricing=&apiAccess=', 'sort=', 'after=', 'correct='])(
    'an empty parameter is none in calls, feeds and pages: %s',
    async (query) => {
      for (const path of [...paths, '/?']) expect(await send(app.url + path + query)).toMatchObject({ status: 200 });
    },
  );

  test('pages of a frequent capability, and of many agents since a day, are those of the list', async () => {
    const agents = Array.from({ length: 1_020 }, (_, index) =>
      makeAgent({
        name: `Agent ${index}`,
        description: 'x',
        capabilities: index % 100 === 0 ? [] : ['code review'],
        rating: index % 5,
        createdAt: new Date(index * DAY).toISOString(),
      }),
    );
    await app.agents.load(agents);
    await setListed('2020-01-01', 'Agent 1', 'Agent 1000');
    for (const sort of SORTS) {
      const all = await names(`/api/agents?sort=${sort}`);
      for (const [filter, missing] of [
        [
          'capability=codereview',
          agents.filter(({ capabilities }) => capabilities.length === 0).map(({ name }) => name),
        ],
        [`since=${TODAY}`, ['Agent 1', 'Agent 1000']],
      ] as const) {
        const kept = all.filter((name) => !(missing as string[]).includes(name));
        const { headers, body } = await get(`/api/agents?limit=7&sort=${sort}&${filter}`);
        const first = body as Agent[];
        expect([headers['x-total-count'], first.map(({ name }) => name)]).toEqual([
          String(kept.length),
          kept.slice(0, 7),
        ]);
        expect(await names(`/api/agents?limit=200&sort=${sort}&${filter}&after=${first.at(-1)?.id}`)).toEqual(
          kept.slice(7, 207),
        );
      }
    }
  });

  test('an agent counts from its first listing: a late release does, what returns to the list does not', async () => {
    const listedAt = async (id: string) =>
      (await database.engine.db.selectFrom('agents').select('listed_at').where('id', '=', id).executeTakeFirstOrThrow())
        .listed_at;
    const key = createManagementKey();
    const { id } = (await app.agents.register(makeNewAgent({ name: 'Held' }), { key, isHeld: true })).agent;
    const select = { ids: new Set([id]) };
    await operator.release(select);
    const [{ createdAt } = { createdAt: '' }] = (await get('/api/agents')).body as Agent[];
    const [{ at } = { at: '' }] = (await get(`/api/agents/${id}/history`)).body as { at: string }[];
    expect(await listedAt(id)).toBe(at);
    expect(at >= createdAt).toBe(true);
    await app.agents.update(id, { key }, { name: 'Edited' });
    await operator.hide(select, 'spam');
    await operator.unhide(select);
    expect(await listedAt(id)).toBe(at);
    const records: RegistryRecord[] = [];
    for await (const record of operator.read()) records.push(record);
    await operator.replace(streamOf(records));
    expect(await listedAt(id)).toBe(at);
    // A backup of a version without a change log.
    await operator.replace(streamOf(records.filter(({ kind }) => kind !== 'change')));
    expect(await listedAt(id)).toBe(createdAt);
  });
});

async function* streamOf<Item>(items: readonly Item[]): AsyncGenerator<Item, void, undefined> {
  yield* items;
}
