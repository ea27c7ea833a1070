import { MAX_SEARCH_LENGTH } from '@agent-registry/contracts';
import { cutRun } from './cut-run.ts';
import { ranking } from './ranking.ts';
import type { SearchQuery } from './read-query.ts';
import { findTranslations } from './translations.ts';

/**
 * The words of a query that tell most, as many as a search text has room for. Of text without blanks, nouns of the field
 * come before longer pieces and single characters.
 */
export function listTellingWords({ chunks }: SearchQuery): string[] {
  const words = chunks.flatMap(({ terms }) => terms.flatMap(cutRun));
  const rank = ({ text, isRun }: (typeof words)[number]) =>
    !isRun || findTranslations(text).length > 0 ? 0 : Array.from(text).length > 1 ? 1 : 2;
  const telling = new Set(words.toSorted((a, b) => rank(a) - rank(b)).map(({ text }) => text));
  let left = MAX_SEARCH_LENGTH;
  return [...telling].slice(0, ranking.maxTerms).filter((word) => {
    left -= Array.from(word).length + 1;
    return left >= -1;
  });
}
