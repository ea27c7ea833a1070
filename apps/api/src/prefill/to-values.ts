import {
  cutText,
  rowOf,
  findTextFault,
  fold,
  newAgentSchema,
  replaceHidden,
  toMaxUnits,
  type DescribedField,
  type PrefilledField,
  type TextBounds,
} from '@agent-registry/contracts';
import type { Format, FormatName } from './formats.ts';
import { textsAt, type Json } from './json-paths.ts';

type Value = PrefilledField['value'];

/** What one source says of an agent, as it may be registered. */
export type ValidDescription = {
  kind: FormatName;
  /** The name of the source for people, such as `agent-card.json`. */
  source: string;
  values: Partial<Record<DescribedField, Value>>;
  /** Folded words that may name its category. */
  topics: readonly string[];
};

/** The most topics that are read, and the most UTF-16 code units of each. */
const [MAX_TOPICS, MAX_TOPIC_LENGTH] = [100, 100];

/** Takes the values of a description that may be registered. */
export function toValues(found: Json, { fields, topics = [] }: Format): Pick<ValidDescription, 'values' | 'topics'> {
  const values = Object.entries(fields).flatMap(([name, paths]) => {
    const value = toValue(name, textsAt(found, ...paths));
    return value === undefined ? [] : [[name, value]];
  });
  const words = textsAt(found, ...topics)
    .slice(0, MAX_TOPICS)
    .flatMap((topic) => toWords(topic.slice(0, MAX_TOPIC_LENGTH)));
  return { values: Object.fromEntries(values) as ValidDescription['values'], topics: [...new Set(words)] };
}

/** The value of a field that texts of a stranger give; undefined if it may not be registered. */
function toValue(name: string, texts: readonly string[]): Value | undefined {
  const row = rowOf(name);
  switch (row?.kind) {
    case 'text':
      return toValidText(texts[0], row.bounds);
    case 'texts':
      return toValidList(texts, row);
    case 'address':
      return toValidWebsite(texts[0]);
    default:
      // Who names an address for programs has an API.
      return name === 'apiAccess' && texts.length > 0 ? 'yes' : texts[0];
  }
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
