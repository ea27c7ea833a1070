import {
  CHUNK_PATTERN,
  fold,
  functionWords,
  getCategory,
  MIN_PART_LENGTH,
  UNSPACED_SCRIPTS,
  WORD_PATTERN,
  type ListedAgent,
} from '@agent-registry/contracts';

/** A piece of a text, and whether it matches the search. */
export type Piece = { text: string; isMatch: boolean };

const WORDS = new RegExp(WORD_PATTERN, 'gu');
const CHUNKS = new RegExp(CHUNK_PATTERN, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');

/** The folded words of a search; words joined by punctuation also as one word. Function words are ignored if there are others. */
export function parseQueryWords(text: string): string[] {
  const words = new Set<string>();
  for (const [chunk] of text.matchAll(CHUNKS)) {
    const parts = chunk.match(WORDS) ?? [];
    for (const word of [...parts, parts.join('')]) words.add(fold(word));
  }
  const contentWords = [...words].filter((word) => !functionWords.has(word));
  return contentWords.length > 0 ? contentWords : [...words];
}

/** Splits a text at its matches: whole words, prefixes and, for long words, any part of a word. */
export function highlight(text: string, words: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { start, length } of findMatches(text, words)) {
    if (start > end) pieces.push({ text: text.slice(end, start), isMatch: false });
    pieces.push({ text: text.slice(start, start + length), isMatch: true });
    end = start + length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isMatch: false });
  return pieces;
}

/** Whether every word matches a searchable field of an agent: its texts, the id and the name of its category. */
export function matchesAllWords(agent: ListedAgent, words: readonly string[]): boolean {
  const { name, capabilities, category, description } = agent;
  const texts = [name, ...capabilities, category, getCategory(category).name, description];
  return words.every((word) => texts.some((text) => findMatches(text, [word]).length > 0));
}

type Match = { start: number; length: number };

function findMatches(text: string, words: readonly string[]): Match[] {
  if (words.length === 0) return [];
  return [...text.matchAll(CHUNKS)].flatMap(({ 0: chunk, index: start }): Match[] => {
    const parts = [...chunk.matchAll(WORDS)];
    const joined = fold(parts.map(([word]) => word).join(''));
    const isOneWord =
      parts.length > 1 && words.some((word) => word.length >= MIN_PART_LENGTH && joined.startsWith(word));
    if (isOneWord && !parts.some(([part]) => findInWord(part, words))) return [{ start, length: chunk.length }];
    return parts.flatMap(({ 0: part, index }) => {
      const match = findInWord(part, words);
      return match ? [{ start: start + index + match.start, length: match.length }] : [];
    });
  });
}

/** Finds the longest match in a word. */
function findInWord(text: string, words: readonly string[]): Match | undefined {
  const folded = fold(text);
  // Folding can change the length of a word; then positions differ.
  const isAligned = folded.length === text.length;
  let best: Match | undefined;
  for (const word of words) {
    const start = folded.indexOf(word);
    const isFoundInside = word.length >= MIN_PART_LENGTH || IS_UNSPACED.test(word);
    const isMatch = isFoundInside ? start !== -1 : word.length > 1 ? start === 0 : folded === word;
    if (!isMatch || word.length <= (best?.length ?? 0)) continue;
    best = isAligned ? { start, length: word.length } : { start: 0, length: text.length };
  }
  return best;
}
