/** A JSON object of a stranger. */
export type Json = Readonly<Record<string, unknown>>;

/** The value of a JSON text; undefined for a text with a mistake. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A value as an object; an empty one if it is none. */
export function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null ? [] : [value];
}

/**
 * The values at a path of names, through lists.
 * @example valuesAt({ skills: [{ tags: ['a'] }, { tags: 'b' }] }, 'skills.tags') // ['a', 'b']
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  let found = [...toList(value)];
  for (const name of path.split('.')) found = found.flatMap((one) => toList(toObject(one)[name]));
  return found;
}

export function textsAt(value: unknown, ...paths: readonly string[]): string[] {
  return paths
    .flatMap((path) => valuesAt(value, path))
    .filter((found): found is string => typeof found === 'string' && found.trim() !== '');
}

export function textAt(value: unknown, ...paths: readonly string[]): string | undefined {
  return textsAt(value, ...paths)[0];
}
