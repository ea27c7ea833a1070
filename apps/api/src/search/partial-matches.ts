import { setImmediate } from 'node:timers/promises';
import { levels, toWord, type Level } from './agent-tokens.ts';
import { addTranslations } from './add-forms.ts';
import { cutRun } from './cut-run.ts';
import { ranking } from './ranking.ts';
import type { QueryTerm, SearchQuery } from './read-query.ts';
import { restrict, type Restriction } from './restriction.ts';
import { matchChunk } from './tiers.ts';
import type { TokenReader } from './token-index.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Terms that are looked up at the same time: more would take the connections that other requests wait for. */
const TERMS_AT_ONCE = 2;

/** A term of the query, agents that the index finds by it, and its weight. */
type WeighedTerm = { term: QueryTerm; seqs: ReadonlySet<number>; rarity: number };

/** A word and the first level of an agent that has it. */
type LeveledWord = { word: string; level: Level };

/**
 * The agents with some terms of a query, at most `limit`: by the sum of the rarity of the terms they have, where terms in
 * the name and the capabilities weigh more; shorter texts weigh more, and the older
 * of equal ones comes first.
 */
export async function findPartialMatches(
  index: TokenReader,
  {
    query,
    hasSynonyms,
    vocabulary,
    limit,
  }: { query: SearchQuery; hasSynonyms: boolean; vocabulary: Vocabulary; limit: number },
): Promise<number[]> {
  const pieces = query.chunks.flatMap((chunk) => chunk.terms).flatMap(cutRun);
  const terms = pieces
    .slice(0, ranking.maxTerms)
    .map((term) => (term.isRun && hasSynonyms ? addTranslations(term) : term));
  const weighed: WeighedTerm[] = [];
  for (let begin = 0; begin < terms.length; begin += TERMS_AT_ONCE) {
    const some = terms.slice(begin, begin + TERMS_AT_ONCE);
    const { restriction } = query;
    weighed.push(...(await Promise.all(some.map((term) => weighTerm(index, term, { restriction, vocabulary })))));
  }
  const candidates = chooseCandidates(weighed);
  const agents = candidates.length > 0 ? await index.readTermsOf(candidates) : [];
  const wanted = toStoredTerms(
    terms.flatMap(({ text, forms }) => [text, ...forms.stem, ...forms.family, ...forms.synonym.flat()]),
  );
  const scored: { seq: number; score: number }[] = [];
  for (const [at, { seq, terms: text }] of agents.entries()) {
    // Scoring can take milliseconds, so the event loop gets its turn.
    if (at % ranking.agentsPerTurn === ranking.agentsPerTurn - 1) await setImmediate();
    scored.push({ seq, score: score({ seq, words: text.split(' ') }, wanted, weighed) });
  }
  return scored
    .toSorted((a, b) => b.score - a.score || a.seq - b.seq)
    .slice(0, limit)
    .map(({ seq }) => seq);
}

/** Finds the latest agents with a term, and its rarity. */
async function weighTerm(
  index: TokenReader,
  term: QueryTerm,
  { restriction, vocabulary }: { restriction: Restriction; vocabulary: Vocabulary },
): Promise<WeighedTerm> {
  const limit = ranking.maxCandidates;
  const find = (level: Level) =>
    index.match(restrict(matchChunk({ terms: [term], joined: undefined }, level, 'synonym'), restriction), { limit });
  const toRarity = (found: number) => Math.log(1 + vocabulary.agents / Math.max(1, found));
  const seqs = new Set(await find(levels.description));
  if (seqs.size < limit) return { term, seqs, rarity: toRarity(seqs.size) };
  // Of a frequent term, the agents that have it in the name are among the candidates too.
  const capable = await find(levels.capabilities);
  const named = capable.length < limit ? [] : await find(levels.name);
  for (const seq of [...capable, ...named]) seqs.add(seq);
  const used = [term.text, ...term.forms.stem].reduce((sum, text) => sum + vocabulary.countAgents(text), 0);
  return { term, seqs, rarity: toRarity(Math.max(limit, used)) };
}

/** The agents to compare: those of the rarest terms, if there are too many. */
function chooseCandidates(terms: readonly WeighedTerm[]): number[] {
  const byRarity = terms.toSorted((a, b) => b.rarity - a.rarity);
  return [...new Set(byRarity.flatMap(({ seqs }) => [...seqs]))].slice(0, ranking.maxCompared);
}

/** The sum of the rarity of the terms that an agent has, weighed by the levels of its words. */
function score(
  { seq, words }: { seq: number; words: readonly string[] },
  wanted: ReadonlyMap<string, LeveledWord>,
  terms: readonly WeighedTerm[],
): number {
  const levelOf = readLevels(words, wanted);
  const beginning = toWord(words[0] ?? '');
  const weigh = (text: string) => {
    const level = levelOf.get(text);
    if (level === undefined) return 0;
    return (text === beginning ? ranking.beginningWeight : 1) * ranking.levelWeights[level];
  };
  const { formWeights, lengthShare, usualLength } = ranking;
  let sum = 0;
  for (const { term, seqs, rarity } of terms) {
    const weights = [
      weigh(term.text),
      ...term.forms.stem.map((text) => formWeights.stem * weigh(text)),
      ...term.forms.family.map((text) => formWeights.family * weigh(text)),
      ...term.forms.synonym.map((phrase) => formWeights.synonym * Math.min(...phrase.map(weigh))),
    ];
    // The index also finds by a prefix, or by a word past the terms that are kept of an agent.
    sum += rarity * (Math.max(...weights) || (seqs.has(seq) ? formWeights.synonym : 0));
  }
  return sum / (1 - lengthShare + (lengthShare * words.length) / usualLength);
}

/** The terms of agents that are one of some words. */
function toStoredTerms(words: readonly string[]): Map<string, LeveledWord> {
  return new Map(words.flatMap((word) => Object.values(levels).map((level) => [level + word, { word, level }])));
}

/** The levels of the wanted words among the terms of an agent. */
function readLevels(terms: readonly string[], wanted: ReadonlyMap<string, LeveledWord>): Map<string, Level> {
  const levelOf = new Map<string, Level>();
  for (const term of terms) {
    const found = wanted.get(term);
    if (found) levelOf.set(found.word, found.level);
  }
  return levelOf;
}
