import { categoryIds, type Agent, type ListedAgent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgentStore, type AgentStore } from '../stores.ts';
import { surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { countEdits, createOracle, toWords } from '../testing/search-oracle.ts';
import { search } from '../testing/search.ts';
import { runsAll } from '../testing/tier.ts';

/** The same agents and queries in every run. */
const SEED = 20_260_101;
/** A search with this many matches is not corrected. */
const ENOUGH = 5;
/** The shortest word that may be misspelled. */
const MISSPELLABLE = 4;

// Few letters, so that words are often parts of each other; no category has a word that begins with one of them.
const letters = fc.constantFrom('k', 'z', 'j');
const short = fc.string({ unit: letters, minLength: 1, maxLength: 3 });
const long = fc.string({ unit: letters, minLength: 4, maxLength: 9 });
const punctuated = fc.tuple(short, fc.constantFrom('-', '.'), short).map((parts) => parts.join(''));
const cjk = (maxLength: number) => fc.string({ unit: fc.constantFrom('東', '京', '都'), minLength: 2, maxLength });
const functionWord = fc.constantFrom('the', 'for', 'of');

const chunk = fc.oneof(
  { arbitrary: short, weight: 4 },
  { arbitrary: long, weight: 2 },
  { arbitrary: punctuated, weight: 1 },
  { arbitrary: cjk(6), weight: 1 },
  { arbitrary: functionWord, weight: 1 },
);
const chunks = (maxLength: number) => fc.array(chunk, { minLength: 1, maxLength }).map((parts) => parts.join(' '));

const anyAgent = fc.record({
  name: chunks(3),
  capabilities: fc.array(chunks(2), { maxLength: 3 }),
  description: chunks(6),
  category: fc.constantFrom(...categoryIds),
});
// No more than three letters of a script without blanks: whether more are a word that can be misspelled is open.
const anyQuery = fc
  .array(fc.oneof({ arbitrary: short, weight: 4 }, { arbitrary: long, weight: 2 }, punctuated, cjk(3), functionWord), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.join(' '));

const agents: Agent[] = fc
  .sample(anyAgent, { seed: SEED, numRuns: 150 })
  .map((fields, index) => makeAgent({ ...fields, id: `aaaaaaaa-0000-4000-8000-${String(index).padStart(12, '0')}` }));
const judge = createOracle(agents);

describe.each(surfaceEngines)('a search on $name', ({ open }) => {
  let database: TestDatabase;
  let store: AgentStore;

  beforeAll(async () => {
    database = await open();
    store = createAgentStore(database.engine);
    await store.load(agents);
  });

  afterAll(() => database.remove());

  test('finds the agents that the oracle demands, and corrected matches only after them and when there are few', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, async (query) => {
        const verdicts = judge(query);
        const verdictOf = new Map(agents.map(({ id }, index) => [id, verdicts[index]]));
        const due = agents.filter(({ id }) => verdictOf.get(id) === 'yes').map(describeAgent);
        const { agents: found } = await search(store, query);
        expect(found.map(describeAgent)).toEqual(expect.arrayContaining(due));

        const guesses = found.filter(({ id }) => verdictOf.get(id) === 'no');
        const mayEdit = due.length < ENOUGH;
        expect(guesses.filter((agent) => !isNear(agent, query, mayEdit)).map(describeAgent)).toEqual([]);
        const lastDue = found.findLastIndex(({ id }) => verdictOf.get(id) === 'yes');
        const firstGuess = found.findIndex((agent) => guesses.includes(agent) && !isNear(agent, query, false));
        if (firstGuess !== -1) expect(firstGuess).toBeGreaterThan(lastDue);
      }),
      { seed: SEED, numRuns: runsAll ? 400 : 150 },
    );
  });
});

/**
 * Whether the agent has each word of the query, perhaps with the edits that a word of its length may have. Neighbouring
 * words of a name and of the query may also be one word.
 */
function isNear({ name, capabilities, description }: ListedAgent, query: string, mayEdit: boolean): boolean {
  const texts = [name, ...capabilities, description].flatMap((text) => text.split(' '));
  const words = [
    ...texts.flatMap((text) => [...toWords(text), toWords(text).join('')]),
    ...joinNeighbours(toWords(name)),
  ];
  const isWordNear = (term: string) =>
    words.some((word) => word.includes(term) || (mayEdit && isMisspelled(word, term)));
  const hasAll = (chunks: readonly string[]) =>
    chunks.every((chunk) => {
      const terms = toWords(chunk);
      return ['the', 'for', 'of'].includes(chunk) || isWordNear(terms.join('')) || terms.every(isWordNear);
    });
  const chunks = query.split(' ').filter((chunk) => !['the', 'for', 'of'].includes(chunk));
  return hasAll(chunks) || mergeNeighbours(chunks).some(hasAll);
}

/** Two and three neighbouring words as one. */
function joinNeighbours(words: readonly string[]): string[] {
  return words.flatMap((_, at) => [words.slice(at, at + 2).join(''), words.slice(at, at + 3).join('')]);
}

/** The ways to read two or three neighbouring words as one. */
function mergeNeighbours(words: readonly string[]): string[][] {
  return words.flatMap((_, at) =>
    [2, 3].map((count) => [...words.slice(0, at), words.slice(at, at + count).join(''), ...words.slice(at + count)]),
  );
}

/** Whether a word or a part of it is within one edit of the term, or two for long words. */
function isMisspelled(word: string, term: string): boolean {
  if (term.length < MISSPELLABLE) return false;
  const edits = Math.max(word.length, term.length) >= 8 ? 2 : 1;
  const parts = Array.from(word, (_, start) =>
    Array.from(word.slice(start), (__, length) => word.slice(start, start + length + 1)),
  ).flat();
  return parts.some((part) => countEdits(part, term) <= edits);
}

function describeAgent({ id, name, capabilities, description }: ListedAgent): string {
  return `${name} | ${capabilities.join(', ')} | ${description} | ${id}`;
}
