import { agentIdSchema, editableFields } from '@agent-registry/contracts';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { RegistryRecord } from '../agents/operator-store.ts';
import type { Tables } from '../db/tables.ts';
import {
  readPinned,
  readSourceRecords,
  streamAgentSources,
  writeAgentSources,
  writePinned,
  writeSourceRecord,
} from './agent-sources.ts';

const timeSchema = z.iso.datetime({ precision: 3 });

/** The lines of a backup with sources, entries of sources and pinned fields. */
export const sourceRecordSchemas = [
  z.strictObject({
    kind: z.literal('source'),
    name: z.string(),
    address: z.string(),
    mark: z.string().nullable(),
    syncedAt: timeSchema,
  }),
  z.strictObject({
    kind: z.literal('agent-source'),
    source: z.string(),
    entryKey: z.string(),
    agentId: agentIdSchema.nullable(),
    isOrigin: z.boolean(),
    attribution: z.string(),
    licence: z.string(),
    importedAt: timeSchema,
    goneAt: timeSchema.optional(),
  }),
  z.strictObject({
    kind: z.literal('pinned'),
    agentId: agentIdSchema,
    fields: z.array(z.enum(editableFields)).min(1),
  }),
] as const;

/** Streams what is known of sources, for a backup. */
export async function* streamSourceRecords(db: Kysely<Tables>): AsyncGenerator<RegistryRecord, void, undefined> {
  for (const record of await readSourceRecords(db)) yield { kind: 'source', ...record };
  for await (const entry of streamAgentSources(db)) yield { kind: 'agent-source', ...entry };
  for (const [agentId, fields] of await readPinned(db)) yield { kind: 'pinned', agentId, fields: [...fields] };
}

/** Writes what a backup knows of sources, as part of a transaction; other records are skipped. */
export async function writeSourceRecords(
  transaction: Kysely<Tables>,
  records: readonly RegistryRecord[],
): Promise<void> {
  await writeAgentSources(
    transaction,
    records.flatMap((record) => (record.kind === 'agent-source' ? record : [])),
  );
  for (const record of records) {
    if (record.kind === 'source') await writeSourceRecord(transaction, record);
    if (record.kind === 'pinned') await writePinned(transaction, record);
  }
}
