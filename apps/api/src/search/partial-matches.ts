import { levels, toWord, type Level } from './agent-tokens.ts';
import type { TokenReader } from './token-index.ts';
import { matchChunk, NO_FORMS, type QueryPart, type SearchQuery } from './tiers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The latest agents with a word at a level that are compared. */
const MAX_CANDIDATES = 200;
/** Most words of a search that are compared, and most agents that are compared with all of them. */
const MAX_WORDS = 10;
const MAX_COMPARED = 1_000;
/** The weight of a word by the first level that has it. */
const LEVEL_WEIGHTS: Record<Level, number> = { '@': 2, '&': 1.5, '%': 1, '': 1 };
/** The weight of another form of a word. */
const FORM_WEIGHTS = { stem: 0.9, synonym: 0.7 };

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** A word of the search, the agents that the index finds by it, and its weight. */
type Word = { part: QueryPart; weights: Map<number, number>; rarity: number };

/**
 * The agents with some words of a search, at most `limit`: by the sum of the rarity of the words they have, where words in
 * the name and the capabilities weigh more; equal ones latest first.
 */
export async function findPartialMatches(
  index: TokenReader,
  { query, vocabulary, limit }: { query: SearchQuery; vocabulary: Vocabulary; limit: number },
): Promise<number[]> {
  const parts = query.chunks.flatMap((chunk) => chunk.parts).flatMap(cutRun);
  const words = await Promise.all(parts.slice(0, MAX_WORDS).map(findWord));
  const candidates = new Set<number>();
  for (const { weights } of words.toSorted((a, b) => b.rarity - a.rarity)) {
    for (const seq of weights.keys()) if (candidates.size < MAX_COMPARED) candidates.add(seq);
  }
  const terms = await index.readTermsOf([...candidates]);
  const scores = new Map(terms.map(({ seq, terms: text }) => [seq, score(seq, readLevels(text))]));
  return [...scores]
    .toSorted(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
    .slice(0, limit)
    .map(([seq]) => seq);

  async function findWord(part: QueryPart): Promise<Word> {
    const weights = new Map<number, number>();
    const find = (level: Level) =>
      index.match(matchChunk({ parts: [part], joined: undefined }, level, 'synonym'), {
        limit: MAX_CANDIDATES,
        atMost: Number.MAX_SAFE_INTEGER,
      });
    const [anywhere = [], ...closer] = await Promise.all(
      [levels.description, levels.capabilities, levels.name].map(find),
    );
    for (const seq of anywhere) weights.set(seq, LEVEL_WEIGHTS['']);
    for (const seq of closer[0] ?? []) weights.set(seq, LEVEL_WEIGHTS['&']);
    for (const seq of closer[1] ?? []) weights.set(seq, LEVEL_WEIGHTS['@']);
    const used = [part.text, ...part.forms.stem].reduce((sum, text) => sum + vocabulary.countAgents(text), 0);
    const agents = anywhere.length < MAX_CANDIDATES ? anywhere.length : Math.max(anywhere.length, used);
    return { part, weights, rarity: Math.log(1 + vocabulary.agents / Math.max(1, agents)) };
  }

  function score(seq: number, levelOf: ReadonlyMap<string, Level>): number {
    let sum = 0;
    for (const { part, weights, rarity } of words) {
      const { stem, synonym } = part.forms;
      const weigh = (text: string) => {
        const level = levelOf.get(text);
        return level === undefined ? 0 : LEVEL_WEIGHTS[level];
      };
      const own = weigh(part.text);
      const other = Math.max(
        0,
        ...stem.map((text) => FORM_WEIGHTS.stem * weigh(text)),
        ...synonym.map((phrase) => FORM_WEIGHTS.synonym * Math.min(...phrase.map(weigh))),
      );
      // What the index found may be a prefix, or a word past the terms that are kept of an agent.
      const found = Math.max(own, other) || FORM_WEIGHTS.synonym * (weights.get(seq) ?? 0);
      sum += rarity * found;
    }
    return sum;
  }
}

/** The words of a text without blanks, which is searched in one piece otherwise. */
function cutRun(part: QueryPart): QueryPart[] {
  if (!part.isRun) return [part];
  const pieces = [...segmenter.segment(part.text)].map(({ segment }) => segment);
  return pieces.map((text) => ({ ...part, text, forms: pieces.length > 1 ? NO_FORMS : part.forms }));
}

function readLevels(terms: string): Map<string, Level> {
  return new Map(
    terms.split(' ').map((term) => {
      const word = toWord(term);
      return [word, term.slice(0, term.length - word.length) as Level];
    }),
  );
}
