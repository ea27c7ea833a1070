// How good the order of a search is: `node bench/src/needs.ts <agents.ndjson>` asks the judged needs of `bench/needs`,
// names of the agents of a file, and wishes without a slip. With `--unjudged` it prints the first results that nobody has judged yet, with `--each` the
// figure of each need and the names that are not first, with `--ablate` what each mechanism of the search earns.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import SQLite from 'better-sqlite3';
import type { Agent } from '@agent-registry/contracts';
import { makeAgent } from '@agent-registry/contracts/testing/make-agent';
import { createAgentStore } from '../../apps/api/src/stores.ts';
import { openDatabase } from '../../apps/api/src/db/open-database.ts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { makeKnownItemQueries, makeMisspelledQueries } from '../../apps/api/src/testing/search-queries.ts';
import { createSqliteTokenReader } from '../../apps/api/src/db/sqlite/token-index.ts';
import { ranking } from '../../apps/api/src/search/ranking.ts';
import { createAgentSearch } from '../../apps/api/src/search/search.ts';
import { makeFile, toFile } from './corpus.ts';
import { toColumns } from './search-queries.ts';

/** The first results that count. */
const DEPTH = 10;
/** Names of each kind. */
const NAMES = 200;

/** What switches each mechanism of the search off. */
const mechanisms: Record<string, Partial<typeof ranking>> = {
  'words of the same stem': { maxStemForms: 0 },
  'parts of words': { maxInfixForms: 0 },
  'synonyms and translations': { formWeights: { ...ranking.formWeights, synonym: 0 } },
  corrections: { maxCorrections: 0 },
  'light words': { lightWeight: 1 },
  'words near each other': { nearWeight: 0 },
  'the lengths of fields': { lengthShares: { name: 0, text: 0 } },
  'fields in the score': { fieldWeights: { name: 1, commonName: 1, capabilities: 1, text: 1 } },
  'saturation of terms': { saturation: 1_000 },
  'names that are a common word': { commonShare: 1 },
  'owners apart': { maxOfOwner: 99 },
};

/** Finds the first results of a text. */
type Search = (text: string) => Promise<Agent[]>;
/** A need with the grades of agents, by their keys. */
type Need = { number: number; half: string; language: string; text: string; grades: Map<string, number> };

const { positionals, values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  allowPositionals: true,
  options: {
    half: { type: 'string', default: 'tuning' },
    unjudged: { type: 'boolean', default: false },
    each: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
  },
});
const [file] = positionals;
if (file === undefined) {
  console.error(
    'Usage: node bench/src/needs.ts <agents.ndjson> [--half tuning|held out|unseen] [--unjudged|--each|--ablate]',
  );
  process.exit(2);
}
const agents = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => makeAgent(JSON.parse(line) as Agent));
const needs = readNeeds().filter(({ half }) => half === values.half);
const place = await makeFile();
const { engine } = await openDatabase(place.url);
const store = createAgentStore(engine);
await store.load(agents);
const connection = new SQLite(toFile(place.url), { readonly: true });
const byId = new Map(agents.map((agent) => [agent.id, agent]));
const agentOf = new Map(
  (connection.prepare('SELECT seq, id FROM agents').all() as { seq: number; id: string }[]).map(({ seq, id }) => [
    seq,
    byId.get(id) as Agent,
  ]),
);
const searchIndex = createAgentSearch(createSqliteTokenReader(connection));
const search: Search = async (text) => {
  const seqs = (await searchIndex({ text, limit: DEPTH }))?.seqs ?? [];
  return seqs.flatMap((seq) => agentOf.get(seq) ?? []);
};
const searches = { search, 'plain FTS5': createPlainSearch() };
// The first search of a process reads the vocabulary.
await search('agent');

if (values.unjudged) await printUnjudged();
else if (values.ablate) await printAblations();
else {
  for (const [name, find] of Object.entries(searches)) await printNeeds(name, find);
  await printNames();
  await printWishes();
}
connection.close();
await engine.close();
await place.remove();

function readNeeds(): Need[] {
  const read = (name: string) =>
    readFileSync(join(import.meta.dirname, '../needs', name), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split('\t'));
  const found = read('needs.tsv').map(([half = '', language = '', text = ''], at): Need => ({
    number: at + 1,
    half,
    language,
    text,
    grades: new Map(),
  }));
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
  const { gains, empty } = await askNeeds(find);
  const figures = Object.entries(gains).map(([group, some]) => `${group} ${percent(mean(some))}`);
  console.log(`${name}: nDCG@${DEPTH} × 100 of ${needs.length} needs: ${figures.join(', ')}; empty ${empty}`);
}

