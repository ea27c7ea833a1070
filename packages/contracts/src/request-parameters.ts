import { z } from 'zod';
import { isAgentId } from './agent-fields.ts';
import { isStorable } from './characters.ts';
import { parseCursor } from './cursor.ts';
import { splitFilter } from './list-options.ts';

/** A whole number from 1 to a largest one. */
export function limitSchema(max: number) {
  const message = `limit must be a whole number from 1 to ${max}`;
  // Digits only: Number also reads 0x2, 1e2 and texts with blanks around them.
  return z.preprocess(
    (limit: number) => (typeof limit === 'string' && /^\d+$/.test(limit) ? Number(limit) : limit),
    z.int(message).min(1, message).max(max, message),
  );
}

/** A query parameter that is true or false. */
export function booleanSchema(name: string) {
  return z.preprocess(
    (value: boolean) => ({ true: true, false: false })[String(value)] ?? value,
    z.boolean(`${name} must be true or false`),
  );
}

/** The check of every text that a schema lets through to the database, with its message: to be spread into `refine`. */
export function storable(name: string): [check: (text: string) => boolean, message: string] {
  return [isStorable, `${name} must be valid Unicode without the character U+0000`];
}

/** A cursor; the id of an agent, which stands for its cursor, in lower case. */
export function cursorSchema(name: string) {
  const message = `${name} must be a cursor of this registry, or the id of an agent`;
  return z
    .string(message)
    .overwrite((text) => (isAgentId(text) ? text.toLowerCase() : text))
    .refine((text) => parseCursor(text), message);
}

/** One or several values of a filter: a list, or a text with commas. */
export function filterSchema<const Values extends readonly string[]>(name: string, values: Values) {
  const message = `${name} must be one or several of ${values.join(', ')}, separated by commas`;
  return z.preprocess(
    (value: readonly Values[number][]) => (isTexts(value) ? splitFilter(value) : value),
    z.array(z.enum(values, message), message).min(1, message),
  );
}

function isTexts(value: unknown): value is string | readonly string[] {
  return [value].flat().every((item) => typeof item === 'string');
}
