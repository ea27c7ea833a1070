import type { Category } from '@agent-registry/contracts';
import { toWords } from './to-values.ts';

/** Creates the function that suggests a category whose id or name has one of some folded words; null for none. */
export function createCategorySuggester(categories: readonly Category[]): (words: readonly string[]) => string | null {
  const byWord = new Map<string, string>();
  for (const { id, name } of categories) {
    for (const word of [id, ...toWords(name)]) if (!byWord.has(word)) byWord.set(word, id);
  }
  return (words) => byWord.get(words.find((word) => byWord.has(word)) ?? '') ?? null;
}
