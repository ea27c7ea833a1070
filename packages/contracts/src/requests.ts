import { z } from 'zod';
import { agentIdSchema } from './agent.ts';
import { categoryIdSchema } from './category-schema.ts';
import { IDEMPOTENCY_KEY_HEADER, MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from './request-limits.ts';

/** What may be asked of a list: with neither field it is the whole list, with `after` alone a page of the largest size; `after` is the id of the last agent of the page before. */
export const listRequestSchema = z.object({
  limit: z.coerce
    .number<number>(`limit must be a number from 1 to ${MAX_PAGE_SIZE}`)
    .int(`limit must be a whole number from 1 to ${MAX_PAGE_SIZE}`)
    .min(1, `limit must be at least 1`)
    .max(MAX_PAGE_SIZE, `limit can be at most ${MAX_PAGE_SIZE}`)
    .optional(),
  after: agentIdSchema.optional(),
});

/** Which category is asked for, and how much of its list. */
export const categoryRequestSchema = listRequestSchema.extend({ category: categoryIdSchema });

/** What is searched for: trimmed text of 1 to 200 characters; without `limit` and `after` it is the best 1,000 results. */
export const searchRequestSchema = listRequestSchema.extend({
  q: z
    .string({
      error: (issue) => (issue.input === undefined ? 'q is required: the text to search for' : 'q must be one text'),
    })
    .trim()
    .min(1, 'q must not be blank: it is the text to search for')
    .max(MAX_SEARCH_LENGTH, `q can have at most ${MAX_SEARCH_LENGTH} characters`),
});

/** What an `Idempotency-Key` may hold: 1 to 255 visible ASCII characters, quotes taken as they stand. */
export const idempotencyKeySchema = z
  .string()
  .regex(
    /^[\x21-\x7e]{1,255}$/,
    `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 visible ASCII characters without spaces, such as a UUID`,
  );

/** Which agent is asked for. */
export const agentRequestSchema = z.object({ id: agentIdSchema });
