import * as z from 'zod/mini';
import { categoryIds } from './category.ts';

/** The message for an unknown category. */
export const NO_CATEGORY = `Category must be one of ${categoryIds.join(', ')}`;

/** A category id. */
export const categoryIdSchema = z.enum(categoryIds, NO_CATEGORY);

/** The category of a registration, with a message of its own for a missing one. */
export const chosenCategorySchema = z.enum(categoryIds, {
  error: (issue) => (issue.input === undefined || issue.input === '' ? 'Category is required' : NO_CATEGORY),
});
