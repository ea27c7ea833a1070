import { apiAccessValues, pricingModelValues } from './agent-fields.ts';

/** The fields of `field:value`. */
const fields = ['category', 'pricing', 'api', 'name', 'capability', 'by', 'like'] as const;
export type Field = (typeof fields)[number];

/** The operators of a search text, read once. */
export type ParsedText = {
  /** The words to search for, those of phrases included. */
  words: string;
  /** Texts that must occur word for word. */
  phrases: readonly string[];
  /** Texts whose words must not occur together. */
  excluded: readonly string[];
  /** `field:value`, several values with a comma between them. */
  conditions: readonly { field: Field; values: readonly string[] }[];
};

/** A piece of a text: an optional minus, an optional field, and a text in quotes or up to the next blank. */
const ITEM = /(?<=^|\s)(?<minus>-?)(?:(?<field>[a-z]+):)?(?:"(?<quoted>[^"]*)"(?=\s|$)|(?<plain>[^\s"]\S*))/giu;
const QUOTES = /[“”„«»＂]/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

/** The values of the fields that have a fixed set of them. */
const valuesOf: Partial<Record<Field, readonly string[]>> = { pricing: pricingModelValues, api: apiAccessValues };

/** Reads the operators of a text. Anything that is no operator is a word; without a word or a field, an exclusion is one. */
export function parseText(text: string): ParsedText {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const conditions: { field: Field; values: string[] }[] = [];
  const words = text.replaceAll(QUOTES, '"').replaceAll(ITEM, (item: string, ...rest: unknown[]) => {
    const { minus, field, quoted, plain = '' } = rest.at(-1) as Record<string, string | undefined>;
    const value = quoted ?? plain;
    if (!HAS_WORD.test(value)) return item;
    if (field !== undefined) {
      const condition = minus ? undefined : toCondition(field.toLowerCase(), value);
      if (condition) conditions.push(condition);
      return condition ? '' : item;
    }
    if (minus) {
      if (quoted === undefined && !/^[\p{L}\p{N}]/u.test(value)) return item;
      excluded.push(value);
      return '';
    }
    if (quoted !== undefined) phrases.push(quoted);
    return quoted ?? item;
  });
  if (HAS_WORD.test(words) || conditions.length > 0) return { words, phrases, excluded, conditions };
  return { words: text, phrases: [], excluded: [], conditions: [] };
}

/** Whether a text has an operator. */
export function hasOperators({ phrases, excluded, conditions }: ParsedText): boolean {
  return phrases.length + excluded.length + conditions.length > 0;
}

/** A text with the same words and no operators. */
export function toPlainText(text: string): string {
  return text.replaceAll(QUOTES, '"').replaceAll(/(?<=^|\s)-|[":]/gu, ' ');
}

function toCondition(name: string, value: string): { field: Field; values: string[] } | undefined {
  const field = fields.find((known) => known === name);
  if (!field) return undefined;
  const isList = field === 'category' || field === 'pricing' || field === 'api';
  const values = isList ? value.toLowerCase().split(',').filter(Boolean) : [value];
  const known = valuesOf[field];
  return values.length > 0 && values.every((each) => known?.includes(each) ?? true) ? { field, values } : undefined;
}
