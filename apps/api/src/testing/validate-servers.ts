import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { z } from 'zod';

const time = z.iso.datetime();
const official = z.strictObject({
  status: z.enum(['active', 'deprecated', 'deleted']),
  statusMessage: z.string().max(500).optional(),
  statusChangedAt: time.optional(),
  publishedAt: time.optional(),
  updatedAt: time,
  isLatest: z.boolean(),
});

const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
const validate = ajv.compile(
  JSON.parse(readFileSync(new URL('server.schema.json', import.meta.url), 'utf8')) as Record<string, unknown>,
);

/** A server that the published JSON schema accepts. */
const serverSchema = z
  .looseObject({ name: z.string(), description: z.string(), version: z.string() })
  .check((context) => {
    if (!validate(context.value)) {
      context.issues.push({ code: 'custom', input: context.value, message: ajv.errorsText(validate.errors) });
    }
  });

/** A version of a server, as the description of the MCP registry API says. */
export const serverResponseSchema = z.strictObject({
  server: serverSchema,
  // Other keys are those of the registry itself.
  _meta: z.object({ 'io.modelcontextprotocol.registry/official': official }).catchall(z.looseObject({})),
});

/** A page of servers. */
export const serverListSchema = z.strictObject({
  servers: z.array(serverResponseSchema),
  metadata: z.strictObject({
    count: z.int(),
    nextCursor: z
      .string()
      .regex(/^[\w-]+$/)
      .optional(),
  }),
});
