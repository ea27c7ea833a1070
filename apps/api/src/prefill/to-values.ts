import {
  describeLeft,
  fitText,
  fitTexts,
  fold,
  newAgentSchema,
  rowOf,
  textsAt,
  withoutValues,
  type Category,
  type DescribedField,
  type Json,
  type PrefilledField,
} from '@agent-registry/contracts';
import type { Format, FormatName } from './formats.ts';

type Value = PrefilledField['value'];

/** What one source says of an agent, as it may be registered. */
export type ValidDescription = {
  kind: FormatName;
  /** The name of the source for people, such as `agent-card.json`. */
  source: string;
  values: Partial<Record<DescribedField, Value>>;
  /** Folded words that may name its category. */
  topics: readonly string[];
  /** What is not taken of its ways to connect, as sentences without a period. */
  left: readonly string[];
};

/** The most parts that are told of. */
const MAX_LEFT = 8;
/** The most topics that are read, and the most UTF-16 code units of each. */
const [MAX_TOPICS, MAX_TOPIC_LENGTH] = [100, 100];

export function toValues(
  found: Json,
  { fields, topics = [], connect }: Format,
  address: string,
): Pick<ValidDescription, 'values' | 'topics' | 'left'> {
  const values = Object.entries(fields).flatMap(([name, paths]): [string, Value][] => {
    const value = toValue(name, textsAt(found, ...paths));
    return value === undefined ? [] : [[name, value]];
  });
  const { connections = [], left = [] } = connect?.(found, address) ?? {};
  if (connections.length > 0) values.push(['connections', connections.map(withoutValues)]);
  const words = textsAt(found, ...topics)
    .slice(0, MAX_TOPICS)
    .flatMap((topic) => toWords(topic.slice(0, MAX_TOPIC_LENGTH)));
  return {
    values: Object.fromEntries(values) as ValidDescription['values'],
    topics: [...new Set(words)],
    left: left.slice(0, MAX_LEFT).map((part) => describeLeft(part)),
  };
}

/** The value of a field that texts of a stranger give; undefined if it may not be registered. */
function toValue(name: string, texts: readonly string[]): Value | undefined {
  const row = rowOf(name);
  switch (row?.kind) {
    case 'text':
      return fitText(texts[0], row.bounds);
    case 'texts':
      return fitTexts(texts, row);
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

/** The category whose id or name has the first of some folded words; null for none. */
export function suggestCategory(categories: readonly Category[], words: readonly string[]): string | null {
  const known = categories.flatMap(({ id, name }) => [id, ...toWords(name)].map((word) => ({ id, word })));
  const ids = words.map((word) => known.find((one) => one.word === word)?.id);
  return ids.find((id) => id !== undefined) ?? null;
}
