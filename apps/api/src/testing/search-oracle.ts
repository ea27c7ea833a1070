import { getCategory, type Agent } from '@agent-registry/contracts';

/**
 * Says whether a search finds an agent when nothing is misspelled: `yes` and `no` where the rules say so, `open` where
 * they leave it to the search.
 */
export type Verdict = 'yes' | 'no' | 'open';

/**
 * Reads agents letter by letter, without an index: slow, and independent of how the search is built.
 * @returns the verdict on each agent, in the order of the agents
 */
export function createOracle(agents: readonly Agent[]): (query: string) => Verdict[] {
  const texts = agents.map(toText);
  return (query) => {
    const terms = fold(query)
      .split(/\s+/u)
      .map(toTerm)
      .filter(({ joined }) => joined !== '');
    const needed = terms.filter(({ joined }) => terms.length === 1 || !functionWords.has(joined));
    if (terms.length === 0) return texts.map(() => 'no');
    if (needed.length === 0) return texts.map(() => 'open');
    const last = terms.at(-1);
    return texts.map((text) => {
      if (needed.every((term) => occurs(term, text, term === last))) return 'yes';
      return needed.every((term) => mayOccur(term, text)) ? 'open' : 'no';
    });
  };
}

/** A text as it is compared: without case, accents and width. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFC');
}

/** The words of a text as they are compared: what is between anything but letters, digits, + and #. */
export function toWords(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '');
}

/** How many letters of one word are wrong, missing or extra, or swapped with their neighbour, to give the other. */
export function countEdits(one: string, other: string): number {
  const [from, to] = [Array.from(one), Array.from(other)];
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)];
  const costAt = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= from.length; row += 1) {
    const costs = [row];
    rows.push(costs);
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      costs.push(
        Math.min(
          costAt(row - 1, column) + 1,
          costAt(row, column - 1) + 1,
          costAt(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? costAt(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return costAt(from.length, to.length);
}

/** What stands between two blanks: its words, all of it without punctuation, and both. */
type Chunk = { words: string[]; joined: string; forms: string[] };

const functionWords = new Set('a an the and or of for to in on at by with from'.split(' '));
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function toText({ name, capabilities, category, description }: Agent): Chunk[] {
  return [name, ...capabilities, category, getCategory(category).name, description]
    .flatMap((text) => fold(text).split(/\s+/u))
    .map(toTerm)
    .filter(({ joined }) => joined !== '');
}

function toTerm(chunk: string): Chunk {
  const words = toWords(chunk);
  const joined = words.join('');
  return { words, joined, forms: [...new Set([...words, joined])] };
}

function occurs({ words, joined }: Chunk, text: readonly Chunk[], isLast: boolean): boolean {
  const isWord = (word: string) =>
    isFoundInside(joined) ? word.includes(joined) : isLast ? word.startsWith(joined) : word === joined;
  // Without punctuation a chunk is one word more, of which only the beginning or the whole is sure to be found.
  const isWhole = (chunk: Chunk) =>
    chunk.joined === joined || (isLast && isFoundInside(joined) && chunk.joined.startsWith(joined));
  const spelled = `-${words.join('-')}${isLast ? '' : '-'}`;
  return text.some(
    (chunk) =>
      chunk.words.some(isWord) ||
      (words.length === 1 ? isWhole(chunk) : `-${chunk.words.join('-')}-`.includes(spelled)),
  );
}

// Of what has punctuation the words may also stand apart, or be cut in other places; and a word of two letters that is
// not the last may be a beginning too.
function mayOccur({ words, joined }: Chunk, text: readonly Chunk[]): boolean {
  const isIn = (part: string) => text.some((chunk) => chunk.joined.includes(part));
  if (words.length > 1) return isIn(joined) || words.every(isIn);
  if (isFoundInside(joined)) return isIn(joined);
  return text.some((chunk) => chunk.forms.some((word) => word.startsWith(joined)));
}

function isFoundInside(word: string): boolean {
  return Array.from(word).length >= (CJK.test(word) ? 2 : 3);
}
