import {
  cutText,
  findTextFault,
  fold,
  MAX_CAPABILITIES,
  MAX_CAPABILITY_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_EXAMPLE_TASK_LENGTH,
  MAX_EXAMPLE_TASKS,
  MAX_NAME_LENGTH,
  MIN_EXAMPLE_TASK_LENGTH,
  newAgentSchema,
  prefilledFields,
  replaceHidden,
  type Category,
  type PrefilledField,
  type TextBounds,
} from '@agent-registry/contracts';
import type { Description } from './description.ts';

type Field = PrefilledField['field'];
type Value = PrefilledField['value'];

/** The sources of each field, best first. */
const precedence: Record<Field, readonly Description['kind'][]> = {
  name: ['card', 'ard', 'mcp', 'json-ld', 'open-graph', 'page'],
  description: ['card', 'ard', 'json-ld', 'open-graph', 'page'],
  capabilities: ['card', 'ard', 'json-ld'],
  exampleTasks: ['card', 'ard'],
  website: ['card', 'page'],
  apiAccess: ['card', 'mcp'],
  pricingModel: ['json-ld'],
};

/** Reads the value of each field from a description; undefined where it has none that is valid. */
const readers: Record<Field, (description: Description) => Value | undefined> = {
  name: ({ name }) => toValidText(name, { max: MAX_NAME_LENGTH, isLine: true }),
  description: ({ description }) => toValidText(description, { max: MAX_DESCRIPTION_LENGTH }),
  capabilities: ({ capabilities }) =>
    toValidList(capabilities, { max: MAX_CAPABILITY_LENGTH, isLine: true }, MAX_CAPABILITIES),
  exampleTasks: ({ exampleTasks }) =>
    toValidList(
      exampleTasks,
      { min: MIN_EXAMPLE_TASK_LENGTH, max: MAX_EXAMPLE_TASK_LENGTH, isLine: true },
      MAX_EXAMPLE_TASKS,
    ),
  website: ({ website }) => toValidWebsite(website),
  apiAccess: ({ hasApi }) => (hasApi ? 'yes' : undefined),
  pricingModel: ({ pricingModel }) => pricingModel,
};

/** Takes each field from its best source. */
export function mergeDescriptions(descriptions: readonly Description[]): PrefilledField[] {
  return prefilledFields.flatMap((field) => {
    const sorted = precedence[field].flatMap((kind) => descriptions.filter((found) => found.kind === kind));
    for (const description of sorted) {
      const value = readers[field](description);
      if (value !== undefined) return [{ field, value, source: description.source }];
    }
    return [];
  });
}

/** The website as it may be registered; undefined if it may not. */
export function toValidWebsite(website: string | undefined): string | undefined {
  return newAgentSchema.shape.website.safeParse(website).data ?? undefined;
}

/** Suggests a category whose id or name has a topic of the descriptions; null for none. */
export function suggestCategory(descriptions: readonly Description[], categories: readonly Category[]): string | null {
  for (const word of descriptions.flatMap(({ topics = [] }) => topics.flatMap(toWords))) {
    const named = categories.find(({ id, name }) => id === word || toWords(name).includes(word));
    if (named) return named.id;
  }
  return null;
}

/** The folded words of a text. */
function toWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text as it may be registered, cut at its bound; undefined if it may not. U+FFFD is left of another charset. */
function toValidText(text: string | undefined, bounds: TextBounds): string | undefined {
  if (text === undefined || text.includes('\u{FFFD}')) return undefined;
  const visible = bounds.isLine
    ? replaceHidden(text.replaceAll(/\s+/g, ' '), () => '')
    : text.replaceAll(/\r\n?/g, '\n');
  const cut = cutText(visible.trim(), bounds.max).trim();
  return cut === '' || findTextFault(cut, bounds) !== undefined ? undefined : cut;
}

/** The texts of a list that may be registered, each once; those that are too long are left out. */
function toValidList(texts: readonly string[] = [], bounds: TextBounds, most: number): string[] | undefined {
  const byFolded = new Map<string, string>();
  for (const text of texts.slice(0, 10 * most)) {
    const valid = toValidText(text, { ...bounds, max: bounds.max + 1 });
    if (valid === undefined || findTextFault(valid, bounds) !== undefined) continue;
    if (!byFolded.has(fold(valid))) byFolded.set(fold(valid), valid);
    if (byFolded.size === most) break;
  }
  return byFolded.size > 0 ? [...byFolded.values()] : undefined;
}
