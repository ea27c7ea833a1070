import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { beforeAll, describe, expect, test } from 'vitest';
import { engines } from '../testing/engines.ts';
import { createAgentStore, type AgentStore } from '../stores.ts';

/** More than are counted one by one. */
const MANY = 1_200;

/** Two of three are free, and one of twelve is in the category of vision. */
const agents = Array.from({ length: MANY }, (_, index) =>
  makeAgent({
    category: index % 12 === 0 ? 'vision' : 'automation',
    pricingModel: index % 3 === 0 ? 'paid' : 'free',
    capabilities: [
      index % 4 === 0 ? 'code-review' : 'Code Review',
      ...(index % 2 === 0 ? ['mail'] : []),
      ...(index % 12 === 0 ? ['ocr'] : []),
      `only ${index}`,
    ],
  }),
);

describe.each(engines)('the capabilities that are often listed, on $name', (engine) => {
  let store: AgentStore;

  beforeAll(async () => {
    const database = await engine.open();
    store = createAgentStore(database.engine);
    await store.load(agents);
    return () => database.remove();
  });

  const countIn = (list: typeof agents, ...labels: string[]) =>
    list.filter(({ capabilities }) => capabilities.some((capability) => labels.includes(capability))).length;

  test.each([
    ['all agents', {}, () => true],
    [
      'many agents',
      { pricing: ['free' as const] },
      ({ pricingModel }: { pricingModel: string }) => pricingModel === 'free',
    ],
    ['many agents of a day', { since: '2020-01-01' }, () => true],
    ['few agents', { category: 'vision' }, ({ category }: { category: string }) => category === 'vision'],
  ])('of %s are those of at least two, by their number', async (_name, request, isListed) => {
    const listed = agents.filter(isListed);
    const { capabilities } = await store.countFacets(request);
    expect(capabilities).toEqual(
      [
        { name: 'Code Review', agents: countIn(listed, 'Code Review', 'code-review') },
        { name: 'mail', agents: countIn(listed, 'mail') },
        { name: 'ocr', agents: countIn(listed, 'ocr') },
      ].filter(({ agents: count }) => count > 1),
    );
  });
});
