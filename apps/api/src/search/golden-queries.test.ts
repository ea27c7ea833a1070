import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createAgentStore } from '../stores.ts';
import { makeRandom } from '../testing/corpora.ts';
import { engines, surfaceEngines, type TestDatabase } from '../testing/engines.ts';
import { CORPUS_SIZE, goldenQueries, labelOf, makeGoldenAgents, type GoldenQuery } from '../testing/golden-queries.ts';
import { createOracle, fold } from '../testing/search-oracle.ts';
import { makeKnownItemQueries, makeMisspelledQueries, type ItemQuery } from '../testing/search-queries.ts';
import { search, type Found } from '../testing/search.ts';
import { runsAll } from '../testing/tier.ts';

/** Queries of each kind for the figures. */
const SAMPLE_SIZE = runsAll ? 200 : 50;
/** Least mean reciprocal rank of the wanted agent, 0 past the tenth. */
const MIN_MRR = 0.98;
/** Least share of misspelled words whose agent is among the first ten results; some are words that other agents use. */
const MIN_RECALL = 0.92;

const agents = makeGoldenAgents();
const corpus = agents.slice(-CORPUS_SIZE);
const knownItems = makeKnownItemQueries(corpus, SAMPLE_SIZE, makeRandom(2));
const misspelled = makeMisspelledQueries(corpus, SAMPLE_SIZE, makeRandom(3));

let databases: TestDatabase[] = [];
let ask: (engine: string, q: string, limit?: number) => Promise<Found>;

beforeAll(async () => {
  databases = await Promise.all(engines.map(({ open }) => open()));
  const stores = databases.map(({ engine }) => createAgentStore(engine));
  for (const store of stores) await store.load(agents);
  const answers = new Map<string, Promise<Found>>();
  ask = (engine, q, limit) => {
    const store = stores[engines.findIndex(({ name }) => name === engine)]!;
    const key = JSON.stringify([engine, q, limit]);
    const answer = answers.get(key) ?? search(store, q, limit);
    answers.set(key, answer);
    return answer;
  };
});

afterAll(async () => {
  for (const database of databases) await database.remove();
});

const labelsOf = ({ agents }: Found) => agents.map(labelOf);

describe.each(surfaceEngines)('golden queries on $name', ({ name: engine }) => {
  describe.each([...new Set(goldenQueries.map(({ kind }) => kind))])('%s', (kind) => {
    const queries = goldenQueries.filter((query) => query.kind === kind).map((query) => [shorten(query.q), query]);

    test.each(queries as [string, GoldenQuery][])('%j finds what a visitor expects', async (_q, query) => {
      const found = await ask(engine, query.q);
      const labels = labelsOf(found);
      expect(asGrouped(labels, query)).toEqual(query.first.map(asGroup));
      const rest = labels.slice(query.first.flat().length);
      expect(rest.filter((label) => query.later?.includes(label))).toEqual(query.later ?? []);
      expect(labels).toEqual(expect.arrayContaining([...(query.has ?? [])]));
      expect(labels.filter((label) => query.not?.includes(label))).toEqual([]);
      if (query.only) expect(rest).toEqual([]);
      if (query.corrected === null) expect(found.correction).toBeUndefined();
      if (query.corrected) {
        expect(labels).not.toEqual([]);
        expect(fold(found.correction ?? '')).toBe(fold(query.corrected));
      }
    });
  });

  test('an agent is found near the top by its name, and by a misspelled word of its name', async () => {
    const ranks: Record<string, number[]> = {};
    for (const [way, queries] of Object.entries(knownItems)) {
      ranks[way] = [];
      for (const query of queries) ranks[way].push(rankOf(query, await ask(engine, query.q, 10)));
    }
    const mrr = mean(
      Object.values(ranks)
        .flat()
        .map((rank) => 1 / rank),
    );
    const places: number[] = [];
    for (const query of misspelled) places.push(rankOf(query, await ask(engine, query.q, 10)));
    const recall = mean(places.map((rank) => (rank <= 10 ? 1 : 0)));

    const ways = Object.entries(ranks).map(
      ([way, found]) => `${way} ${mean(found.map((rank) => 1 / rank)).toFixed(3)}`,
    );
    console.log(
      `${engine}: MRR@10 ${mrr.toFixed(3)} (${ways.join(', ')}), recall@10 of misspelled words ${recall.toFixed(3)}`,
    );
    expect(mrr).toBeGreaterThanOrEqual(MIN_MRR);
    expect(recall).toBeGreaterThanOrEqual(MIN_RECALL);
  });
});

