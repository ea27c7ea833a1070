import { addScheme, fieldNames, fold, rowOf, type Category } from '@agent-registry/contracts';
import type { Json } from '../prefill/json-paths.ts';

/** Names of columns or fields in a file of somebody else, and the fields of an agent that they stand for. */
export type FieldMap = Readonly<Record<string, string>>;

/** The fields that a map may name. */
export const mappedFields = fieldNames;

/** Takes the mapped fields under their names here, and the others that an agent has. */
export function mapFields(fields: Json, map: FieldMap | undefined): Json {
  if (!map) return fields;
  const own = Object.entries(fields).filter(
    ([name]) => mappedFields.some((field) => field === name) && !Object.hasOwn(map, name),
  );
  const mapped = Object.entries(map).flatMap(([theirs, ours]) =>
    Object.hasOwn(fields, theirs) ? [[ours, fields[theirs]]] : [],
  );
  return Object.fromEntries([...own, ...mapped]) as Json;
}

/** Reads fields as leniently as the form does: lists in one text, addresses without a scheme, labels for values. */
export function toLenient(fields: Json, categories: readonly Category[]): Json {
  const entries = Object.entries(fields).map(([name, value]) => [name, toValue(name, value, categories)]);
  return Object.fromEntries(entries) as Json;
}

function toValue(name: string, value: unknown, categories: readonly Category[]): unknown {
  if (typeof value !== 'string') return value;
  const row = rowOf(name);
  const isNamed = (label: string) => fold(label) === fold(value.trim());
  switch (row?.kind) {
    case 'texts': {
      const texts = value.split(row.separator === ',' ? /[,;\r\n]/ : /\r?\n/).map((text) => text.trim());
      return [...new Set(texts.filter(Boolean))];
    }
    case 'address':
      return value.trim() === '' ? undefined : addScheme(value);
    case 'options':
      return row.options.find((option) => isNamed(option.value) || isNamed(option.label))?.value ?? value;
    case 'category':
      return toCategory(value, categories);
    default:
      return value;
  }
}

/** The id of a category that is given by its id or name, in any letter case; another text as it is. */
export function toCategory(text: string, categories: readonly Category[]): string {
  const key = fold(text.trim());
  return categories.find(({ id, name }) => fold(id) === key || fold(name) === key)?.id ?? text;
}
