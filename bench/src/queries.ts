import { categories, MAX_SEARCH_LENGTH, type Agent } from '@agent-registry/contracts';
import { makeRandom } from '../../apps/api/src/testing/corpora.ts';
import { MAX_CONTAINING } from '../../apps/api/src/search/read-query.ts';

/** What searchers type. */
export const kinds = ['exact', 'prefix', 'substring', 'misspelled'] as const;

/** A way to search. */
export type Kind = (typeof kinds)[number];

/** A search, and what an index is asked that is told the words that were found. */
export type Query = {
  text: string;
  /** All of these must occur, each as any of its words. */
  raw: RawWord[][];
};

/** A word as it stands in the index, or the beginning of one. */
export type RawWord = { word: string; isPrefix: boolean };

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Draws numbers and items at random, the same each time. */
type Draw = { below: (limit: number) => number; pick: <Item>(items: ArrayLike<Item>) => Item };

/** Draws different searches of a kind, the same each time: words of names and capabilities, as frequent as they are there. */
export function makeQueries(kind: Kind, agents: readonly Agent[], count: number): Query[] {
  const draw = makeDraw(kinds.indexOf(kind) + 1);
  const vocabulary = kind === 'substring' ? [...countWords(agents).keys()] : [];
  const queries = new Map<string, Query>();
  while (queries.size < count) {
    const agent = draw.pick(agents);
    const named = draw.pick(toWords(agent.name));
    const told = draw.pick(toWords(agent.capabilities.join(' ')));
    const [word, other] = draw.below(2) === 0 ? [named, told] : [told, named];
    const ending = makeEnding(kind, word, draw);
    if (ending === undefined) continue;
    // Half of the searches have two words, of which the first is whole; parts of words are looked for alone.
    const first = kind === 'substring' || draw.below(2) === 0 ? [] : [other];
    const text = [...first, ending].join(' ');
    const raw = first.map((word) => [{ word, isPrefix: false }]);
    if (kind === 'substring') {
      const containing = vocabulary.filter((known) => known.includes(ending)).slice(0, MAX_CONTAINING);
      raw.push(containing.map((word) => ({ word, isPrefix: false })));
    } else {
      raw.push([{ word: kind === 'misspelled' ? word : ending, isPrefix: kind === 'prefix' }]);
    }
    queries.set(text, { text, raw });
  }
  return [...queries.values()];
}

/** Searches that are the dearest of their kind, by what they are. */
export function makeWorstQueries(agents: readonly Agent[]): Record<string, string[]> {
  const draw = makeDraw(99);
  const frequent = [...countWords(agents)].toSorted((a, b) => b[1] - a[1]).map(([word]) => word);
  const long = frequent.filter((word) => word.length >= 7);
  const texts = (make: () => string) => Array.from({ length: 20 }, () => make().slice(0, MAX_SEARCH_LENGTH).trim());
  const words = (make: (index: number) => string | undefined, count = 10) =>
    Array.from({ length: count }, (_, index) => make(index)).join(' ');
  return {
    'one letter': LETTERS.split(''),
    'the longest text of one-letter words': texts(() => words(() => draw.pick(LETTERS), MAX_SEARCH_LENGTH / 2)),
    'the ten most common words': texts(() => frequent.slice(0, 10).join(' ')),
    'ten of the fifty most common words': texts(() => words(() => draw.pick(frequent.slice(0, 50)))),
    'one of the fifty most common words': frequent.slice(0, 50),
    'ten parts of words': texts(() => words(() => draw.pick(long.slice(0, 300)).slice(1, 4))),
    'ten misspelled words': texts(() => words(() => misspell(draw.pick(long.slice(0, 300)), draw))),
    'nothing like any word': texts(() => words(() => draw.pick(LETTERS), 20).replaceAll(' ', '')),
  };
}

function makeDraw(seed: number): Draw {
  const random = makeRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return { below, pick: <Item>(items: ArrayLike<Item>) => items[below(items.length)] as Item };
}

/** What is typed for a word; undefined where the word is too short for it. */
function makeEnding(kind: Kind, word: string, draw: Draw): string | undefined {
  if (kind === 'exact') return word;
  if (kind === 'misspelled') return word.length >= 5 ? misspell(word, draw) : undefined;
  const length = (kind === 'prefix' ? 2 : 3) + draw.below(kind === 'prefix' ? 4 : 3);
  const start = kind === 'prefix' ? 0 : 1 + draw.below(word.length);
  return start + length < word.length ? word.slice(start, start + length) : undefined;
}

/** One letter wrong, missing, extra or swapped with the next one. */
function misspell(word: string, { below, pick }: Draw): string {
  const at = below(word.length - 1);
  const [before, letter, next, after] = [word.slice(0, at), word[at], word[at + 1], word.slice(at + 2)];
  const wrong = pick([
    `${before}${pick(LETTERS)}${next}${after}`,
    `${before}${next}${after}`,
    `${before}${pick(LETTERS)}${letter}${next}${after}`,
    `${before}${next}${letter}${after}`,
  ]);
  return wrong === word ? misspell(word, { below, pick }) : wrong;
}

/** In how many agents each word occurs. */
function countWords(agents: readonly Agent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const agent of agents) {
    const words = toWords(`${agent.name} ${agent.capabilities.join(' ')} ${agent.description}`);
    for (const word of new Set(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}

/** The texts by which an agent is found, as columns of a plain index. */
export function toColumns({ name, capabilities, category, description }: Agent): [string, string, string, string] {
  const categoryName = categories.find(({ id }) => id === category)?.name ?? '';
  return [name, capabilities.join(' '), `${category} ${categoryName}`, description];
}

function toWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
