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
    const phrase = await findFirst(forms.synonym, has);
    if (!phrase) continue;
    const synonym = phrase.join(' ');
    replacements.set(word, [...replacements.values()].includes(synonym) ? '' : synonym);
  }
  if (replacements.size === 0) return undefined;
  // Words between translated ones say nothing in English.
  if (query.language.nouns.size > 0) for (const word of query.language.stopWords) replacements.set(word, '');
  const named = replaceWords(text, replacements).replaceAll(/\s+/gu, ' ').trim();
  return named === text ? undefined : named;
}

async function findFirst<Item>(
  items: readonly Item[],
  isWanted: (item: Item) => Promise<boolean>,
): Promise<Item | undefined> {
  for (const item of items) if (await isWanted(item)) return item;
  return undefined;
}
