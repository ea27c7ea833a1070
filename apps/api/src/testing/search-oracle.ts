import { defaultCategories, getCategory, type Agent } from '@agent-registry/contracts';

/** Whether a search must find an agent when nothing is misspelled; `open` if both are right. */
export type Verdict = 'yes' | 'no' | 'open';

/**
 * Creates an oracle that compares whole texts, without an index: slow, and independent of the implementation of the
 * search.
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

/** A text without case, accents and width. */
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

/** The folded words of a text: letters, digits, + and #. */
export function toWords(text: string): string[] {
  return fold(text)
    .split(/[^\p{L}\p{N}+#]+/u)
    .filter((word) => word !== '');
}

/** The edit distance of two words, where swapping neighbours is one edit. */
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

/** The text between two blanks: its words, all of it without punctuation, and both. */
type Chunk = { words: string[]; joined: string; forms: string[] };

const functionWords = new Set('a an the and or of for to in on at by with from'.split(' '));
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function toText({ name, capabilities, category, description }: Agent): Chunk[] {
  return [name, ...capabilities, category, getCategory(defaultCategories, category).name, description]
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
  // A chunk without punctuation is one more word, of which only a prefix or the whole must be found.
  const isWhole = (chunk: Chunk) =>
    chunk.joined === joined || (isLast && isFoundInside(joined) && chunk.joined.startsWith(joined));
  const spelled = `-${words.join('-')}${isLast ? '' : '-'}`;
  return text.some(
    (chunk) =>
      chunk.words.some(isWord) ||
      (words.length === 1 ? isWhole(chunk) : `-${chunk.words.join('-')}-`.includes(spelled)),
  );
}

// The words of a chunk with punctuation may also match apart, or split elsewhere; a word of two letters that is not the
// last may match as a prefix.
function mayOccur({ words, joined }: Chunk, text: readonly Chunk[]): boolean {
  const isIn = (part: string) => text.some((chunk) => chunk.joined.includes(part));
  if (words.length > 1) return isIn(joined) || words.every(isIn);
  if (isFoundInside(joined)) return isIn(joined);
  return text.some((chunk) => chunk.forms.some((word) => word.startsWith(joined)));
}

function isFoundInside(word: string): boolean {
  return Array.from(word).length >= (CJK.test(word) ? 2 : 3);
}
