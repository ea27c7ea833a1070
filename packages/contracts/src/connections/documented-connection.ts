// Connections as documents describe them.
import { z } from 'zod';
import { argumentTypes, mcpTransports, packageRegistries, skillFormats } from './kinds.ts';

const url = z.string().meta({ format: 'uri', description: 'An https address on port 443, without secrets.' });

const described = (description: string) => z.string().meta({ description });

function list<Item extends z.ZodType>(item: Item, description: string) {
  return z.optional(z.array(item)).meta({ description });
}

const packageArgumentSchema = z
  .strictObject({
    type: z.enum(argumentTypes).meta({ description: 'Whether it has a name.' }),
    name: described('The name of a named one, with its hyphens.').optional(),
    value: described('Its value.').optional(),
    valueHint: described('What the user gives.').optional(),
    description: described('What it is for, in one line.').optional(),
    isRequired: z.boolean().optional().meta({ description: 'Whether the user must give its value.' }),
  })
  .meta({ id: 'PackageArgument', description: 'An argument, as server.json has it.' });

/** The schema of a connection; `flag` is that of what a header or variable is, `inputId` its name. */
function createConnectionSchema<Flag extends z.ZodType>(flag: Flag, inputId: string) {
  const input = z
    .strictObject({
      name: described('The name of the header or variable.'),
      description: described('What it is for, in one line.'),
      required: flag.meta({ description: 'Whether it must have a value.' }),
      secret: flag.meta({ description: 'Whether its value must not be shown.' }),
      value: described('A fixed value, or the place of what the user gives, such as `Bearer {key}`.').optional(),
    })
    .meta({ id: inputId, description: 'A header or variable, which clients ask their users for unless it is fixed.' });
  const kind = <const Kind extends string>(name: Kind, description: string) => z.literal(name).meta({ description });
  return z.discriminatedUnion('kind', [
    z.strictObject({
      kind: kind('mcp', 'A remote MCP server.'),
      transport: z.enum(mcpTransports).meta({ description: 'How clients talk to it.' }),
      url,
      headers: list(input, 'The headers.'),
      tools: z
        .int()
        .optional()
        .meta({ readOnly: true, description: 'How many tools it has, if the registry read them; ignored in an edit.' }),
    }),
    z.strictObject({
      kind: kind('mcp-package', 'An MCP server that runs on the machine of its user.'),
      registry: z.enum(packageRegistries).meta({ description: 'Where the package is published.' }),
      identifier: described(
        'The name in its registry, the image with its tag or digest, or the address of an mcpb file.',
      ),
      version: described('One exact version; oci has none.').optional(),
      sha256: described('The SHA-256 of the file; mcpb has one.').optional(),
      environment: list(input, 'The environment variables.'),
      runtimeArguments: list(packageArgumentSchema, 'Arguments of the program that runs it.'),
      packageArguments: list(packageArgumentSchema, 'Arguments of the package.'),
    }),
    z.strictObject({ kind: kind('a2a', 'An A2A agent card.'), card: url }),
    z.strictObject({
      kind: kind('skill', 'A skill.'),
      url,
      format: z.enum(skillFormats).meta({ description: 'The format of its file.' }),
    }),
    z.strictObject({ kind: kind('openapi', 'An OpenAPI description.'), url }),
  ]);
}

/** A connection as an agent has it: also one that is stored by a version with other rules. */
export const storedConnectionSchema = createConnectionSchema(z.boolean(), 'ConnectionInput').meta({
  id: 'Connection',
  description: 'One way to connect: a remote MCP server, an MCP package, an A2A agent card, a skill, or OpenAPI.',
});

/** A connection of a registration in documents; `connectionsSchema` checks it. */
export const newConnectionSchema = createConnectionSchema(z.boolean().optional(), 'NewConnectionInput').meta({
  id: 'NewConnection',
  description: 'A connection of a registration: `required` and `secret` are true by default.',
});
