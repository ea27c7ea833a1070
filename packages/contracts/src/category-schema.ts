import * as z from 'zod/mini';
import type { CategoryId } from './category.ts';
import { isCategoryId, listCategoryIds } from './site-config.ts';

/** The message for an unknown category. */
export const describeUnknownCategory = () => `Category must be one of ${listCategoryIds().join(', ')}`;

/** The JSON schema of a category id, with the categories of the moment at which it is generated. */
export const toCategoryMeta = (description?: string) => ({
  get enum() {
    return listCategoryIds();
  },
  description,
  get examples() {
    return description === undefined ? undefined : listCategoryIds().slice(0, 1);
  },
});

/** The category of a registration, with a message of its own for a missing one. */
export const chosenCategorySchema: z.ZodMiniType<CategoryId, CategoryId> = z
  .string({
    error: ({ input }) => (input === undefined ? 'Category is required' : describeUnknownCategory()),
  })
  .check(
    z.refine(isCategoryId, {
      error: ({ input }) => (input === '' ? 'Category is required' : describeUnknownCategory()),
    }),
  );
chosenCategorySchema.register(z.globalRegistry, toCategoryMeta());
