import { z } from 'zod';
import { mcpTransports, packageRegistries, skillFormats } from './connection.ts';

const url = z.string().meta({ format: 'uri', description: 'An https address on port 443, without secrets.' });

const inputs = (of: string) =>
  z
    .array(
      z.strictObject({
        name: z.string(),
        description: z.string().meta({ description: 'What it is for, in one line.' }),
        required: z.boolean(),
        secret: z.boolean(),
      }),
    )
    .optional()
    .meta({ description: `${of} that clients ask their users for, without values; absent if there are none.` });

/** A connection as an agent has it: also one that is stored by a version with other rules. */
export const storedConnectionSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('mcp'),
      transport: z.enum(mcpTransports),
      url,
      headers: inputs('The headers'),
    }),
    z.strictObject({
      kind: z.literal('mcp-package'),
      registry: z.enum(packageRegistries),
      identifier: z.string().meta({
        description: 'The name in its registry, the image with its tag or digest, or the address of an mcpb file.',
      }),
      version: z.string().optional().meta({ description: 'One exact version; oci has none.' }),
      sha256: z.string().optional().meta({ description: 'The SHA-256 of the file; mcpb has one.' }),
      environment: inputs('The environment variables'),
    }),
    z.strictObject({ kind: z.literal('a2a'), card: url }),
    z.strictObject({ kind: z.literal('skill'), url, format: z.enum(skillFormats) }),
    z.strictObject({ kind: z.literal('openapi'), url }),
  ])
  .meta({
    id: 'Connection',
    description: 'One way to connect: a remote MCP server, an MCP package, an A2A agent card, a skill, or OpenAPI.',
  });
