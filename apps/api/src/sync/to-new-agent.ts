import { createHash } from 'node:crypto';
import {
  createRegistrationSchema,
  describedFields,
  isCategoryId,
  takeConnections,
  type Category,
  type LeftPart,
  type NewAgent,
  addScheme,
  fold,
  rowOf,
  type Json,
} from '@agent-registry/contracts';
import type { z } from 'zod';
import { ANY_CATEGORY, type Source } from './read-sources.ts';

export type ReadAgent = { agent: NewAgent; left: LeftPart[]; fault?: never } | { agent?: never; fault: string };

export function createAgentReader(source: Source, categories: readonly Category[]): (fields: Json) => ReadAgent {
  const schema = createRegistrationSchema(categories);
  return (given) => {
    const fields = toLenient(given, categories);
    const described = describedFields.flatMap((field) => (fields[field] === undefined ? [] : [[field, fields[field]]]));
    // One that cannot be kept is left out, and not the entry.
    const { connections, left } = takeConnections(Array.isArray(fields.connections) ? fields.connections : []);
    const { data, fault } = readFields(schema, {
      ...(Object.fromEntries(described) as Json),
      connections,
      category: mapCategory(source, given.category, fields.category, categories),
      contactEmail: source.contact,
    });
    return data ? { agent: data, left } : { fault };
  };
}

/** Reads fields by a schema, or says in one sentence what is wrong with them. */
export function readFields<Schema extends z.ZodType>(
  schema: Schema,
  fields: unknown,
): { data: z.output<Schema>; fault?: never } | { data?: never; fault: string } {
  const { data, error } = schema.safeParse(fields);
  return error ? { fault: [...new Set(error.issues.map(({ message }) => message))].join('; ') } : { data };
}

/** The category that one of the source stands for: as the map says, else the same one, else that of `*`. */
function mapCategory(
  { categories: map }: Source,
  theirs: unknown,
  ours: unknown,
  categories: readonly Category[],
): unknown {
  if (typeof theirs === 'string' && Object.hasOwn(map, theirs)) return map[theirs];
  if (typeof ours === 'string' && isCategoryId(categories, ours)) return ours;
  return map[ANY_CATEGORY] ?? theirs;
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

/** Makes an id from a text, always the same: a UUID of version 8 (RFC 9562) with bits of its SHA-256. */
export function toHashedId(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
