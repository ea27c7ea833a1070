import { z } from 'zod';
import { agentIdSchema } from './agent.ts';
import { categoryIdSchema } from './category-schema.ts';
import { IDEMPOTENCY_KEY_HEADER, MAX_PAGE_SIZE, MAX_SEARCH_LENGTH } from './request-limits.ts';

const LIMIT = `limit must be a whole number from 1 to ${MAX_PAGE_SIZE}`;

// Digits only: Number also reads 0x2, 1e2 and texts with blanks around them.
const limitSchema = z.preprocess(
  (limit: number) => (typeof limit === 'string' && /^\d+$/.test(limit) ? Number(limit) : limit),
  z.int(LIMIT).min(1, LIMIT).max(MAX_PAGE_SIZE, LIMIT),
);

/**
 * The part of a list: the whole list when empty, a page of the largest size with `after` alone. `after` is the id of the
 * last agent of the page before.
 */
export const listRequestSchema = z.object({
  limit: limitSchema.optional(),
  after: agentIdSchema.optional(),
});

/** A category, and the part of its list. */
export const categoryRequestSchema = listRequestSchema.extend({ category: categoryIdSchema });

/** A search: trimmed text of 1 to 200 characters. Without `limit` and `after` the best 1,000 results are returned. */
export const searchRequestSchema = listRequestSchema.extend({
  q: z
    .string({
      error: (issue) => (issue.input === undefined ? 'q is required: the text to search for' : 'q must be one text'),
    })
    .trim()
    .min(1, 'q must not be blank: it is the text to search for')
    .max(MAX_SEARCH_LENGTH, `q can have at most ${MAX_SEARCH_LENGTH} characters`),
});

/** An `Idempotency-Key`: 1 to 255 visible ASCII characters; quotes are part of the key. */
export const idempotencyKeySchema = z
  .string()
  .regex(
    /^[\x21-\x7e]{1,255}$/,
    `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 visible ASCII characters without spaces, such as a UUID`,
  );

/** The id of an agent. */
export const agentRequestSchema = z.object({ id: agentIdSchema });
