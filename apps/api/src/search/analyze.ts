import {
  CHUNK_PATTERN,
  fold,
  MAX_UNITS,
  removeInvisible,
  UNSPACED_SCRIPTS,
  WORD_BORDER_PATTERN,
  WORD_PATTERN,
} from '@agent-registry/contracts';

/** The text between two blanks, split at punctuation: `Node.js` has two terms. */
export type Chunk = {
  terms: Term[];
  /** The terms as one word, `nodejs`, if there are two to four and none is a run. */
  joined: string | undefined;
};

/** A piece of text without punctuation. */
export type Term = {
  text: string;
  /** Whether its script is written without blanks, so that any piece of it may be a word. */
  isRun: boolean;
  /** The folded words within it, if capitals or digits show several: `ChatGPT` has `chat` and `gpt`. */
  subwords: readonly string[];
};

/** The longest token, in characters; longer ones are cut, in agents and in searches. */
const MAX_TOKEN_LENGTH = 64;
/** Chunks with more terms are not also read as one word. */
const MAX_JOINED_TERMS = 4;

const NONE: readonly string[] = [];
// A fast path for most words.
const IS_PLAIN = /^[a-z]{1,64}$/;
// NFKC turns these into letters: TM, SM.
const TRADE_MARKS = /[™℠]/gu;
const CHUNKS = new RegExp(CHUNK_PATTERN, 'gu');
const TERMS = new RegExp(WORD_PATTERN, 'gu');
const SIGNS = /\p{Extended_Pictographic}/gu;
const RUNS = new RegExp(`([${UNSPACED_SCRIPTS}]+)`, 'u');
const IS_RUN = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');
const WORD_BORDERS = new RegExp(WORD_BORDER_PATTERN, 'u');

/** Splits a text into searchable chunks; chunks without letters and digits are left out. */
export function analyze(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  // Cut, since NFKC makes up to 18 characters of one.
  const normalized = removeInvisible(text).replaceAll(TRADE_MARKS, '').normalize('NFKC').slice(0, MAX_UNITS);
  for (const chunk of normalized.match(CHUNKS) ?? []) {
    const terms = IS_PLAIN.test(chunk) ? [toPlainTerm(chunk)] : (chunk.match(TERMS) ?? []).flatMap(toTerms);
    if (terms.length > 0) chunks.push({ terms, joined: join(terms) });
  }
  return chunks;
}

/** The emoji and pictures of a text as chunks, which are words of a search that has no others. */
export function analyzeSigns(text: string): Chunk[] {
  const signs = new Set(removeInvisible(text).match(SIGNS));
  return Array.from(signs, (sign) => ({ terms: [toPlainTerm(sign)], joined: undefined }));
}

/** The first `length` characters of a text. */
export function cut(text: string, length = MAX_TOKEN_LENGTH): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

function toPlainTerm(text: string): Term {
  return { text, isRun: false, subwords: NONE };
}

function toTerms(text: string): Term[] {
  return text.split(RUNS).flatMap((piece): Term[] => {
    const folded = fold(piece);
    if (folded === '') return [];
    if (IS_RUN.test(folded)) return [{ text: folded, isRun: true, subwords: [] }];
    const subwords = piece.split(WORD_BORDERS).map((word) => cut(fold(word)));
    return [{ text: cut(folded), isRun: false, subwords: subwords.length > 1 ? subwords : [] }];
  });
}

function join(terms: Term[]): string | undefined {
  const canJoin = terms.length > 1 && terms.length <= MAX_JOINED_TERMS && terms.every(({ isRun }) => !isRun);
  return canJoin ? cut(terms.map(({ text }) => text).join('')) : undefined;
}
