import { levels, toWord, type Level } from './agent-tokens.ts';
import type { TokenReader } from './token-index.ts';
import { matchChunk, NO_FORMS, type QueryTerm, type SearchQuery } from './tiers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The latest agents with a word at a level that are compared. */
const MAX_CANDIDATES = 200;
/** Most words of a search that are compared, and most agents that are compared with all of them. */
const MAX_WORDS = 10;
const MAX_COMPARED = 1_000;
/** The weight of a word by the first level that has it. */
const LEVEL_WEIGHTS: Record<Level, number> = { '@': 1.2, '&': 1.1, '%': 1, '': 1 };
/** The weight of another form of a word. */
const FORM_WEIGHTS = { stem: 0.9, synonym: 0.7 };

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** A word of the search, agents that the index finds by it, and its weight. */
type Word = { term: QueryTerm; seqs: ReadonlySet<number>; rarity: number };

/**
 * The agents with some words of a search, at most `limit`: by the sum of the rarity of the words they have, where words in
 * the name and the capabilities weigh more; equal ones latest first.
 */
export async function findPartialMatches(
  index: TokenReader,
  { query, vocabulary, limit }: { query: SearchQuery; vocabulary: Vocabulary; limit: number },
): Promise<number[]> {
  const terms = query.chunks.flatMap((chunk) => chunk.terms).flatMap(cutRun);
  const words = await Promise.all(terms.slice(0, MAX_WORDS).map(findWord));
  const candidates = new Set<number>();
  for (const { seqs } of words.toSorted((a, b) => b.rarity - a.rarity)) {
    for (const seq of seqs) if (candidates.size < MAX_COMPARED) candidates.add(seq);
  }
  const wanted = new Set(words.flatMap(({ term: { text, forms } }) => [text, ...forms.stem, ...forms.synonym.flat()]));
  const agents = await index.readTermsOf([...candidates]);
  const scores = new Map(agents.map(({ seq, terms }) => [seq, score(seq, readLevels(terms, wanted))]));
  return [...scores]
    .toSorted(([oneSeq, one], [otherSeq, other]) => other - one || otherSeq - oneSeq)
    .slice(0, limit)
    .map(([seq]) => seq);

  async function findWord(term: QueryTerm): Promise<Word> {
    const find = (level: Level) =>
      index.match(matchChunk({ terms: [term], joined: undefined }, level, 'synonym'), { limit: MAX_CANDIDATES });
    const seqs = new Set(await find(levels.description));
    if (seqs.size < MAX_CANDIDATES) return { term, seqs, rarity: toRarity(seqs.size) };
    for (const level of [levels.capabilities, levels.name]) for (const seq of await find(level)) seqs.add(seq);
    const used = [term.text, ...term.forms.stem].reduce((sum, text) => sum + vocabulary.countAgents(text), 0);
    return { term, seqs, rarity: toRarity(Math.max(MAX_CANDIDATES, used)) };
  }

  function toRarity(found: number): number {
    return Math.log(1 + vocabulary.agents / Math.max(1, found));
  }

  function score(seq: number, levelOf: ReadonlyMap<string, Level>): number {
    let sum = 0;
    for (const { term, seqs, rarity } of words) {
      const { stem, synonym } = term.forms;
      const weigh = (text: string) => {
        const level = levelOf.get(text);
        return level === undefined ? 0 : LEVEL_WEIGHTS[level];
      };
      const own = weigh(term.text);
      const other = Math.max(
        0,
        ...stem.map((text) => FORM_WEIGHTS.stem * weigh(text)),
        ...synonym.map((phrase) => FORM_WEIGHTS.synonym * Math.min(...phrase.map(weigh))),
      );
      // What the index found may be a prefix, or a word past the terms that are kept of an agent.
      const found = Math.max(own, other) || (seqs.has(seq) ? FORM_WEIGHTS.synonym : 0);
      sum += rarity * found;
    }
    return sum;
  }
}

/** The words of a text without blanks, which is searched in one piece otherwise. */
export function cutRun(term: QueryTerm): QueryTerm[] {
  if (!term.isRun) return [term];
  const pieces = [...segmenter.segment(term.text)].map(({ segment }) => segment);
  return pieces.map((text) => ({ ...term, text, forms: pieces.length > 1 ? NO_FORMS : term.forms }));
}

/** The levels of the wanted words among the terms of an agent. */
function readLevels(terms: string, wanted: ReadonlySet<string>): Map<string, Level> {
  const levelOf = new Map<string, Level>();
  for (const term of terms.split(' ')) {
    const word = toWord(term);
    if (wanted.has(word)) levelOf.set(word, term.slice(0, term.length - word.length) as Level);
  }
  return levelOf;
}
