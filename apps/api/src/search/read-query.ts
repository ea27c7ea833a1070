import { isSubwordToken } from './agent-tokens.ts';
import { analyze, type Chunk } from './analyze.ts';
import type { QueryChunk, QueryPart, SearchQuery } from './tiers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The most chunks of a search that count. */
const MAX_CHUNKS = 10;
/** The most words that the parts of words in a search stand for; those in use the longest come first. */
const MAX_CONTAINING = 128;
/** The most corrections of the words of a search; the nearest come first. */
const MAX_SIMILAR = 64;

// Words that say nothing about what is looked for. They count where there are no others.
const FUNCTION_WORDS = new Set(
  'a an and are as at be by can for from i in into is it its my of on or that the this to with you your'.split(' '),
);

/** Reads a search; undefined where there is nothing in it to look for. */
export function readQuery(text: string): SearchQuery | undefined {
  const name = analyze(text);
  if (name.length === 0) return undefined;
  const different = [...new Map(name.map((chunk) => [toText(chunk), chunk])).values()];
  const telling = different.filter((chunk) => !FUNCTION_WORDS.has(toText(chunk)));
  const counting = (telling.length > 0 ? telling : different).slice(0, MAX_CHUNKS);
  const typedLast = toText(name[name.length - 1] as Chunk);
  const last = counting.find((chunk) => toText(chunk) === typedLast) ?? counting.at(-1);
  const chunks = counting.map((chunk): QueryChunk => {
    const isLast = chunk === last;
    const parts = chunk.parts.map((part, index) => ({
      ...part,
      subwords: part.subwords.every(isSubwordToken) ? part.subwords : [],
      isLast: isLast && index === chunk.parts.length - 1,
      containing: [],
      similar: [],
    }));
    return { parts, joined: chunk.joined, isLast };
  });
  return { name, chunks };
}

/** The same search with the words that its own are parts of, from three letters on. */
export function addContaining(query: SearchQuery, vocabulary: Vocabulary): SearchQuery {
  return mapWords(query, 3, (part, share) => {
    const words = vocabulary.findContaining(part.text, share * MAX_CONTAINING);
    return {
      ...part,
      containing: words.filter((word) => word !== part.text && !(part.isLast && word.startsWith(part.text))),
    };
  });
}

/** The same search with the words that its own may be misspelled for: one wrong letter from four letters on, two from eight. */
export function addSimilar(query: SearchQuery, vocabulary: Vocabulary): SearchQuery {
  return mapWords(query, 4, (part, share) => {
    const similar = vocabulary.findSimilar(part.text, part.text.length < 8 ? 1 : 2, share * MAX_SIMILAR);
    return { ...part, similar };
  });
}

// The more words a search has, the fewer others each may stand for, so that no search is dearer than another.
function mapWords(
  query: SearchQuery,
  minLength: number,
  change: (part: QueryPart, share: number) => QueryPart,
): SearchQuery {
  const isLongEnough = ({ isRun, text }: QueryPart) => !isRun && text.length >= minLength;
  const share = 1 / query.chunks.flatMap(({ parts }) => parts).filter(isLongEnough).length;
  const chunks = query.chunks.map((chunk) => ({
    ...chunk,
    parts: chunk.parts.map((part) => (isLongEnough(part) ? change(part, share) : part)),
  }));
  return { ...query, chunks };
}

/** A search as it reads with the corrections by which an agent with these tokens was found. */
export function spell(query: SearchQuery, tokens: ReadonlySet<string>): string {
  const words = query.chunks.flatMap(({ parts }) =>
    parts.map(({ text, isLast, containing, similar }) => {
      const isAsWritten =
        tokens.has(text) ||
        containing.some((word) => tokens.has(word)) ||
        (isLast && [...tokens].some((token) => token.startsWith(text)));
      return isAsWritten ? text : (similar.find(({ term }) => tokens.has(term))?.term ?? text);
    }),
  );
  return words.join(' ');
}

function toText({ parts }: Chunk): string {
  return parts.map(({ text }) => text).join('_');
}
