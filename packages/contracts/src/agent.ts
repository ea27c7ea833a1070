import { z } from 'zod';
import { categoryIdSchema } from './category-schema.ts';
import { formatCount } from './format-count.ts';
import { apiAccessSchema, describeInvalidAgent, newAgentSchema, pricingModelSchema } from './new-agent.ts';

/** The id of an agent: a UUID, converted to lower case. */
export const agentIdSchema = z
  .uuid({ error: 'The id of an agent must be a UUID, such as 3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f' })
  .toLowerCase();

/**
 * An agent as clients read it. `rating` has one decimal, `createdAt` is ISO 8601 in UTC, optional fields are null when not
 * given. A field that older backups lack needs a default.
 */
export const agentSchema = z.object({
  id: z.string().meta({ format: 'uuid' }),
  name: z.string(),
  description: z.string(),
  category: categoryIdSchema,
  capabilities: z.array(z.string()),
  contactEmail: z.string().meta({ format: 'email' }),
  website: z.string().nullable(),
  pricingModel: pricingModelSchema,
  apiAccess: apiAccessSchema,
  rating: z.number().min(0).max(5),
  reviewCount: z.int().min(0),
  createdAt: z.string().meta({ format: 'date-time' }),
});

/** An agent as clients read it. */
export type Agent = z.infer<typeof agentSchema>;

/** `newAgentSchema` as a classic zod schema, which trpc-openapi requires and `extend` needs. */
export const registrationSchema = z.strictObject(newAgentSchema.shape, { error: describeInvalidAgent });

const RATING = 'Rating must be a number from 0 to 5 with at most one decimal';
const MAX_REVIEW_COUNT = 2_147_483_647;
const REVIEW_COUNT = `Review count must be a whole number from 0 to ${formatCount(MAX_REVIEW_COUNT)}`;
const CREATED_AT = 'Created at must be a time with its zone, such as 2026-11-21T09:30:00.000Z';

/** An agent of an import file: a registration and, optionally, the fields that a registry sets. */
export const importedAgentSchema = registrationSchema.extend({
  id: agentIdSchema.optional(),
  rating: z
    .number(RATING)
    .min(0, RATING)
    .max(5, RATING)
    .refine((value) => Math.round(value * 10) / 10 === value, RATING)
    .default(0),
  reviewCount: z.int(REVIEW_COUNT).min(0, REVIEW_COUNT).max(MAX_REVIEW_COUNT, REVIEW_COUNT).default(0),
  createdAt: z.iso
    .datetime({ offset: true, error: CREATED_AT, abort: true })
    .transform((value) => new Date(value).toISOString())
    .refine((value) => /^\d{4}-/.test(value), CREATED_AT)
    .optional(),
});
