import type { PricingModel } from '@agent-registry/contracts';

/** What one source says of an agent. Texts are as found: a stranger's, of any length. */
export type Description = {
  kind: 'card' | 'ard' | 'mcp' | 'json-ld' | 'open-graph' | 'page';
  /** The name of the source for people, such as `agent-card.json`. */
  source: string;
  name?: string | undefined;
  description?: string | undefined;
  capabilities?: readonly string[];
  exampleTasks?: readonly string[];
  website?: string | undefined;
  pricingModel?: PricingModel | undefined;
  /** Whether it names an interface that programs call. */
  hasApi?: boolean;
  /** Words that may name its category. */
  topics?: readonly string[];
};

/** A JSON object of a stranger. */
export type Json = Readonly<Record<string, unknown>>;

/** A value as an object; an empty one if it is none. */
export function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

/** A value as a list; one entry for a value that is no list. */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/** A value as a text; undefined if it is none. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The texts of a list. */
export function toTexts(value: unknown): string[] {
  return toList(value).flatMap((entry) => toText(entry) ?? []);
}
