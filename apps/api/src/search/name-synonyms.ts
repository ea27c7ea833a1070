import { replaceWords, type SearchQuery } from './read-query.ts';
import { matchAnywhere } from './tiers.ts';
import type { TokenReader } from './token-index.ts';

/** The text of a widened query with the synonyms that led to the first result; undefined if other forms found it. */
export async function nameSynonyms(index: TokenReader, text: string, query: SearchQuery): Promise<string | undefined> {
  const terms = query.chunks.flatMap((chunk) => chunk.terms).filter(({ forms }) => forms.synonym.length > 0);
  if (terms.length === 0) return undefined;
  const [byFamily] = await index.match(matchAnywhere(query, 'family'), { limit: 1 });
  if (byFamily !== undefined) return undefined;
  const [first] = await index.match(matchAnywhere(query, 'synonym'), { limit: 1 });
  if (first === undefined) return undefined;
  const has = (words: readonly string[]) =>
    index.includes({ all: words.map((token) => ({ token, isPrefix: false })) }, first);
  const replacements = new Map<string, string>();
  for (const { text: word, forms } of terms) {
    if (await has([word])) continue;
    for (const phrase of forms.synonym) if (await has(phrase)) replacements.set(word, phrase.join(' '));
  }
  return replacements.size > 0 ? replaceWords(text, replacements) : undefined;
}
