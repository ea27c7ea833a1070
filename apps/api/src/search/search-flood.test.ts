import { setImmediate } from 'node:timers/promises';
import type { NewAgent } from '@agent-registry/contracts';
import { makeNewAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { createOperatorStore } from '../operator/operator-store.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { createVocabularyReader } from './vocabulary.ts';

/** With `SOAK_ROUNDS=100` there are 10,000 agents, and the event loop must never be blocked for long. */
const ROUNDS = Number(process.env.SOAK_ROUNDS ?? 0);
const AGENTS = ROUNDS > 0 ? ROUNDS * 100 : 60;
/** The longest time that the event loop may be blocked, in milliseconds: a group of registrations is one statement. */
const MAX_DELAY = 250;
/** Registrations at the same time, as many as are committed together. */
const CLIENTS = 50;
/** Most terms of one agent in the index. */
const MAX_TERMS = 100;

const letters = Array.from('abcdefghijklmnopqrstuvwxyzбвгджзклмнпрстфхцчшщъыьэюя');

/** The nth word of four letters. */
function makeWord(number: number): string {
  const { length } = letters;
  return [length ** 3, length ** 2, length, 1].map((unit) => letters[Math.floor(number / unit) % length]).join('');
}

/** An agent as long as a registration may be, with some 770 words that no other agent has. */
function makeFloodAgent(index: number): NewAgent {
  let next = index * 800;
  const makeText = (length: number) =>
    Array.from({ length: Math.floor((length + 1) / 5) }, () => makeWord((next += 1))).join(' ');
  return makeNewAgent({
    name: makeText(100),
    capabilities: Array.from({ length: 30 }, () => makeText(60)),
    description: makeText(2_000),
  });
}

/** Searches that need the vocabulary: parts of words and misspelled words, one and ten at a time. */
const texts = ['xbcz', 'qqqq', Array.from({ length: 10 }, (_, index) => makeWord(index * 7_919 + 3)).join(' ')];

describe.each(surfaceEngines)('a flood of new words on $name', ({ name, open }) => {
  let database: TestDatabase;
  const ids: string[] = [];
  const delays: Record<string, number> = {};

  beforeAll(async () => {
    database = await open();
  });

  afterAll(async () => {
    if (ROUNDS > 0) console.log(`${name}: event loop blocked for at most (ms): ${JSON.stringify(delays)}`);
    await database.remove();
  });

  /**
   * Runs a step and notes the most processor time that the main thread took between two turns of the event loop: unlike
   * the time on the clock, it does not depend on other processes.
   */
  async function watch(step: string, run: () => Promise<void>): Promise<void> {
    let longest = 0;
    let last = process.threadCpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(last);
      last = process.threadCpuUsage();
      longest = Math.max(longest, (user + system) / 1_000);
    }, 1);
    await run();
    clearInterval(timer);
    delays[step] = Math.round(longest);
  }

  async function searchAll(): Promise<void> {
    const store = createAgentStore(database.engine);
    for (const text of texts) await store.search({ text, limit: 20 });
  }

  const readVocabulary = () => createVocabularyReader(database.openTokenReader())();

  test(
    'one agent adds a bounded number of words, and all leave with their last agents',
    async () => {
      const store = createAgentStore(database.engine);
      const { agent: known } = await store.register(makeNewAgent({ name: 'Otter Desk' }));
      const before = (await readVocabulary())?.size ?? NaN;

      await watch('registering', async () => {
        for (let index = 0; index < AGENTS; index += CLIENTS) {
          const group: ReturnType<typeof store.register>[] = [];
          for (let offset = 0; offset < Math.min(CLIENTS, AGENTS - index); offset += 1) {
            const agent = makeFloodAgent(index + offset);
            // Each request of a client is read in a turn of its own.
            await setImmediate();
            group.push(store.register(agent));
          }
          for (const { agent } of await Promise.all(group)) ids.push(agent.id);
        }
      });
      if (ROUNDS === 0) expect((await readVocabulary())?.size).toBe(before + AGENTS * MAX_TERMS);

      await watch('the first search', searchAll);
      await watch('searches after it', searchAll);
      await watch('the first search after a start', async () => {
        await database.reopen();
        await searchAll();
      });

      // In a process of the operator's.
      await createOperatorStore(database.engine).hide({ ids: new Set(ids) }, 'flood');
      expect((await readVocabulary())?.size).toBe(before);
      await watch('searches after hiding', searchAll);
      await watch('the first search after hiding and a start', async () => {
        await database.reopen();
        await searchAll();
      });

      const found = await createAgentStore(database.engine).search({ text: 'ottr' });
      expect(found?.agents.map((agent) => agent.id)).toEqual([known.id]);
      if (ROUNDS > 0) expect(Math.max(...Object.values(delays))).toBeLessThan(MAX_DELAY);
    },
    120_000 + ROUNDS * 20_000,
  );
});
