import { setImmediate } from 'node:timers/promises';
import { functionWords, MIN_PART_LENGTH } from '@agent-registry/contracts';
import type { TokenQuery } from './token-index.ts';
import { isSubwordToken } from './agent-tokens.ts';
import { analyze, type Chunk, type Part } from './analyze.ts';
import type { QueryChunk, QueryPart, SearchQuery } from './tiers.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Most words of a search, and most words within one word; the rest is ignored. */
const MAX_WORDS = 10;
/** Most words of the vocabulary that one part of a word matches. */
const MAX_CONTAINING = 64;
/** Most corrections of a word; the nearest come first. */
const MAX_SIMILAR = 16;
/** The length from which a word may have one edit, and two. */
const MIN_LENGTH_FOR_EDITS = { one: 4, two: 8 };

/** Parses a search; undefined if it has no words. */
export function readQuery(text: string): SearchQuery | undefined {
  const name = analyze(text);
  if (name.length === 0) return undefined;
  const different = [...new Map(name.map((chunk) => [toText(chunk), chunk])).values()];
  const telling = different.filter((chunk) => !functionWords.has(toText(chunk)));
  const counting = takeWords(telling.length > 0 ? telling : different);
  const typedLast = toText(name[name.length - 1] as Chunk);
  const last = counting.find((chunk) => toText(chunk) === typedLast) ?? counting.at(-1);
  const chunks = counting.map((chunk): QueryChunk => {
    const toQueryPart = (part: Part, isLast: boolean): QueryPart => ({
      ...part,
      subwords: part.subwords.every(isSubwordToken) ? part.subwords.slice(0, MAX_WORDS) : [],
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

/** The first chunks, with `MAX_WORDS` different words in all. */
function takeWords(chunks: readonly Chunk[]): Chunk[] {
  let left = MAX_WORDS;
  return chunks.flatMap(({ parts, joined }) => {
    const different = parts.filter(({ text }, place) => parts.findLastIndex((part) => part.text === text) === place);
    const taken = different.slice(0, left);
    left -= taken.length;
    return taken.length > 0 ? [{ parts: taken, joined: taken.length < different.length ? undefined : joined }] : [];
  });
}

/** Adds the words of the vocabulary that contain the words of a search. */
export function addContaining(query: SearchQuery, vocabulary: Vocabulary): Promise<SearchQuery> {
  return mapWords(query, MIN_PART_LENGTH, (part) => {
    const words = vocabulary.findContaining(part.text, MAX_CONTAINING);
    const containing = words.filter((word) => word !== part.text && !(part.isLast && word.startsWith(part.text)));
    return { ...part, containing };
  });
}

/** Adds the words of the vocabulary that the words of a search may be misspellings of. */
export function addSimilar(query: SearchQuery, vocabulary: Vocabulary): Promise<SearchQuery> {
  return mapWords(query, MIN_LENGTH_FOR_EDITS.one, (part) => {
    const maxEdits = part.text.length < MIN_LENGTH_FOR_EDITS.two ? 1 : 2;
    return { ...part, similar: vocabulary.findSimilar(part.text, maxEdits, MAX_SIMILAR) };
  });
}

// Returns the same object if nothing changes.
async function mapWords(
  query: SearchQuery,
  minLength: number,
  change: (part: QueryPart) => QueryPart,
): Promise<SearchQuery> {
  let hasChanged = false;
  const changeIfLong = async (part: QueryPart) => {
    if (part.isRun || part.text.length < minLength) return part;
    // A lookup can take milliseconds, so the event loop gets its turn between two words.
    await setImmediate();
    const changed = change(part);
    hasChanged ||= changed.containing.length > part.containing.length || changed.similar.length > part.similar.length;
    return changed;
  };
  const chunks: QueryChunk[] = [];
  for (const { parts, joined } of query.chunks) {
    const changed: QueryPart[] = [];
    for (const part of parts) changed.push(await changeIfLong(part));
    chunks.push({ parts: changed, joined: joined && (await changeIfLong(joined)) });
  }
  return hasChanged ? { ...query, chunks } : query;
}

/**
 * The text of a search with the corrections that an agent matches.
 * @param has whether the agent has a token
 */
export async function spell(query: SearchQuery, has: (token: TokenQuery) => Promise<boolean>): Promise<string> {
  const words: string[] = [];
  for (const { parts, joined } of query.chunks) {
    const asOne = joined && (await findWord(joined));
    if (asOne !== undefined) words.push(asOne);
    else for (const part of parts) words.push((await findWord(part)) ?? part.text);
  }
  return words.join(' ');

  async function findWord({ text, isLast, containing, similar }: QueryPart): Promise<string | undefined> {
    const asWritten = [text, ...containing].map((token) => ({ token, isPrefix: isLast && token === text }));
    if (await has({ any: asWritten })) return text;
    for (const { term } of similar) if (await has({ token: term, isPrefix: false })) return term;
    return undefined;
  }
}

function toText({ parts }: Chunk): string {
  return parts.map(({ text }) => text).join('_');
}
