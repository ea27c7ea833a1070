import { agentIdSchema, editableFields, offerSchema } from '@agent-registry/contracts';
import { z } from 'zod';
import { serverStatuses } from './states.ts';

const time = z.iso.datetime({ precision: 3 });

/** The kinds of records of `registry sync`, and of MCP servers: their names, their tools, and how sources describe them. */
export const sourceRecordKinds = {
  source: {
    table: 'sources',
    key: ['name'],
    fields: {
      name: z.string(),
      /** At another one it is read from its start. */
      address: z.string(),
      /** How far it was read, in its own terms; null if it says no time. */
      mark: z.string().nullable(),
      syncedAt: time,
      /** What of its entries was read (`toReading`): if that is to be more, it is read from its start. Earlier backups have none. */
      reading: z.string().default(''),
    },
  },
  /** An entry of a source, as long as its agent. */
  'agent-source': {
    table: 'agent_sources',
    key: ['source', 'entry_key'],
    fields: {
      source: z.string(),
      /** A hash of what the source calls the entry. */
      entryKey: z.string(),
      /** Null after the agent was erased or forgotten. */
      agentId: agentIdSchema.nullable(),
      /** Whether the texts come from it; others have the same website. */
      isOrigin: z.boolean(),
      attribution: z.string(),
      licence: z.string(),
      /** When its texts were taken over last. */
      importedAt: time,
      /** When the agent was withdrawn because the source no longer has the entry. */
      goneAt: time.optional(),
    },
    // By its key no synchronisation adds the agent again.
    erasure: { agent_id: null, is_origin: 0, attribution: '', licence: '', gone_at: null },
  },
  /** The fields of an imported agent that no synchronisation changes. */
  pinned: {
    table: 'pinned_fields',
    key: ['agent_id'],
    json: ['fields'],
    fields: { agentId: agentIdSchema, fields: z.array(z.enum(editableFields)).min(1) },
    erasure: 'remove',
  },
  /** The key of the hashes of names. */
  'server-name-key': { table: 'server_name_key', key: ['value'], fields: { value: z.string() } },
  'server-name': {
    table: 'server_names',
    key: ['number'],
    fields: {
      number: z.int(),
      /** A keyed hash of the name without letter case: all that is left of an agent that was erased or forgotten. */
      hash: z.string(),
      name: z.string().nullable(),
      agentId: agentIdSchema.nullable(),
      /** Whether its owner chose it: it goes with the proof of its host. */
      isChosen: z.boolean().optional(),
      /** When its agent got another one. */
      givenUpAt: time.optional(),
    },
    // By the hash nobody gets the name without a proof of its host.
    erasure: { name: null, agent_id: null },
  },
  /** What a connection of an agent offers, as a check read it. */
  offer: {
    table: 'connection_offers',
    key: ['agent_id', 'address'],
    json: ['offer'],
    fields: {
      agentId: agentIdSchema,
      /** The kind and address of the connection. */
      address: z.string(),
      readAt: time,
      offer: offerSchema,
      /** How often in a row its tools changed, up to 3; -1 after one equal answer since. */
      streak: z.int(),
      /** Set while its texts wait for review, or were refused; `released` until the next check. */
      review: z.enum(['waiting', 'refused', 'released']).optional(),
    },
    erasure: 'remove',
  },
  'server-document': {
    table: 'server_documents',
    key: ['agent_id', 'version'],
    fields: {
      agentId: agentIdSchema,
      version: z.string(),
      /** The name in the source. */
      name: z.string(),
      status: z.enum(serverStatuses),
      statusMessage: z.string().optional(),
      /** The description as the source gave it, as JSON; null if it is not served as a whole. */
      document: z.string().nullable(),
      /** What the agent was read as (`toBasis`): the description is served as long as that is the same. */
      basis: z.string(),
      /** Whether it is of the present version. */
      isLatest: z.boolean(),
      keptAt: time,
      /** When it was published and changed, as the source says. */
      publishedAt: time.optional(),
      updatedAt: time.optional(),
    },
    erasure: 'remove',
  },
  /** A server that the key of a domain published here. It counts until the agent has a management key. */
  publication: {
    table: 'publications',
    key: ['agent_id'],
    json: ['pending'],
    fields: {
      agentId: agentIdSchema,
      name: z.string(),
      /** The domain of the last call. */
      domain: z.string(),
      /** What was published last: its version, and a hash of all of it. */
      version: z.string(),
      content: z.string(),
      /** Its description, until the agent is listed as it says (`toBasis`). */
      pending: z
        .strictObject({
          version: z.string(),
          status: z.enum(serverStatuses),
          statusMessage: z.string().optional(),
          document: z.string().nullable(),
          basis: z.string(),
          publishedAt: time,
        })
        .optional(),
    },
    erasure: 'remove',
  },
} as const;
