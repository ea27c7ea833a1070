import { setImmediate } from 'node:timers/promises';
import { fold, UNSPACED_SCRIPTS, WORD_PATTERN } from '@agent-registry/contracts';
import { toNameBeginning, type StoredTexts, type TokenReader } from './agent-tokens.ts';
import { analyze, type Chunk } from './analyze.ts';
import { ranking } from './ranking.ts';
import type { Alternative, Scoring } from './scoring.ts';

export const fields = ['name', 'capabilities', 'text'] as const;
type Field = (typeof fields)[number];

const WORDS = new RegExp(WORD_PATTERN, 'gu');
/** The same for folded ASCII text, several times faster. */
const ASCII_WORDS = /[a-z0-9]+(?:\+\+|[+#](?![a-z0-9]))?/g;
const ASCII = /^[\0-\x7f]*$/;
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'gu');
/** Two capabilities, or an example task and the description, are not near each other. */
const APART = 100;

/** What a query has in common with an agent. */
type Hits = {
  agent: StoredTexts;
  /** For each term and field, the weight of the best word that stands for it. */
  weights: readonly Record<Field, number>[];
  /** For each term, the best word that stands for it. */
  best: readonly (Alternative | undefined)[];
  used: readonly Alternative[];
  /** The least distance of two terms in words, at the place of `first * terms + second`; 0 if they are not near. */
  distances: readonly number[];
  /** 3 if the name is the text, 2 if it begins with its words, 1 if it begins so. */
  nameRank: 0 | 1 | 2 | 3;
  /** Whether the name is nothing but a common word. */
  isBare: boolean;
  /** The words of example tasks and description, and of the name; the number of capabilities. */
  lengths: Record<Field, number>;
};

/** A scored agent, with what each term adds, and words near each other. */
export type Scored = Hits & { score: number; parts: { terms: readonly number[]; near: number } };

/** Reads the texts of agents: of the first ones, and of as many others as their length leaves time for. */
async function readSome(index: TokenReader, seqs: readonly number[]): Promise<StoredTexts[]> {
  const { maxRead, alwaysScored, scoredLength } = ranking;
  const first = seqs.length === 0 ? [] : await index.readTexts(seqs.slice(0, alwaysScored), maxRead);
  const lengths = first.flatMap(({ name, capabilities, tasks, description }) => [
    name,
    capabilities,
    tasks,
    description,
  ]);
  const room = Math.floor((alwaysScored * scoredLength) / lengths.join('').length);
  const others = seqs.slice(alwaysScored, room);
  return others.length === 0 ? first : [...first, ...(await index.readTexts(others, maxRead))];
}

/**
 * Reads agents and scores them: best first. Long texts leave later ones out.
 * @param hasAll whether they have all terms, in texts that are not read if in no others
 */
export async function scoreSeqs(index: TokenReader, seqs: readonly number[], scoring: Scoring, hasAll: boolean) {
  const agents = await readSome(index, seqs);
  const hits: Hits[] = [];
  for (const [at, agent] of agents.entries()) {
    // Scoring can take milliseconds, so the event loop gets its turn.
    if (at % ranking.agentsPerTurn === ranking.agentsPerTurn - 1) await setImmediate();
    hits.push(readHits(agent, scoring));
  }
  const rarities = scoring.terms.map(({ agents: known, weight }, term) => {
    const found = hits.filter(({ best }) => best[term] !== undefined).length;
    const count = Math.min(scoring.agents, Math.max(known, found));
    return weight * Math.log(1 + (scoring.agents - count + 0.5) / (count + 0.5));
  });
  const scored = hits.map((hit) => ({ ...hit, ...score(hit, rarities, hasAll) }));
  return scored.toSorted((a, b) => compare(a, b, hasAll));
}

/**
 * The order: the name, all words without synonyms, the score, shorter texts by doublings, a proof of the website, the
 * older agent.
 */
function compare(a: Scored, b: Scored, hasAll: boolean): number {
  if (a.nameRank !== b.nameRank) return b.nameRank - a.nameRank;
  if (hasAll && isTyped(a) !== isTyped(b)) return Number(isTyped(b)) - Number(isTyped(a));
  const isSameName = a.nameRank === 3;
  return (
    (isSameName ? 0 : b.score - a.score || a.lengths.text - b.lengths.text || hasProof(b) - hasProof(a)) ||
    a.agent.seq - b.agent.seq
  );
}

/** Whether an agent has all words of a query as they were typed, or of several words the same stems. */
function isTyped({ best }: Scored): boolean {
  return best.every((word) => {
    return word?.kind === 'typed' || word?.kind === 'prefix' || (best.length > 1 && word?.kind === 'stem');
  });
}

const hasProof = ({ agent }: Scored) => Number(agent.websiteCheckedAt !== null);

/** BM25F over the fields, more for words near each other. */
function score(hits: Hits, rarities: readonly number[], hasAll: boolean): Pick<Scored, 'score' | 'parts'> {
  const { weights, distances } = hits;
  const { saturation, unreadWeight, nearWeight } = ranking;
  const perField = weighFields(hits);
  const found = rarities.map((_, term) =>
    fields.reduce((sum, field) => sum + perField[field] * (weights[term]?.[field] ?? 0), 0),
  );
  const terms = rarities.map((rarity, term) => {
    const weight = found[term] === 0 && hasAll ? unreadWeight * perField.text : (found[term] ?? 0);
    return (rarity * weight * (saturation + 1)) / (saturation + weight);
  });
  const near = distances.reduce((sum, distance, place) => {
    if (distance === 0) return sum;
    const [first, second] = [Math.floor(place / rarities.length), place % rarities.length];
    return sum + (nearWeight * Math.min(rarities[first] ?? 0, rarities[second] ?? 0)) / distance;
  }, 0);
  const whole = terms.reduce((sum, amount) => sum + amount, 0) + near;
  // Rounded, so that agents that match alike are equal on every machine.
  return { score: Math.round(1_000 * whole), parts: { terms, near } };
}

function weighFields({ lengths, isBare }: Hits): Record<Field, number> {
  const { fieldWeights, lengthShares, usualLengths } = ranking;
  const norm = (field: 'name' | 'text') =>
    1 - lengthShares[field] + (lengthShares[field] * lengths[field]) / usualLengths[field];
  return {
    name: (isBare ? fieldWeights.commonName : fieldWeights.name) / norm('name'),
    capabilities: fieldWeights.capabilities / Math.sqrt(lengths.capabilities),
    text: fieldWeights.text / norm('text'),
  };
}

function readHits(agent: StoredTexts, scoring: Scoring): Hits {
  const { terms } = scoring;
  const beginning = scoring.beginning?.words[0];
  const weights = terms.map(() => ({ name: 0, capabilities: 0, text: 0 }));
  const best = Array.from<Alternative | undefined>({ length: terms.length });
  const used = new Set<Alternative>();
  const distances = Array.from({ length: terms.length ** 2 }, () => 0);
  const name = analyze(agent.name);
  const text = fold(`${parseList(agent.tasks).join(' . ')} ${agent.description}`);
  const capabilities = parseList(agent.capabilities);

  // The words of a name stand at the places of its chunks.
  let recent: { term: number; at: number }[] = [];
  for (const [at, { terms: parts, joined }] of name.entries()) {
    for (const word of [...parts.flatMap(({ text: own, subwords }) => [own, ...subwords]), joined ?? '']) {
      findWord([word], 0, { field: 'name', at });
    }
  }
  findRuns(fold(agent.name), 'name', 0);
  for (const [place, capability] of capabilities.entries()) findIn(fold(capability), 'capabilities', place * APART);
  const words = findIn(text, 'text', 0);
  const isBare = scoring.isCommon && name.length === 1;
  const least = isBare ? ranking.minLengths.bare : 1;
  return {
    agent,
    weights,
    best,
    used: [...used],
    distances,
    nameRank: isBare ? 0 : rankName(name, scoring),
    isBare,
    lengths: { name: name.length, capabilities: Math.max(least, capabilities.length), text: measure(text, words) },
  };

  /** Finds the words of a folded text, and returns all of its words. */
  function findIn(folded: string, field: Field, from: number): readonly string[] {
    recent = [];
    const all = folded.match(ASCII.test(folded) ? ASCII_WORDS : WORDS) ?? [];
    for (let index = 0; index < all.length; index += 1) {
      // Most words stand for no term.
      if (scoring.letters.includes(all[index]?.[0] ?? '')) findWord(all, index, { field, at: from + index });
    }
    findRuns(folded, field, from);
    return all;
  }

  function findWord(words: readonly string[], index: number, place: { field: Field; at: number }): void {
    const word = words[index] ?? '';
    for (const alternative of scoring.byWord.get(word) ?? []) {
      if (alternative.words.every((other, next) => words[index + next] === other)) hit(alternative, place);
    }
    if (beginning !== undefined && word.startsWith(beginning)) hit(scoring.beginning as Alternative, place);
  }

  function findRuns(folded: string, field: Field, from: number): void {
    if (scoring.runs.length === 0) return;
    recent = [];
    const places = scoring.runs.flatMap((run) => {
      const at = folded.indexOf(run.words[0] ?? '');
      return at < 0 ? [] : [{ run, at }];
    });
    for (const { run, at } of places.toSorted((a, b) => a.at - b.at)) hit(run, { field, at: from + at / 2 });
  }

  function hit(alternative: Alternative, { field, at }: { field: Field; at: number }): void {
    const { term, weight } = alternative;
    const own = weights[term];
    if (!own) return;
    used.add(alternative);
    if (weight > own[field]) own[field] = weight;
    if (weight > (best[term]?.weight ?? 0)) best[term] = alternative;
    recent = recent.filter((other) => at - other.at <= ranking.maxDistance);
    for (const other of recent) {
      if (other.term === term) continue;
      const place = Math.min(term, other.term) * terms.length + Math.max(term, other.term);
      const distance = Math.max(1, at - other.at);
      if (distances[place] === 0 || distance < (distances[place] ?? 0)) distances[place] = distance;
    }
    recent.push({ term, at });
  }
}

/** How much of a name the text of a query is. */
function rankName(name: readonly Chunk[], { names }: Scoring): Hits['nameRank'] {
  if (!names || name.length === 0) return 0;
  const own = toNameBeginning(name);
  if (names.exact.includes(`${own}$`) || names.exact.includes(`${toNameBeginning(name, '')}$`)) return 3;
  return own.startsWith(`${names.beginning}_`) ? 2 : own.startsWith(names.beginning) ? 1 : 0;
}

/** The length of a text in words, to the nearest power of two, so that a little shorter is not better, nor hardly any text. */
function measure(text: string, { length }: readonly string[]): number {
  const words = length + (ASCII.test(text) ? 0 : (text.match(UNSPACED)?.length ?? 0) / 2);
  return 2 ** Math.round(Math.log2(Math.max(ranking.minLengths.text, words)));
}

/** The texts of a JSON array, of which the last ones may be cut off. */
function parseList(json: string): string[] {
  const texts = json.slice(2).replace(/"?\]?$/u, '');
  return json === '' || json === '[]' ? [] : texts.split('","');
}
