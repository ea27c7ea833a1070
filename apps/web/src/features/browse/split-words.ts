import { fold, functionWords } from '@agent-registry/contracts';

/** The folded words of a search between blanks; function words only if there are no others. */
export function splitWords(text: string): string[] {
  const words = [...new Set(fold(text).split(/\s+/))].filter((word) => word !== '');
  const contentWords = words.filter((word) => !functionWords.has(word));
  return contentWords.length > 0 ? contentWords : words;
}
