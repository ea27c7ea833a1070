// How good the order of a search is: `node bench/src/needs.ts <agents.ndjson>` asks the judged needs of `bench/needs` and
// names of the agents of a file. With `--unjudged` it prints the first results that nobody has judged yet.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import SQLite from 'better-sqlite3';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { createKyselyAgentStore } from '../../apps/api/src/agents/kysely-agent-store.ts';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { makeKnownItemQueries, makeMisspelledQueries } from '../../apps/api/src/testing/search-queries.ts';
import { makeFile } from './corpus.ts';
import { toColumns } from './search-queries.ts';

/** The first results that count. */
const DEPTH = 10;
/** Names of each kind. */
const NAMES = 200;

/** Finds the first results of a text. */
type Search = (text: string) => Promise<Agent[]>;
/** A need with the grades of agents, by their keys. */
type Need = { half: string; language: string; text: string; grades: Map<string, number> };

const { positionals, values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: { unjudged: { type: 'boolean', default: false }, each: { type: 'boolean', default: false } },
});
const [file] = positionals;
if (file === undefined) {
  console.error('Usage: node bench/src/needs.ts <agents.ndjson> [--unjudged] [--each]');
  process.exit(2);
}
const agents = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => makeAgent(JSON.parse(line) as Agent));
const needs = readNeeds();
const place = await makeFile();
const { engine } = await openDatabase(place.url);
const store = createKyselyAgentStore(engine);
await store.load(agents);
const search: Search = async (text) => (await store.search({ text, limit: DEPTH }))?.agents ?? [];
const searches = { search, 'plain FTS5': createPlainSearch() };
// The first search of a process reads the vocabulary.
await search('agent');

if (values.unjudged) await printUnjudged();
else {
  for (const [name, find] of Object.entries(searches)) await printNeeds(name, find);
  await printNames();
}
await engine.close();
await place.remove();

function readNeeds(): Need[] {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../needs', name), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
  const found = read('needs.tsv').map(
    ([half = '', language = '', text = '']): Need => ({ half, language, text, grades: new Map() }),
  );
  for (const [need, grade, name = '', website = ''] of read('judgments.tsv')) {
    found[Number(need) - 1]?.grades.set(toKey({ name, website }), Number(grade));
  }
  return found;
}

function toKey({ name, website }: Pick<Agent, 'name' | 'website'>): string {
  return `${name}\t${website ?? ''}`;
}

/** The words of a text, any of them, in an index of FTS5 ordered by its rank. */
function createPlainSearch(): Search {
  const database = new SQLite(':memory:');
  database.exec('CREATE VIRTUAL TABLE texts USING fts5(name, capabilities, category, description)');
  const insert = database.prepare('INSERT INTO texts VALUES (?, ?, ?, ?)');
  for (const agent of agents) insert.run(...toColumns(agent));
  const select = database.prepare('SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY rank LIMIT ?').pluck();
  return async (text) => {
    const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
    const seqs = select.all(words.map((word) => `"${word}"`).join(' OR '), DEPTH) as number[];
    return seqs.flatMap((seq) => agents[seq - 1] ?? []);
  };
}

async function printNeeds(name: string, find: Search): Promise<void> {
  const gains: Record<string, number[]> = {};
  let empty = 0;
  for (const need of needs) {
    const found = await find(need.text);
    if (found.length === 0) empty += 1;
    const gain = measureGain(found, need);
    for (const group of ['all', need.half, need.language === 'en' ? 'English' : 'others']) {
      (gains[group] ??= []).push(gain);
    }
    if (values.each) console.log(`${(100 * gain).toFixed(0).padStart(4)} ${need.half[0]} ${need.text}`);
  }
  const figures = Object.entries(gains).map(([group, some]) => `${group} ${percent(mean(some))}`);
  console.log(`${name}: nDCG@${DEPTH} × 100 of ${needs.length} needs: ${figures.join(', ')}; empty ${empty}`);
}

/** The discounted gain of the first results, as a share of the gain of the best order of all graded agents. */
function measureGain(found: readonly Agent[], { grades }: Need): number {
  const sum = (list: readonly number[]) =>
    list.slice(0, DEPTH).reduce((total, grade, at) => total + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const best = [...grades.values()].toSorted((a, b) => b - a);
  return sum(found.map((agent) => grades.get(toKey(agent)) ?? 0)) / sum(best);
}

async function printNames(): Promise<void> {
  const figures: string[] = [];
  for (const [kind, queries] of Object.entries({
    ...makeKnownItemQueries(agents, NAMES, makeRandom(2)),
    misspelled: makeMisspelledQueries(agents, NAMES, makeRandom(3)),
  })) {
    const ranks: number[] = [];
    for (const { q, wanted } of queries) ranks.push((await search(q)).findIndex(({ id }) => wanted.has(id)) + 1);
    figures.push(`${kind} ${percent(mean(ranks.map((rank) => (rank === 0 ? 0 : 1 / rank))))}`);
  }
  console.log(`names: MRR@${DEPTH} × 100: ${figures.join(', ')}`);
}

/** Prints the first results of each need that have no grade and are not known to be worth nothing. */
async function printUnjudged(): Promise<void> {
  for (const [at, { text, grades }] of needs.entries()) {
    console.log(`# ${at + 1} ${text}`);
    const found = await Promise.all(Object.values(searches).map((find) => find(text)));
    for (const agent of new Set(found.flat())) {
      const { name, capabilities, description } = agent;
      if (!grades.has(toKey(agent))) console.log(`${name} | ${capabilities.join(', ')} | ${description.slice(0, 160)}`);
    }
  }
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
