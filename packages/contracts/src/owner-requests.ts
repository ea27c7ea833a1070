import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import { ZodMiniDefault, ZodMiniOptional } from 'zod/mini';
import type { Agent } from './agent.ts';
import type { Category } from './category.ts';
import { isManagementKey, MANAGEMENT_KEY_HEADER } from './manage.ts';
import { createNewAgentSchema, newAgentSchema, type NewAgent } from './new-agent.ts';
import { describeInvalidAgent } from './unknown-fields.ts';
import { IDEMPOTENCY_KEY_HEADER } from './request-limits.ts';
import { agentRequestSchema } from './requests.ts';

export const idempotencyKeySchema = z
  .string()
  .regex(
    /^[\x21-\x7e]{1,255}$/,
    `${IDEMPOTENCY_KEY_HEADER} must be 1 to 255 visible ASCII characters without spaces, such as a UUID`,
  );

export const managementKeySchema = z
  .string()
  .refine(
    isManagementKey,
    `${MANAGEMENT_KEY_HEADER} must be 43 random base64url characters: 256 bits, such as 32 bytes of crypto.getRandomValues`,
  );

/** The id of an agent that is withdrawn or gets another key; nothing else is accepted. */
export const ownAgentRequestSchema = z.strictObject(agentRequestSchema.shape, { error: describeInvalidAgent });

const signed = {
  domain: z.string().max(253).optional().meta(doc('The domain whose key has signed.', 'example.com')),
  method: z.enum(['http', 'dns']).optional().meta(doc('Where the domain publishes its key.', 'http')),
  challenge: z
    .string()
    .max(100)
    .optional()
    .meta(
      doc('The text that the key has signed with others.', '1795629600.LSy8Vw1vDP3Qz4mJ7hTn2kXc9RbGf5EaUo6WiYtKd0M'),
    ),
  signature: z
    .string()
    .max(192)
    .regex(/^[\da-fA-F]*$/, 'signature must be hexadecimal digits')
    .optional()
    .meta(doc('The signature in hexadecimal digits.', 'ab'.repeat(64))),
};

/** A claim: by a challenge on the website, or with all fields by the key of a domain. */
export const claimRequestSchema = z.strictObject(
  { ...agentRequestSchema.shape, ...signed },
  { error: describeInvalidAgent },
);

type NewAgentShape = ReturnType<typeof createNewAgentSchema>['shape'];

/** The fields of a registration as those of a patch: each is optional, and null stands for a default. */
type PatchShape = {
  [Field in keyof NewAgentShape]: NewAgentShape[Field] extends
    | z.core.$ZodDefault<infer Inner>
    | z.core.$ZodOptional<infer Inner>
    ? z.ZodOptional<z.ZodNullable<Inner>>
    : z.ZodOptional<NewAgentShape[Field]>;
};

function toPatchShape(shape: NewAgentShape): PatchShape {
  const fields = Object.entries(shape).map(([name, schema]) => [
    name,
    schema instanceof ZodMiniDefault || schema instanceof ZodMiniOptional
      ? z.nullish(schema.def.innerType)
      : z.optional(schema),
  ]);
  return Object.fromEntries(fields) as PatchShape;
}

/** Creates the schema of changes of an agent (JSON Merge Patch, RFC 7396): new values; null stands for the default. */
export function createAgentUpdateSchema(categories: readonly Category[]) {
  return z.strictObject(
    { ...agentRequestSchema.shape, ...toPatchShape(createNewAgentSchema(categories).shape) },
    { error: describeInvalidAgent },
  );
}

export type AgentPatch = Omit<z.output<ReturnType<typeof createAgentUpdateSchema>>, 'id'>;

/** Applies validated changes; the other fields stay, also where a registration would be refused with them. */
export function applyPatch(agent: Agent, patch: AgentPatch): NewAgent {
  const merged = Object.entries(newAgentSchema.shape).map(([name, schema]) => {
    const field = name as keyof NewAgent;
    const value = patch[field];
    if (!Object.hasOwn(patch, field)) return [field, agent[field]];
    return [field, value ?? schema.parse(undefined)];
  });
  return Object.fromEntries(merged) as NewAgent;
}

export const websiteChallengeSchema = z
  .object({
    challenge: z.string().meta(doc('The text.', '1795629600.LSy8Vw1vDP3Qz4mJ7hTn2kXc9RbGf5EaUo6WiYtKd0M')),
    expiresAt: z.string().meta(timeDoc('When the text expires, in UTC: after 24 hours.', '2026-11-25T18:00:00.000Z')),
  })
  .meta({ id: 'WebsiteChallenge', description: 'A text that proves control of a website, once it is found there.' });
