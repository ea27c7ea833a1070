import { listCategoryIds, optionFields, valuesOf, type Category } from '@agent-registry/contracts';
import { initialValues, type RegisterFormValues } from './form-values.ts';

/** Picks the valid fields of a form from parsed JSON, such as a draft; undefined if it is no object. */
export function parseFormValues(
  json: unknown,
  categories: readonly Category[],
): Partial<RegisterFormValues> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const options: Partial<Record<string, readonly string[]>> = {
    category: ['', ...listCategoryIds(categories)],
    ...Object.fromEntries(optionFields.map((name) => [name, valuesOf(name)])),
  };
  const valid = Object.entries(json).filter(
    ([field, value]) =>
      Object.hasOwn(initialValues, field) && typeof value === 'string' && (options[field]?.includes(value) ?? true),
  );
  return Object.fromEntries(valid);
}
