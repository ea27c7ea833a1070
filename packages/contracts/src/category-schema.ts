import * as z from 'zod/mini';
import { isCategoryId, listCategoryIds, type Category, type CategoryId } from './category.ts';

/** The message for an unknown category. */
export function describeUnknownCategory(categories: readonly Category[]): string {
  return `Category must be one of ${listCategoryIds(categories).join(', ')}`;
}

/** The JSON schema of a category id. */
export function toCategoryMeta(categories: readonly Category[], description?: string) {
  const ids = listCategoryIds(categories);
  return { enum: ids, description, examples: description === undefined ? undefined : ids.slice(0, 1) };
}

/** Creates the schema of the category of a registration, with a message of its own for a missing one. */
export function createChosenCategorySchema(categories: readonly Category[]): z.ZodMiniType<CategoryId, CategoryId> {
  const unknown = describeUnknownCategory(categories);
  const schema = z.string({ error: ({ input }) => (input === undefined ? 'Category is required' : unknown) }).check(
    z.refine((text) => isCategoryId(categories, text), {
      error: ({ input }) => (input === '' ? 'Category is required' : unknown),
    }),
  );
  schema.register(z.globalRegistry, toCategoryMeta(categories));
  return schema;
}