describe.each(surfaceEngines)('needs on $name', ({ open }) => {
  const needs: [q: string, wanted: string][] = [
    ['what is the best agent for email?', 'Letter Box'],
    ['how do i translate a contract', 'Tongue Twister'],
    ['which bot can find cheap flights for me', 'Wing Scout'],
    ['factchecker', 'Fact Checker'],
    ['crew lane', 'CrewLane'],
    ['ledgermcp', 'Ledger MCP'],
    ['repositories', 'Code Shelf'],
    ['summarizing meetings', 'Minute Taker'],
    ['translations', 'Tongue Twister'],
  ];

  test('an agent is found near the top by questions, joined and split names, and inflections', async () => {
    const database = await open();
    onTestFinished(() => database.remove());
    const store = createAgentStore(database.engine);
    const texts: [name: string, description: string][] = [
      ['Letter Box', 'Sorts your email into folders.'],
      ['Tongue Twister', 'Can translate a contract or a manual; each translation is checked.'],
      ['Wing Scout', 'Finds cheap flights and compares airlines.'],
      ['Fact Checker', 'Compares statements with sources.'],
      ['CrewLane', 'Plans shifts for teams.'],
      ['Ledger MCP', 'Books invoices.'],
      ['Code Shelf', 'Reviews every repository of a team.'],
      ['Minute Taker', 'Can summarize a meeting for the team.'],
      ['Best Man', 'What to say at a wedding, and how.'],
    ];
    await store.load(
      texts.map(([name, description]) => makeAgent({ name, description, capabilities: [], category: 'automation' })),
    );
    const ranks: number[] = [];
    for (const [q, wanted] of needs) {
      const { agents: full, partial } = await search(store, q, 10);
      const place = [...full, ...partial].findIndex(({ name }) => name === wanted);
      ranks.push(place === -1 ? Infinity : place + 1);
    }
    expect(mean(ranks.map((rank) => 1 / rank)), `ranks ${ranks.join(' ')}`).toBeGreaterThanOrEqual(0.92);
  });
});

test('every engine finds the same agents in the same order', async () => {
  const searches: [q: string, limit?: number][] = [
    ...goldenQueries.map(({ q }): [string] => [q]),
    ...(runsAll ? [...Object.values(knownItems).flat(), ...misspelled] : []).map(({ q }): [string, number] => [q, 10]),
  ];
  const different: string[] = [];
  for (const [q, limit] of searches) {
    const results = await Promise.all(engines.map(async ({ name }) => summarize(await ask(name, q, limit))));
    if (new Set(results.map((result) => JSON.stringify(result))).size > 1) different.push(q);
  }
  expect(different).toEqual([]);
});

describe('a golden query', () => {
  const labels = agents.map(labelOf);

  test('names existing agents by unique labels', () => {
    const named = new Set(
      goldenQueries.flatMap(({ first, later = [], has = [], not = [] }) => [...first.flat(), ...later, ...has, ...not]),
    );
    expect([...named].filter((label) => labels.filter((other) => other === label).length !== 1)).toEqual([]);
  });

  test.runIf(runsAll)('agrees with the oracle where nothing is misspelled', () => {
    const judgeAll = createOracle(agents);
    const contradictions = goldenQueries
      .filter(({ kind }) => kind !== 'forgiving')
      .flatMap(({ q, first, later = [], has = [], not = [], only = false }) => {
        const found = new Set([...first.flat(), ...later, ...has]);
        const judged = only
          ? agents
          : agents.filter((agent) => found.has(labelOf(agent)) || not.includes(labelOf(agent)));
        const verdicts = only ? judgeAll(q) : createOracle(judged)(q);
        return judged
          .map(labelOf)
          .filter((label, index) => (found.has(label) ? verdicts[index] !== 'yes' : verdicts[index] !== 'no'))
          .map((label) => `${q}: ${label}`);
      });
    expect(contradictions).toEqual([]);
  });
});

/** The first results, grouped like `first`. */
function asGrouped(labels: readonly string[], { first }: GoldenQuery): string[][] {
  let at = 0;
  return first.map((group) => {
    const { length } = asGroup(group);
    at += length;
    return asGroup(labels.slice(at - length, at));
  });
}

function asGroup(group: string | readonly string[]): string[] {
  return [group].flat().toSorted();
}

function summarize({ agents, correction }: Found) {
  return { agents: agents.map((agent) => `${labelOf(agent)} (${agent.id})`), correction };
}

/** The rank of the first wanted agent, from 1; Infinity if there is none. */
function rankOf({ wanted }: ItemQuery, { agents }: Found): number {
  const index = agents.findIndex(({ id }) => wanted.has(id));
  return index === -1 ? Infinity : index + 1;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

function shorten(q: string): string {
  return q.length > 40 ? `${q.slice(0, 40)}…` : q;
}