/** The gains of the needs by group, and how many find nothing. */
async function askNeeds(find: Search): Promise<{ gains: Record<string, number[]>; empty: number }> {
  const gains: Record<string, number[]> = {};
  let empty = 0;
  for (const need of needs) {
    const found = await find(need.text);
    if (found.length === 0) empty += 1;
    const gain = measureGain(found, need);
    for (const group of [need.half, need.language === 'en' ? 'English' : 'others']) (gains[group] ??= []).push(gain);
    if (values.each) console.log(`${(100 * gain).toFixed(0).padStart(4)} ${need.text}`);
  }
  return { gains, empty };
}

/** Prints what needs and names lose without each mechanism, and the time that the searches take then. */
async function printAblations(): Promise<void> {
  const original = structuredClone(ranking);
  const measure = async () => {
    const begin = performance.now();
    const { gains } = await askNeeds(search);
    const names = mean(Object.values(await askNames()).map(mean));
    return { needs: mean(gains[values.half] ?? []), names, time: performance.now() - begin };
  };
  const whole = await measure();
  console.log(`whole: needs ${percent(whole.needs)}, names ${percent(whole.names)}`);
  for (const [name, change] of Object.entries(mechanisms)) {
    Object.assign(ranking, change);
    const without = await measure();
    Object.assign(ranking, structuredClone(original));
    const earned = (key: 'needs' | 'names') => percent(whole[key] - without[key]).padStart(5);
    const time = (without.time / whole.time).toFixed(2);
    console.log(`needs ${earned('needs')}, names ${earned('names')}, time without × ${time}: ${name}`);
  }
}

/** The discounted gain of the first results, as a share of the gain of the best order of all graded agents. */
function measureGain(found: readonly Agent[], { grades }: Need): number {
  const sum = (list: readonly number[]) =>
    list.slice(0, DEPTH).reduce((total, grade, at) => total + (2 ** grade - 1) / Math.log2(at + 2), 0);
  const best = [...grades.values()].toSorted((a, b) => b - a);
  return sum(found.map((agent) => grades.get(toKey(agent)) ?? 0)) / sum(best);
}

async function printNames(): Promise<void> {
  const figures = Object.entries(await askNames()).map(([kind, ranks]) => `${kind} ${percent(mean(ranks))}`);
  console.log(`names: MRR@${DEPTH} × 100: ${figures.join(', ')}`);
}

/** Prints the wishes without a slip that the search says to have corrected: none should be. */
async function printWishes(): Promise<void> {
  const wishes = readFileSync(join(import.meta.dirname, '../needs/wishes.txt'), 'utf8')
    .trim()
    .split('\n');
  const announced: string[] = [];
  for (const text of wishes) {
    const correction = (await searchIndex({ text, limit: DEPTH }))?.correction;
    if (correction !== undefined) announced.push(`${text} → ${correction}`);
  }
  console.log([`wishes: ${announced.length} of ${wishes.length} announced as corrected`, ...announced].join('\n  '));
}

/** The reciprocal rank of the wanted agent for names of each kind, 0 past the last. */
async function askNames(): Promise<Record<string, number[]>> {
  const named = agents.filter(({ capabilities }) => capabilities.length > 0);
  const queries = {
    ...makeKnownItemQueries(named, NAMES, makeRandom(2)),
    misspelled: makeMisspelledQueries(agents, NAMES, makeRandom(3)),
  };
  const ranks: Record<string, number[]> = {};
  for (const [kind, list] of Object.entries(queries)) {
    ranks[kind] = [];
    for (const { q, wanted } of list) {
      const found = await search(q);
      const rank = found.findIndex(({ id }) => wanted.has(id)) + 1;
      ranks[kind].push(rank === 0 ? 0 : 1 / rank);
      if (values.each && rank !== 1) console.log(`${kind} ${rank} ${q} → ${found.map(({ name }) => name).join('; ')}`);
    }
  }
  return ranks;
}

/** Prints the first results of each need that have no grade and are not known to be worth nothing. */
async function printUnjudged(): Promise<void> {
  for (const { number, text, grades } of needs) {
    console.log(`# ${number} ${text}`);
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
