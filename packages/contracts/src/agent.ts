import { z } from 'zod';
import { categoryIdSchema } from './category-schema.ts';
import { formatCount } from './format-count.ts';
import { apiAccessSchema, describeMistake, newAgentSchema, pricingModelSchema } from './new-agent.ts';

/** The id of an agent: a UUID, in lower case. */
export const agentIdSchema = z
  .uuid({ error: 'The id of an agent must be a UUID, such as 3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f' })
  .toLowerCase();

/** An agent as everybody sees it. `rating` has one decimal, `createdAt` is ISO 8601 in UTC, `website` is null when not given. */
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

/** An agent as everybody sees it. */
export type Agent = z.infer<typeof agentSchema>;

/** `newAgentSchema` as a schema of zod's large kind, which can be extended, and is what trpc-openapi reads. */
export const registrationSchema = z.strictObject(newAgentSchema.shape, { error: describeMistake });

const RATING = 'Rating must be a number from 0 to 5 with at most one decimal';
const MAX_REVIEW_COUNT = 2_147_483_647;
const REVIEW_COUNT = `Review count must be a whole number from 0 to ${formatCount(MAX_REVIEW_COUNT)}`;
const CREATED_AT = 'Created at must be a time with its zone, such as 2026-11-21T09:30:00.000Z';

/** An agent that comes from elsewhere: a registration, and what a registry had set, where it is known. */
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
