import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import type { Category, CategoryId } from './category.ts';
import { formatCount } from './format.ts';
import { fields, valuesOf, type FieldName, type OptionField } from './fields.ts';
import { createNewAgentSchema, describeOptions, newAgentSchema } from './new-agent.ts';
import { describeInvalidAgent } from './unknown-fields.ts';
import { websiteProofs } from './website.ts';
import { storedConnectionSchema } from './connections/documented-connection.ts';

export const EXAMPLE_AGENT_ID = '3f2b8c1e-5d4a-4b6f-9e7d-1a2b3c4d5e6f';
// Any text: agents of a category that the operator removed stay readable.
const categorySchema: z.ZodType<CategoryId, CategoryId> = z.string().describe('The id of the category.');

function optionSchema<Name extends OptionField>(name: Name) {
  return z.enum(valuesOf(name), describeOptions(name));
}

const MAX_REVIEW_COUNT = 2_147_483_647;

/** The id of an agent: a UUID, converted to lower case. */
export const agentIdSchema = z
  .uuid({ error: `The id of an agent must be a UUID, such as ${EXAMPLE_AGENT_ID}` })
  .toLowerCase();

/** An agent as clients read it. A field that older backups lack needs a default. */
export const agentSchema = z
  .object({
    id: z.string().meta(doc('The id, set by the registry.', EXAMPLE_AGENT_ID, 'uuid')),
    name: z.string().meta(doc('The name; several agents may have the same one.', 'Front Desk')),
    description: z
      .string()
      .meta(doc('What the agent does, as plain text with line breaks.', 'Answers calls and books appointments.')),
    category: categorySchema,
    capabilities: z
      .array(z.string())
      .meta(doc('What the agent can do, in a few words each.', ['calls', 'appointments'])),
    exampleTasks: z
      .array(z.string())
      .optional()
      .meta(
        doc('Tasks that one can give it, as sentences; absent if there are none.', [
          'Book a table for four on Friday.',
        ]),
      ),
    connections: z
      .array(storedConnectionSchema)
      .optional()
      .meta({
        description: 'How to connect to it; absent if that is not known.',
        examples: [[{ kind: 'mcp', transport: 'streamable-http', url: 'https://example.com/mcp' }]],
      }),
    serverName: z
      .string()
      .optional()
      .meta(
        doc(
          'What its owner calls its MCP server: the last part of its name at /v0.1, once the host of its website is proved.',
          'high-tides',
        ),
      ),
    contactEmail: z.string().meta(doc('The public address of the owner.', 'owner@example.com', 'email')),
    website: z
      .string()
      .nullable()
      .meta(doc('An http or https address, or null.', 'https://example.com/', 'uri')),
    pricingModel: optionSchema('pricingModel').meta(doc('What the use of the agent costs.', 'freemium')),
    apiAccess: optionSchema('apiAccess').meta(doc('Whether the agent has an API.', 'yes')),
    rating: z.number().min(0).max(5).meta(doc('The rating with one decimal, set by the registry.', 4.5)),
    reviewCount: z.int().min(0).max(MAX_REVIEW_COUNT).meta(doc('The number of reviews, set by the registry.', 12)),
    createdAt: z
      .string()
      .meta(timeDoc('The time of the registration in UTC, set by the registry.', '2026-11-21T09:30:00.000Z')),
    updatedAt: z
      .string()
      .optional()
      .meta(timeDoc('The time of the last edit in UTC, set by the registry; absent before the first edit.')),
    websiteCheckedAt: z
      .string()
      .optional()
      .meta(timeDoc('When the registry last saw that the owner controls the website; absent if it did not.')),
    websiteProof: z
      .enum(websiteProofs)
      .optional()
      .meta(
        doc(
          'What the owner proved to control then: the host by a file or its key, the listed page, or its repository. An early proof has none and counts as page.',
          'host',
        ),
      ),
  } satisfies Record<FieldName, z.ZodType>)
  .meta({ id: 'Agent', description: 'An agent of the registry.' });

export type Agent = z.infer<typeof agentSchema>;

/** An agent of a list. `contactEmail` is null if the operator shows it on the page of the agent only. */
export const listedAgentSchema = agentSchema
  .extend({
    contactEmail: z
      .string()
      .nullable()
      .meta({
        format: 'email',
        description: 'The address of the owner; null in lists of this registry.',
        examples: [null],
      }),
  })
  .meta({ id: 'ListedAgent', description: 'An agent of a list: without the address of its owner.' });

export const followedAgentSchema = agentSchema
  .omit({ contactEmail: true })
  .meta({ id: 'FollowedAgent', description: 'An agent without the address of its owner.' });

export type ListedAgent = z.infer<typeof listedAgentSchema>;

/** Creates `createNewAgentSchema` as a classic zod schema, which trpc-openapi requires and `extend` needs. */
export function createRegistrationSchema(categories: readonly Category[]) {
  return z.strictObject(createNewAgentSchema(categories).shape, { error: describeInvalidAgent });
}

const RATING = 'Rating must be a number from 0 to 5 with at most one decimal';
const REVIEW_COUNT = `Review count must be a whole number from 0 to ${formatCount(MAX_REVIEW_COUNT)}`;
/** How far the clock of another machine may be ahead, in milliseconds. */
const MAX_CLOCK_SKEW = 300_000;

function timeSchema({ label }: { label: string }) {
  const error = `${label} must be a time with its zone, such as 2026-11-21T09:30:00.000Z`;
  return z.iso
    .datetime({ offset: true, error, abort: true })
    .transform((value) => new Date(value).toISOString())
    .refine((value) => /^\d{4}-/.test(value), error)
    .refine((value) => Date.parse(value) <= Date.now() + MAX_CLOCK_SKEW, `${label} must not be in the future`)
    .optional();
}

/** The schema of an entry of an import: a registration and, optionally, the fields that a registry sets. */
export function createImportedAgentSchema(categories: readonly Category[]) {
  return createRegistrationSchema(categories).extend({
    id: agentIdSchema.optional(),
    contactEmail: z
      .unknown()
      .refine((value) => value !== undefined && value !== null, {
        error: 'Contact email is required; an export has it with --contacts',
        abort: true,
      })
      .pipe(newAgentSchema.shape.contactEmail),
    rating: z
      .number(RATING)
      .min(0, RATING)
      .max(5, RATING)
      .refine((value) => Math.round(value * 10) / 10 === value, RATING)
      .default(0),
    reviewCount: z.int(REVIEW_COUNT).min(0, REVIEW_COUNT).max(MAX_REVIEW_COUNT, REVIEW_COUNT).default(0),
    createdAt: timeSchema(fields.createdAt),
    updatedAt: timeSchema(fields.updatedAt),
    websiteCheckedAt: timeSchema(fields.websiteCheckedAt),
    importedFrom: z
      .unknown()
      .transform(() => undefined)
      .optional(),
    websiteProof: z.enum(websiteProofs, `Website proof must be one of ${websiteProofs.join(', ')}`).optional(),
  });
}
