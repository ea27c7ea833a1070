import { createManagementKey, defaultCategories, type Agent } from '@agent-registry/contracts';
import { makeAgent, makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toTokens } from '../../search/agent-tokens.ts';
import { surfaceEngines, type TestDatabase } from '../../testing/engines.ts';
import { startTestApp, type TestApp } from '../../testing/test-app.ts';

const hidden: [what: string, text: string, fault: string][] = [
  ['a noncharacter', 'a\uFFFFb', 'must not have the invisible character U+FFFF'],
  ['an override of direction', 'a\u202Eb', 'must not have the invisible character U+202E'],
  ['tags', 'a\u{E0068}\u{E0069}', 'must not have the invisible character U+E0068'],
  ['variation selectors that encode a text', '😀\u{E0158}\u{E0155}', 'must not have the invisible character U+E0158'],
  [
    'zero width characters that encode a text',
    'a\u200B\u200C\u200B\u200B\u200C',
    'must not have 5 invisible characters in a row',
  ],
  ['a heap of marks', `a${'\u0301'.repeat(96)}`, 'must not have more than 8 marks on one letter'],
];

describe.each(surfaceEngines)('texts on $name', ({ open }) => {
  const key = createManagementKey();
  let database: TestDatabase;
  let app: TestApp;
  let agent: Agent;

  beforeAll(async () => {
    database = await open();
    app = await startTestApp({ database });
    ({ agent } = await app.agents.register(makeNewAgent(), { key }));
  });

  afterAll(async () => {
    await app.close();
    await database.remove();
  });

  async function send(path: string, body: object, method = 'POST'): Promise<[status: number, sentence: string]> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const response = await fetch(app.url + path, { method, headers, body: JSON.stringify(body) });
    return [response.status, await response.text()];
  }

  /** The statuses and sentences with which each way refuses a text. */
  async function sendEverywhere(text: string): Promise<Record<string, unknown>> {
    const name = { name: text };
    const [status, answer] = await send('/trpc/agents.register', makeNewAgent(name));
    return {
      register: await send('/api/agents', makeNewAgent(name)),
      description: await send('/api/agents', makeNewAgent({ description: `x\n${text}` })),
      capability: await send('/api/agents', makeNewAgent({ capabilities: [text] })),
      update: await send(`/api/agents/${agent.id}`, name, 'PATCH'),
      report: await send(`/api/agents/${agent.id}/reports`, { reason: 'spam', text }),
      trpc: [status, (JSON.parse(answer) as { error: { message: string } }).error.message],
    };
  }

  test.each(hidden)(
    '%s is refused at every door with a sentence, and nothing is stored',
    async (_what, text, fault) => {
      expect(await sendEverywhere(text)).toEqual({
        register: [400, `Name ${fault}.`],
        description: [400, `Description ${fault}.`],
        capability: [400, `Each capability ${fault}.`],
        update: [400, `Name ${fault}.`],
        report: [400, `Text ${fault}.`],
        trpc: [400, expect.stringContaining(`Name ${fault}`)],
      });
      expect(await app.agents.list()).toEqual([agent]);
    },
  );

  test('the longest texts are stored, found, sorted and listed', async () => {
    // Syllables of 16 letters, too irregular for an index of PostgreSQL to compress.
    let random = 1;
    const letter = (first: number, count: number) => {
      random = (random * 48_271) % 2_147_483_647;
      return String.fromCodePoint(first + (random % count));
    };
    const letters = (length: number, ...block: [number, number]) =>
      Array.from({ length }, () => letter(...block)).join('');
    const syllable = () => letters(9, 0x1100, 0x5f) + letters(1, 0x1161, 0x47) + letters(6, 0x11a8, 0x58);
    const name = `漢${Array.from({ length: 99 }, syllable).join('')}`;
    const longest = makeNewAgent({
      name,
      description: Array.from({ length: 2_000 }, () => letters(1, 0x1000, 33) + letters(3, 0x102d, 10)).join(''),
      capabilities: Array.from({ length: 30 }, () => letters(66, 0x1100, 0x5f) + letters(200, 0x11a8, 0x58)),
    });
    const [status, answer] = await send('/api/agents', longest);
    expect(status).toBe(201);
    expect(toTokens(makeAgent(longest), defaultCategories).tokens.length).toBeLessThan(12_100);
    const stored = JSON.parse(answer) as Agent;
    expect(stored).toMatchObject(longest);
    const read = async (path: string) => (await (await fetch(app.url + path)).json()) as Agent[];
    expect(await read('/api/agents?sort=name')).toEqual([agent, stored]);
    expect(await read('/api/search?q=漢')).toEqual([stored]);
  });
});
