import * as z from 'zod/mini';
import { categoryIds } from './category.ts';

const NO_CATEGORY = `Category must be one of ${categoryIds.join(', ')}`;

/** An id of a category; the message of a wrong one names the six. */
export const categoryIdSchema = z.enum(categoryIds, NO_CATEGORY);

/** The category of a registration, which an owner may have forgotten to choose. */
export const chosenCategorySchema = z.enum(categoryIds, {
  error: (issue) => (issue.input === undefined || issue.input === '' ? 'Category is required' : NO_CATEGORY),
});
