import { fold, newAgentSchema, type Category } from '@agent-registry/contracts';

/** The website as it may be registered; undefined if it may not. */
export function toValidWebsite(website: string | undefined): string | undefined {
  return newAgentSchema.shape.website.safeParse(website).data ?? undefined;
}

/** The folded words of a text. */
export function toWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The category whose id or name has the first of some folded words; null for none. */
export function suggestCategory(categories: readonly Category[], words: readonly string[]): string | null {
  const known = categories.flatMap(({ id, name }) => [id, ...toWords(name)].map((word) => ({ id, word })));
  const ids = words.map((word) => known.find((one) => one.word === word)?.id);
  return ids.find((id) => id !== undefined) ?? null;
}
