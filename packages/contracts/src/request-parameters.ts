import { z } from 'zod';
import { isStorable } from './characters.ts';
import { readOptions, type ReadParameter } from './filters.ts';

export function limitSchema(max: number) {
  const message = `limit must be a whole number from 1 to ${max}`;
  // Digits only: Number also reads 0x2, 1e2 and texts with blanks around them.
  return z.preprocess(
    (limit: number) => (typeof limit === 'string' && /^\d+$/.test(limit) ? Number(limit) : limit),
    z.int(message).min(1, message).max(max, message),
  );
}

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

/** A parameter that is read as pages read it; what it cannot be does not fit the schema, which describes it. */
export function parameterSchema<Value extends z.ZodType>(read: ReadParameter, schema: Value) {
  return z
    .preprocess((value: ReadOnly<z.input<Value>>) => (isTexts(value) ? read([value].flat()) : value), schema.optional())
    .optional();
}

export function optionsSchema<const Value extends string>(
  name: string,
  values: readonly Value[],
  meta: z.core.GlobalMeta,
) {
  const several = `one or several of ${values.join(', ')}, separated by commas`;
  const message = `${name} must be ${values.length === 1 ? values[0] : several}`;
  return parameterSchema(
    (given) => readOptions(given, values),
    z.array(z.enum(values, message), message).min(1).meta(meta),
  );
}

/** A parameter that may be left out, or be empty. */
export function orNone<Value extends z.ZodType>(schema: Value) {
  return z
    .preprocess(
      (value: z.input<Value>) => (typeof value === 'string' && value.trim() === '' ? undefined : value),
      schema.optional(),
    )
    .optional();
}

type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

function isTexts(value: unknown): value is string | readonly string[] {
  return [value].flat().every((item) => typeof item === 'string');
}
