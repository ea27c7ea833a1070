import { connectsOptions } from './connections/connection.ts';
import { valuesOf } from './fields.ts';

const fields = ['category', 'pricing', 'api', 'name', 'capability', 'connects', 'by', 'like'] as const;
export type OperatorField = (typeof fields)[number];

/** Most phrases, most exclusions and most fields of a text that count. Each is one more condition of every query. */
const MAX_OPERATORS = 5;

export type ParsedText = {
  words: string;
  /** Texts that must occur word for word. */
  phrases: readonly string[];
  /** Texts whose words must not occur together. */
  excluded: readonly string[];
  /** `field:value`, several values with a comma between them. */
  conditions: readonly { field: OperatorField; values: readonly string[] }[];
};

export type SearchOperator = {
  /** What it demands, such as `not: google` or `Pricing: free`. */
  label: string;
  /** The text without it; empty if nothing is left to search for. */
  rest: string;
};

/** A piece of a text: an optional minus, an optional field, and a text in quotes or up to the next blank. */
const ITEM = /(?<=^|\s)(?<minus>-?)(?:(?<field>[a-z]+):)?(?:"(?<quoted>[^"]*)"(?=\s|$)|(?<plain>[^\s"]\S*))/giu;
const QUOTES = /[“”„«»＂]/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

const fixedValues: Partial<Record<OperatorField, readonly string[]>> = {
  pricing: valuesOf('pricingModel'),
  api: valuesOf('apiAccess'),
  connects: connectsOptions.map(({ value }) => value),
};

/** Reads the operators of a text. Anything that is no operator is a word; without a word or a field, an exclusion is one. */
export function parseText(text: string): ParsedText {
  return parse(text).parsed;
}

/** Lists the operators of a text that count, in their order. */
export function listOperators(text: string): SearchOperator[] {
  const { parsed, found } = parse(text);
  if (!hasOperators(parsed)) return [];
  return found.map(({ label, at, length }) => {
    const plain = toPlainQuotes(text);
    const rest = `${plain.slice(0, at)} ${plain.slice(at + length)}`.replaceAll(/\s+/gu, ' ').trim();
    return { label, rest: parse(rest).isSearch ? rest : '' };
  });
}

export function hasOperators({ phrases, excluded, conditions }: ParsedText): boolean {
  return phrases.length + excluded.length + conditions.length > 0;
}

export function toPlainText(text: string): string {
  return toPlainQuotes(text).replaceAll(/(?<=^|\s)-|[":]/gu, ' ');
}

type FoundOperator = { label: string; at: number; length: number };

function parse(text: string): { parsed: ParsedText; found: FoundOperator[]; isSearch: boolean } {
  const phrases: string[] = [];
  const excluded: string[] = [];
  const conditions: { field: OperatorField; values: string[] }[] = [];
  const found: FoundOperator[] = [];
  const words = toPlainQuotes(text).replaceAll(ITEM, (item: string, ...rest: unknown[]) => {
    const [at, , groups] = rest.slice(-3) as [number, string, Record<string, string | undefined>];
    const { minus, field, quoted, plain = '' } = groups;
    const value = quoted ?? plain;
    if (!HAS_WORD.test(value)) return item;
    const add = <Operator>(operators: Operator[], operator: Operator, label: string) => {
      if (operators.length === MAX_OPERATORS) return;
      operators.push(operator);
      found.push({ label, at, length: item.length });
    };
    if (field !== undefined) {
      const condition = minus ? undefined : toCondition(field.toLowerCase(), value);
      if (condition) add(conditions, condition, `${toLabel(condition.field)}: ${value}`);
      return condition ? '' : item;
    }
    if (minus) {
      if (quoted === undefined && !/^[\p{L}\p{N}]/u.test(value)) return item;
      add(excluded, value, `not: ${value}`);
      return '';
    }
    if (quoted !== undefined) add(phrases, quoted, `“${quoted}”`);
    return quoted ?? item;
  });
  const isSearch = HAS_WORD.test(words) || conditions.length > 0;
  const parsed = { words, phrases, excluded, conditions };
  return { parsed: isSearch ? parsed : { words: text, phrases: [], excluded: [], conditions: [] }, found, isSearch };
}

function toPlainQuotes(text: string): string {
  return text.replaceAll(QUOTES, '"');
}

function toLabel(field: OperatorField): string {
  return field === 'api' ? 'API access' : field.charAt(0).toUpperCase() + field.slice(1);
}

function toCondition(name: string, value: string): { field: OperatorField; values: string[] } | undefined {
  const field = fields.find((known) => known === name);
  if (!field) return undefined;
  const isList = field === 'category' || field in fixedValues;
  const values = isList ? value.toLowerCase().split(',').filter(Boolean) : [value];
  const known = fixedValues[field];
  return values.length > 0 && values.every((each) => known?.includes(each) ?? true) ? { field, values } : undefined;
}
