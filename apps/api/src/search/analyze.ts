import { CHUNK_PATTERN, fold, UNSPACED_SCRIPTS, WORD_PATTERN } from '@agent-registry/contracts';

/** What stands between two blanks of a text, taken apart at its punctuation: `Node.js` has two parts. */
export type Chunk = {
  parts: Part[];
  /** The parts as one word, `nodejs`, where there are two to four and none is a run. */
  joined: string | undefined;
};

/** A piece of text within which there is no punctuation. */
export type Part = {
  /** Folded. */
  text: string;
  /** Whether it is of a script that writes without blanks, so that any piece of it may be a word. */
  isRun: boolean;
  /** The words within it, folded, where its capitals and digits show more than one: `ChatGPT` has `chat` and `gpt`. */
  subwords: readonly string[];
};

/** The longest token, in characters; what is longer is cut, in agents and in queries alike. */
const MAX_TOKEN_LENGTH = 64;
/** The most parts of a chunk that are also read as one word. */
const MAX_JOINED_PARTS = 4;

const NONE: readonly string[] = [];
// Most words are such, and what is looked for in others takes four times as long as to see that.
const IS_PLAIN = /^[a-z]{1,64}$/;
// Compatible forms of these would be letters: TM, SM.
const TRADE_MARKS = /[™℠]/gu;
const CHUNKS = new RegExp(CHUNK_PATTERN, 'gu');
const PARTS = new RegExp(WORD_PATTERN, 'gu');
const RUNS = new RegExp(`([${UNSPACED_SCRIPTS}]+)`, 'u');
const IS_RUN = new RegExp(`^[${UNSPACED_SCRIPTS}]`, 'u');
// Where a small letter or digit meets a capital, where the last of several capitals begins a word, and where letters meet digits.
const SUBWORD_BORDERS =
  /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;

/** Takes a text apart into what can be searched for; what has neither letters nor digits is left out. */
export function analyze(text: string): Chunk[] {
  const chunks: Chunk[] = [];
  for (const chunk of text.replaceAll(TRADE_MARKS, '').normalize('NFKC').match(CHUNKS) ?? []) {
    const parts = IS_PLAIN.test(chunk) ? [toPlainPart(chunk)] : (chunk.match(PARTS) ?? []).flatMap(toParts);
    if (parts.length > 0) chunks.push({ parts, joined: join(parts) });
  }
  return chunks;
}

/** Cuts a text to its first `length` characters. */
export function cut(text: string, length = MAX_TOKEN_LENGTH): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('');
}

function toPlainPart(text: string): Part {
  return { text, isRun: false, subwords: NONE };
}

function toParts(text: string): Part[] {
  return text.split(RUNS).flatMap((piece): Part[] => {
    const folded = fold(piece);
    if (folded === '') return [];
    if (IS_RUN.test(folded)) return [{ text: folded, isRun: true, subwords: [] }];
    const subwords = piece.split(SUBWORD_BORDERS).map((word) => cut(fold(word)));
    return [{ text: cut(folded), isRun: false, subwords: subwords.length > 1 ? subwords : [] }];
  });
}

function join(parts: Part[]): string | undefined {
  const canJoin = parts.length > 1 && parts.length <= MAX_JOINED_PARTS && parts.every(({ isRun }) => !isRun);
  return canJoin ? cut(parts.map(({ text }) => text).join('')) : undefined;
}
