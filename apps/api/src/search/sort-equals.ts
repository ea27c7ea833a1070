import { setImmediate } from 'node:timers/promises';
import { fold } from '@agent-registry/contracts';
import { ranking } from './ranking.ts';
import type { QueryTerm } from './read-query.ts';
import type { StoredTexts, TokenReader } from './token-index.ts';

/** The words of a term, and whether they are found inside of words. */
type Pattern = { words: readonly string[]; isInfix: boolean };

/**
 * Sorts agents that match a query alike: words that stand near each other first, then words in more of the texts, then
 * shorter texts, a proved website, and the older entry.
 */
export async function sortEquals(
  index: TokenReader,
  seqs: readonly number[],
  terms: readonly QueryTerm[],
): Promise<readonly number[]> {
  if (seqs.length < 2) return seqs;
  const patterns = terms.map(toPattern);
  const scored: { seq: number; score: readonly number[] }[] = [];
  const agents = await index.readTexts(seqs);
  for (const [at, agent] of agents.entries()) {
    // Scoring can take milliseconds, so the event loop gets its turn.
    if (at % ranking.agentsPerTurn === ranking.agentsPerTurn - 1) await setImmediate();
    scored.push({ seq: agent.seq, score: score(agent, patterns) });
  }
  return scored.toSorted((a, b) => compareScores(a.score, b.score) || a.seq - b.seq).map(({ seq }) => seq);
}

function toPattern({ text, isRun, subwords, forms }: QueryTerm): Pattern {
  const words = [text, ...subwords, ...forms.stem, ...forms.family, ...forms.synonym.flat()];
  return { words: [...words, ...forms.infix], isInfix: isRun || forms.infix.length > 0 };
}

/** The score of an agent, the most important part first; less is better. */
function score(agent: StoredTexts, patterns: readonly Pattern[]): number[] {
  const capabilities = JSON.parse(agent.capabilities) as string[];
  const texts = [agent.name, ...capabilities, agent.description].map((text) => fold(text));
  const places = texts.map((text) => patterns.map((pattern) => findPlaces(text, pattern)));
  const isIn = (fields: readonly number[][][]) => patterns.filter((_, at) => fields.some((found) => found[at]?.length));
  const fields = [places.slice(0, 1), places.slice(1, -1), places.slice(-1)];
  return [
    Math.min(...texts.map((text, at) => measureSpan(text, places[at] ?? []))),
    -fields.reduce((sum, field) => sum + isIn(field).length, 0),
    measureLength(texts),
    agent.websiteCheckedAt === null ? 1 : 0,
  ];
}

/** The places of the words of a pattern in a folded text. */
function findPlaces(text: string, { words, isInfix }: Pattern): number[] {
  const places: number[] = [];
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      if (isInfix || at === 0 || !/[\p{L}\p{N}]/u.test(text.charAt(at - 1))) places.push(at);
      if (places.length >= ranking.maxPlaces) return places;
    }
  }
  return places;
}

/** How far the words stand from each other in a text, as the first of `ranking.spans` that has room for them. */
function measureSpan(text: string, places: readonly number[][]): number {
  const { spans } = ranking;
  if (places.some((found) => found.length === 0)) return spans.length + 1;
  const [first = [], ...others] = places;
  let least = Infinity;
  for (const start of first) {
    let [from, to] = [start, start];
    for (const found of others) {
      const nearest = found.reduce((best, at) => (Math.abs(at - start) < Math.abs(best - start) ? at : best));
      [from, to] = [Math.min(from, nearest), Math.max(to, nearest)];
    }
    const blanks = to - from > ranking.maxSpanLength ? Infinity : text.slice(from, to).split(' ').length - 1;
    least = Math.min(least, blanks);
  }
  const between = Math.max(0, least - others.length);
  const fitting = spans.findIndex((span) => between <= span);
  return fitting < 0 ? spans.length : fitting;
}

/** The length of texts in doublings, so that a little shorter is not better, nor hardly any text. */
function measureLength(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.floor(Math.log2(Math.max(ranking.minComparedLength, length)));
}

function compareScores(a: readonly number[], b: readonly number[]): number {
  for (const [at, part] of a.entries()) {
    const other = b[at] ?? 0;
    if (part !== other) return part - other;
  }
  return 0;
}
