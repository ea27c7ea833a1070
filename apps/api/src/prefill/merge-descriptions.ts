import { describedFields, type Category, type PrefilledField } from '@agent-registry/contracts';
import { formats } from './formats.ts';
import { toWords, type ValidDescription } from './to-values.ts';

/** Takes each field from its best source. */
export function mergeDescriptions(descriptions: readonly ValidDescription[]): PrefilledField[] {
  const sorted = Object.keys(formats).flatMap((name) => descriptions.filter(({ kind }) => kind === name));
  return describedFields.flatMap((field) => {
    const best = sorted.find(({ values }) => values[field] !== undefined);
    return best ? [{ field, value: best.values[field] as PrefilledField['value'], source: best.source }] : [];
  });
}

/** Creates the function that suggests a category whose id or name has a topic of the descriptions; null for none. */
export function createCategorySuggester(
  categories: readonly Category[],
): (descriptions: readonly ValidDescription[]) => string | null {
  const byWord = new Map<string, string>();
  for (const { id, name } of categories) {
    for (const word of [id, ...toWords(name)]) if (!byWord.has(word)) byWord.set(word, id);
  }
  return (descriptions) => {
    const topic = descriptions.flatMap(({ topics }) => topics).find((word) => byWord.has(word));
    return topic === undefined ? null : (byWord.get(topic) ?? null);
  };
}
