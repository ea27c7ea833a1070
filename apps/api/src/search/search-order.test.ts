import { toCursor, type Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { engines, type TestDatabase } from '../testing/engines.ts';
import { ranking } from './ranking.ts';

describe.each(engines)('search on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.empty();
    store = createAgentStore(database.engine);
  });

  afterAll(() => database.remove());

  const find = async (text: string) => (await store.search({ text }))?.agents ?? [];

  describe('the order of agents that match alike', () => {
    /** Finds agents with the same name, loaded in this order, by their contact address. */
    const order = async (text: string, fields: Partial<Agent>[]) => {
      await store.load(
        fields.map((own, index) =>
          makeAgent({
            name: 'Plain',
            description: 'x',
            contactEmail: `${index}@example.com`,
            createdAt: `2026-01-01T00:00:0${index}.000Z`,
            ...own,
          }),
        ),
      );
      return (await find(text)).map(({ contactEmail }) => Number(contactEmail?.at(0)));
    };
    const filler = 'This sentence has nothing to do with that. '.repeat(5);

    test.each<[what: string, text: string, fields: Partial<Agent>[], expected: number[]]>([
      [
        'words that stand together, near each other, apart',
        'otter ferry',
        [
          { description: `The otter likes this. ${filler} A ferry.` },
          { description: 'A ferry for the small otter.' },
          { description: 'An otter ferry.' },
        ].map((own) => ({ ...own, description: `${own.description} ${filler}`.padEnd(520, '.') })),
        [2, 1, 0],
      ],
      [
        'words as they were typed, below them synonyms, wherever they stand',
        'invoice otter',
        [
          { description: 'Otter bills.', capabilities: ['otter bills', 'bills'] },
          { description: `An invoice. ${filler} For an otter.` },
        ],
        [1, 0],
      ],
      [
        'words in more of the texts, not more often in one',
        'otter',
        [
          { description: `${'otter '.repeat(9)}${filler}` },
          { description: `otter ${filler}`, capabilities: ['otter'] },
        ],
        [1, 0],
      ],
      ['shorter texts', 'otter', [{ description: `otter ${filler.repeat(3)}` }, { description: 'An otter.' }], [1, 0]],
      [
        'the proved website',
        'otter',
        [{ description: 'otter' }, { description: 'otter', websiteCheckedAt: '2026-01-02T00:00:00.000Z' }],
        [1, 0],
      ],
      ['the older one', 'otter', Array.from({ length: 3 }, () => ({ description: 'otter' })), [0, 1, 2]],
    ])('begins with %s', async (_what, text, fields, expected) => {
      expect(await order(text, fields)).toEqual(expected);
    });

    test('is the same page by page, and past those that are scored latest first', async () => {
      const total = ranking.maxScored + 30;
      await store.load(
        Array.from({ length: total }, (_, index) => makeAgent({ name: `Otter ${index}`, description: 'x' })),
      );
      const walked: string[] = [];
      let after: string | undefined;
      for (let position = 0; ; position += 200) {
        const found = await store.search({ text: 'otter', limit: 200, after });
        const last = found?.agents.at(-1);
        walked.push(...(found?.agents ?? []).map(({ name }) => name));
        if (!found?.hasMore || !last) break;
        after = toCursor(last, 'best', position + 200);
      }
      const numbers = walked.map((name) => Number(name.split(' ')[1]));
      const sorted = Array.from({ length: ranking.maxScored }, (_, index) => index + 30);
      expect(numbers).toEqual([...sorted, ...Array.from({ length: 30 }, (_, index) => 29 - index)]);
    });
  });
});
