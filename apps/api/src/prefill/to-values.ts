import {
  cutText,
  fields,
  findTextFault,
  fold,
  newAgentSchema,
  replaceHidden,
  toMaxUnits,
  type PrefilledField,
  type TextBounds,
} from '@agent-registry/contracts';
import type { Description } from './description.ts';

type Field = PrefilledField['field'];
type Value = PrefilledField['value'];

/** What one source says of an agent, as it may be registered. */
export type ValidDescription = Pick<Description, 'kind' | 'source'> & {
  values: Partial<Record<Field, Value>>;
  /** Folded words that may name its category. */
  topics: readonly string[];
};

/** The most topics that are read, and the most UTF-16 code units of each. */
const [MAX_TOPICS, MAX_TOPIC_LENGTH] = [100, 100];

/** Reads the value of each field from a description; undefined where it has none that is valid. */
const readers: Record<Field, (description: Description) => Value | undefined> = {
  name: ({ name }) => toValidText(name, fields.name.bounds),
  description: ({ description }) => toValidText(description, fields.description.bounds),
  capabilities: ({ capabilities }) => toValidList(capabilities, fields.capabilities),
  exampleTasks: ({ exampleTasks }) => toValidList(exampleTasks, fields.exampleTasks),
  website: ({ website }) => toValidWebsite(website),
  apiAccess: ({ hasApi }) => (hasApi ? 'yes' : undefined),
  pricingModel: ({ pricingModel }) => pricingModel,
};

/** Takes the values of a description that may be registered. */
export function toValues(description: Description): ValidDescription {
  const { kind, source, topics = [] } = description;
  const values = Object.fromEntries(
    Object.entries(readers).flatMap(([field, read]) => {
      const value = read(description);
      return value === undefined ? [] : [[field, value]];
    }),
  );
  const words = topics.slice(0, MAX_TOPICS).flatMap((topic) => toWords(topic.slice(0, MAX_TOPIC_LENGTH)));
  return { kind, source, values, topics: [...new Set(words)] };
}

/** The website as it may be registered; undefined if it may not. */
export function toValidWebsite(website: string | undefined): string | undefined {
  return newAgentSchema.shape.website.safeParse(website).data ?? undefined;
}

/** The folded words of a text. */
export function toWords(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A text as it may be registered, cut at its bound; undefined if it may not. U+FFFD is left of another charset. */
function toValidText(text: string | undefined, bounds: TextBounds): string | undefined {
  if (text === undefined || text.includes('\u{FFFD}')) return undefined;
  // Cut before it is matched; blanks and hidden characters that are removed later count four times.
  const start = text.trimStart().slice(0, 4 * toMaxUnits(bounds.max));
  const visible = bounds.isLine
    ? replaceHidden(start.replaceAll(/\s+/g, ' '), () => '')
    : start.replaceAll(/\r\n?/g, '\n');
  const cut = cutText(visible.trim(), bounds.max).trim();
  return cut === '' || findTextFault(cut, bounds) !== undefined ? undefined : cut;
}

/** The texts of a list that may be registered, each once; those that are too long are left out. */
function toValidList(
  texts: readonly string[] = [],
  { bounds, most }: { bounds: TextBounds; most: number },
): string[] | undefined {
  const byFolded = new Map<string, string>();
  for (const text of texts.slice(0, 10 * most)) {
    const valid = toValidText(text, { ...bounds, max: bounds.max + 1 });
    if (valid === undefined || findTextFault(valid, bounds) !== undefined) continue;
    if (!byFolded.has(fold(valid))) byFolded.set(fold(valid), valid);
    if (byFolded.size === most) break;
  }
  return byFolded.size > 0 ? [...byFolded.values()] : undefined;
}
