import * as z from 'zod/mini';
import { MAX_SERVER_NAME_LENGTH } from '../fields.ts';
import type { newConnectionSchema } from './documented-connection.ts';
import { readConnections } from './read-connections.ts';

type NewConnection = z.input<typeof newConnectionSchema>;

/** The connections of an agent, in canonical form; an empty list is left out. */
export const connectionsSchema = z.optional(
  z.pipe(
    z.array(z.unknown(), 'connections must be a list') as unknown as z.ZodMiniType<NewConnection[], NewConnection[]>,
    z.transform((given, { issues }) => {
      const { connections, faults } = readConnections(given);
      for (const { path, message } of faults) issues.push({ code: 'custom', path: [...path], message, input: given });
      return connections.length > 0 ? connections : undefined;
    }),
  ),
);

const SERVER_NAME = 'MCP server name must be lower-case letters and digits with hyphens between, such as high-tides';

/** The last part of the name of an MCP server; absent without one. The form sends an empty text. */
export const serverNameSchema = z.optional(
  z.pipe(
    z
      .string(SERVER_NAME)
      .check(
        z.trim(),
        z.maxLength(MAX_SERVER_NAME_LENGTH, `MCP server name can have at most ${MAX_SERVER_NAME_LENGTH} characters`),
        z.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/, SERVER_NAME),
      ),
    z.transform((value) => value || undefined),
  ),
);
