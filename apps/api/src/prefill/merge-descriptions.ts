import { describedFields, type Category, type PrefilledField } from '@agent-registry/contracts';
import type { Description } from './description.ts';
import { toWords, type ValidDescription } from './to-values.ts';

/** The sources of each field, best first. */
const precedence: Record<PrefilledField['field'], readonly Description['kind'][]> = {
  name: ['card', 'ard', 'mcp', 'json-ld', 'open-graph', 'page'],
  description: ['card', 'ard', 'json-ld', 'open-graph', 'page'],
  capabilities: ['card', 'ard', 'json-ld'],
  exampleTasks: ['card', 'ard'],
  website: ['card', 'page'],
  apiAccess: ['card', 'mcp'],
  pricingModel: ['json-ld'],
};

/** Takes each field from its best source. */
export function mergeDescriptions(descriptions: readonly ValidDescription[]): PrefilledField[] {
  return describedFields.flatMap((field) => {
    const sorted = precedence[field].flatMap((kind) => descriptions.filter((found) => found.kind === kind));
    for (const { values, source } of sorted) {
      const value = values[field];
      if (value !== undefined) return [{ field, value, source }];
    }
    return [];
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
