import { functionWords } from '@agent-registry/contracts';
import { isSubwordToken } from './agent-tokens.ts';
import { analyze, type Chunk, type Part } from './analyze.ts';
import type { QueryChunk, QueryPart, SearchQuery } from './tiers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** The most chunks of a search that count. */
const MAX_CHUNKS = 10;
/** The most words that a part of a word stands for; those in use the longest come first. */
const MAX_CONTAINING = 64;
/** The most corrections of a word; the nearest come first. */
const MAX_SIMILAR = 16;

/** Reads a search; undefined where there is nothing in it to look for. */
export function readQuery(text: string): SearchQuery | undefined {
  const name = analyze(text);
  if (name.length === 0) return undefined;
  const different = [...new Map(name.map((chunk) => [toText(chunk), chunk])).values()];
  const telling = different.filter((chunk) => !functionWords.has(toText(chunk)));
  const counting = (telling.length > 0 ? telling : different).slice(0, MAX_CHUNKS);
  const typedLast = toText(name[name.length - 1] as Chunk);
  const last = counting.find((chunk) => toText(chunk) === typedLast) ?? counting.at(-1);
  const chunks = counting.map((chunk): QueryChunk => {
    const toQueryPart = (part: Part, isLast: boolean): QueryPart => ({
      ...part,
      subwords: part.subwords.every(isSubwordToken) ? part.subwords : [],
      isLast: isLast && chunk === last,
      containing: [],
      similar: [],
    });
    const { parts, joined } = chunk;
    return {
      parts: parts.map((part, index) => toQueryPart(part, index === parts.length - 1)),
      joined: joined === undefined ? undefined : toQueryPart({ text: joined, isRun: false, subwords: [] }, true),
    };
  });
  return { name, chunks };
}

/** The same search with the words that its own are parts of, from three letters on. */
export function addContaining(query: SearchQuery, vocabulary: Vocabulary): SearchQuery {
  return mapWords(query, 3, (part) => {
    const words = vocabulary.findContaining(part.text, MAX_CONTAINING);
    const containing = words.filter((word) => word !== part.text && !(part.isLast && word.startsWith(part.text)));
    return { ...part, containing };
  });
}

/** The same search with the words that its own may be misspelled for: one wrong letter from four letters on, two from eight. */
export function addSimilar(query: SearchQuery, vocabulary: Vocabulary): SearchQuery {
  return mapWords(query, 4, (part) => {
    const maxEdits = part.text.length < 8 ? 1 : 2;
    return { ...part, similar: vocabulary.findSimilar(part.text, maxEdits, MAX_SIMILAR) };
  });
}

function mapWords(query: SearchQuery, minLength: number, change: (part: QueryPart) => QueryPart): SearchQuery {
  const changeIfLong = (part: QueryPart) => (part.isRun || part.text.length < minLength ? part : change(part));
  const chunks = query.chunks.map(({ parts, joined }) => ({
    parts: parts.map(changeIfLong),
    joined: joined && changeIfLong(joined),
  }));
  return { ...query, chunks };
}

/** A search as it reads with the corrections by which an agent with these tokens was found. */
export function spell(query: SearchQuery, tokens: ReadonlySet<string>): string {
  const words = query.chunks.flatMap(({ parts, joined }) => {
    const asOne = joined && toFoundWord(joined);
    return asOne === undefined ? parts.map((part) => toFoundWord(part) ?? part.text) : [asOne];
  });
  return words.join(' ');

  function toFoundWord({ text, isLast, containing, similar }: QueryPart): string | undefined {
    const isAsWritten =
      tokens.has(text) ||
      containing.some((word) => tokens.has(word)) ||
      (isLast && [...tokens].some((token) => token.startsWith(text)));
    return isAsWritten ? text : similar.find(({ term }) => tokens.has(term))?.term;
  }
}

function toText({ parts }: Chunk): string {
  return parts.map(({ text }) => text).join('_');
}
