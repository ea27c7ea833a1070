import { agentIdSchema } from '@agent-registry/contracts';
import { z } from 'zod';
import { serverStatuses } from './operator-tables.ts';

/** The kinds of records of MCP servers: their names, and how their sources describe them. */
export const serverRecordKinds = {
  'server-name-key': { table: 'server_name_key', key: ['value'], fields: { value: z.string() } },
  'server-name': {
    table: 'server_names',
    key: ['number'],
    fields: { number: z.int(), hash: z.string(), name: z.string().nullable(), agentId: agentIdSchema.nullable() },
    // By the hash nobody else gets the name.
    erasure: { name: null, agent_id: null },
  },
  'server-document': {
    table: 'server_documents',
    key: ['agent_id', 'version'],
    fields: {
      agentId: agentIdSchema,
      version: z.string(),
      name: z.string(),
      status: z.enum(serverStatuses),
      statusMessage: z.string().optional(),
      document: z.string().nullable(),
      basis: z.string(),
      isLatest: z.boolean(),
      keptAt: z.iso.datetime({ precision: 3 }),
    },
    erasure: 'remove',
  },
} as const;
