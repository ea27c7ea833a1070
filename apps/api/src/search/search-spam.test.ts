import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { makeCorpus } from '../testing/corpora.ts';
import { engines, surfaceEngines, type TestDatabase } from '../testing/engines.ts';

const CORPUS_SIZE = 700;
/** Words of names and capabilities that many agents of the corpus have. */
const commonWords =
  'email report customer support review image document search assistant workflow calendar invoice translation summary analysis monitor schedule sales content video audio speech vision language message'.split(
    ' ',
  );
/** Near-copies of the first one. */
const makeFlood = (fields: (index: number) => Partial<Agent>) =>
  Array.from({ length: 294 }, (_, index) =>
    makeAgent({
      name: `Quokka Planner ${index}`,
      capabilities: ['quokka walks'],
      createdAt: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString(),
      ...fields(index),
    }),
  );
const floods: Record<string, Agent[]> = {
  'of one site': makeFlood((index) => ({
    description: `Plans quokka walks: ${'abcdefghijkl'[index % 12]}.`,
    website: `https://copies.example/${index}`,
  })),
  'without websites': makeFlood((index) => ({ description: `Plans ${index} quokka walks!`, website: null })),
  'with websites of their own': makeFlood((index) => ({
    description: `Plans quokka walks (no. ${index}).`,
    website: `https://copy${index}.example/`,
  })),
};
const copies = floods['of one site'] ?? [];
const others = Array.from({ length: 12 }, (_, index) =>
  makeAgent({ name: `Walk ${index}`, description: `A quokka at ${'abcdefghijkl'[index]}.`, website: null }),
);
const names = commonWords.map((word, index) =>
  makeAgent({ name: word, description: 'x', capabilities: index % 2 === 0 ? [] : [word], website: null }),
);
const keywords = Array.from({ length: 10 }, (_, index) =>
  makeAgent({ name: `Zz${index}`, description: 'x', capabilities: commonWords.slice(index, index + 12) }),
);

const isIn = (list: readonly Agent[]) => (agent: { id: string }) => list.some(({ id }) => id === agent.id);

describe.each(surfaceEngines)('a flood of near-copies on $name', ({ open }) => {
  test.each(Object.entries(floods))('%s leaves the first ten results to others', async (_what, flood) => {
    const database = await open();
    onTestFinished(() => database.remove());
    const store = createAgentStore(database.engine);
    await store.load([...flood, ...makeCorpus(50), ...others]);
    for (const text of [
      'quokka',
      'quokka walk',
      'quokka planner',
      'plans quokka walks',
      'planner of walks for quokkas',
    ]) {
      const found = await store.search({ text, limit: 10 });
      const count = (list: readonly Agent[]) => found?.agents.filter(isIn(list)).length;
      expect([text, count(flood), count(others)]).toEqual([text, 2, 8]);
      // Where only copies have all words, the search looks on.
      expect(found?.total).toBeGreaterThanOrEqual(flood.length + others.length);
      const whole = await store.search({ text, limit: 400 });
      expect(whole?.agents.findIndex(({ id }) => id === flood[0]?.id)).toBeLessThan(11);
    }
  });
});

// The engines differ in the index only, which these searches use like all others.
describe('agents that want to be first', () => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await engines[0].open();
    store = createAgentStore(database.engine);
    await store.load([...makeCorpus(CORPUS_SIZE), ...copies, ...others, ...names, ...keywords]);
  });

  afterAll(() => database.remove());

  const find = async (text: string) => (await store.search({ text, limit: 10 }))?.agents ?? [];
  test.each(['by:copies.example', 'name:quokka', 'quokka planner of copies'])(
    'an owner has all of them where the search names it: %s',
    async (text) => {
      expect((await find(text)).filter(isIn(copies))).toHaveLength(10);
    },
  );

  test('every result has one place, whatever the pages', async () => {
    const whole = (await store.search({ text: 'quokka', limit: 30 }))?.agents.map(({ id }) => id);
    const walked: string[] = [];
    for (let page = 0; page < 10; page += 1) {
      const found = await store.search({ text: 'quokka', limit: 3, after: walked.at(-1) });
      walked.push(...(found?.agents ?? []).map(({ id }) => id));
    }
    expect(walked).toEqual(whole);
  });

  test('names that are a common word are rarely first, and lists of capabilities rarely among the first ten', async () => {
    let first = 0;
    let listed = 0;
    for (const word of commonWords) {
      const found = await find(word);
      if (found.slice(0, 1).some(isIn(names))) first += 1;
      listed += found.filter(isIn(keywords)).length;
    }
    expect(first).toBeLessThanOrEqual(5);
    expect(listed / commonWords.length).toBeLessThanOrEqual(0.5);
  });

  test('any other name is first', async () => {
    for (const [agent] of [copies, others, keywords]) {
      if (agent) expect((await find(agent.name))[0]?.name).toBe(agent.name);
    }
  });
});
