import {
  agentIdSchema,
  agentSchema,
  changeActors,
  changeKinds,
  countOf,
  editableFields,
  reportSchema,
  type AgentPatch,
} from '@agent-registry/contracts';
import { z } from 'zod';
import type { RegistryRecord } from '../agents/operator-store.ts';
import { proposalStates, unlistedStates } from '../db/tables.ts';
import { sourceRecordSchemas } from '../sync/source-records.ts';
import { eventTypes } from '../webhook/operator-events.ts';

// Lists are sorted by the text of a time, so that every time must have the same format.
const timeSchema = z.iso.datetime({ precision: 3 });
// Strict, so that a field that this version does not know is refused and not lost.
const storedAgentSchema = z.strictObject({
  ...agentSchema.shape,
  id: agentIdSchema,
  createdAt: timeSchema,
  updatedAt: timeSchema.optional(),
  websiteCheckedAt: timeSchema.optional(),
});
// Null stands for the default of a field.
const patchSchema = z.partialRecord(z.enum(editableFields), z.unknown()).transform((patch) => patch as AgentPatch);
const ownedAgent = { agent: storedAgentSchema, keyHash: z.string().optional() };
/** A line of a backup after its header: a record, or the end. */
export const lineSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('agent'), ...ownedAgent }),
  z.strictObject({
    kind: z.enum(unlistedStates),
    ...ownedAgent,
    reason: z.string(),
    since: timeSchema,
    formerState: z.enum(unlistedStates).optional(),
  }),
  z.strictObject({ kind: z.literal('tombstone'), id: agentIdSchema, since: timeSchema }),
  z.strictObject({
    kind: z.literal('reports'),
    agentId: agentIdSchema,
    reports: z.array(reportSchema.extend({ createdAt: timeSchema }).strict()).min(1),
  }),
  z.strictObject({
    kind: z.literal('proposal'),
    agentId: agentIdSchema,
    state: z.enum(proposalStates),
    since: timeSchema,
    patch: patchSchema,
    former: patchSchema.optional(),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal('change'),
    number: z.int(),
    agentId: agentIdSchema,
    at: timeSchema,
    change: z.enum(changeKinds),
    actor: z.enum(changeActors),
    fields: z.partialRecord(agentSchema.keyof(), z.tuple([z.unknown(), z.unknown()]).nullable()).optional(),
  }),
  ...sourceRecordSchemas,
  z.strictObject({
    kind: z.literal('action'),
    number: z.int(),
    at: timeSchema,
    by: z.string(),
    command: z.string(),
    agentId: agentIdSchema.nullable(),
    name: z.string().nullable(),
    reason: z.string(),
  }),
  z.strictObject({
    kind: z.literal('event'),
    number: z.int(),
    at: timeSchema,
    type: z.enum(eventTypes),
    agentId: agentIdSchema,
  }),
  z.strictObject({ kind: z.literal('views'), day: z.iso.date(), views: z.int().min(0) }),
  z.strictObject({
    kind: z.literal('figures'),
    day: z.iso.date(),
    registrations: z.int().min(0),
    edits: z.int().min(0),
    reports: z.int().min(0),
    searchesWithoutResult: z.int().min(0),
    rateLimitedCalls: z.int().min(0),
  }),
  z.strictObject({
    kind: z.literal('agent-views'),
    agentId: agentIdSchema,
    days: z.array(z.strictObject({ day: z.iso.date(), views: z.int().min(0) })).min(1),
  }),
  z.strictObject({
    kind: z.literal('website-host'),
    host: z.string(),
    dueAt: timeSchema,
    answeredAt: timeSchema.nullable(),
    failures: z.int().min(0),
    firstFailedAt: timeSchema.nullable(),
    lastFailedAt: timeSchema.nullable(),
  }),
  z.strictObject({ kind: z.literal('registration'), key: z.string(), agent: storedAgentSchema, createdAt: timeSchema }),
  z.strictObject({ kind: z.literal('end'), records: z.int(), sha256: z.string() }),
]);

/** The number of records of each kind in a backup. */
export type BackupCounts = Record<RegistryRecord['kind'], number>;

/** A key that is unique among the records of a registry. */
export function identify(record: RegistryRecord): string {
  switch (record.kind) {
    case 'agent':
    case 'hidden':
    case 'held':
    case 'refused':
    case 'withdrawn':
      return record.agent.id;
    case 'tombstone':
      return record.id;
    case 'reports':
      return `reports ${record.agentId}`;
    case 'proposal':
      return `proposal ${record.agentId}`;
    case 'change':
      return `change ${record.number}`;
    case 'action':
      return `action ${record.number}`;
    case 'event':
      return `event ${record.number}`;
    case 'views':
      return record.day;
    case 'figures':
      return `figures ${record.day}`;
    case 'agent-views':
      return `views ${record.agentId}`;
    case 'website-host':
      return `host ${record.host}`;
    case 'source':
      return `source ${record.name}`;
    case 'agent-source':
      return `entry ${record.source} ${record.entryKey}`;
    case 'pinned':
      return `pinned ${record.agentId}`;
    case 'registration':
      // Clients choose these keys, which may equal an id or a day.
      return `registration ${record.key}`;
  }
}

/** Describes the agents of a backup, such as `3 agents and 1 hidden agent`. */
export function describeBackup({ agent, hidden, held, refused, withdrawn }: BackupCounts): string {
  const others = { held, refused, withdrawn };
  const rest = Object.entries(others).flatMap(([state, count]) => (count > 0 ? countOf(count, `${state} agent`) : []));
  return new Intl.ListFormat('en-GB').format([countOf(agent, 'agent'), countOf(hidden, 'hidden agent'), ...rest]);
}

/** Counts of zero for each kind of record. */
export function noRecords(): BackupCounts {
  return {
    agent: 0,
    hidden: 0,
    held: 0,
    refused: 0,
    withdrawn: 0,
    tombstone: 0,
    reports: 0,
    proposal: 0,
    change: 0,
    action: 0,
    event: 0,
    views: 0,
    figures: 0,
    'agent-views': 0,
    'website-host': 0,
    source: 0,
    'agent-source': 0,
    pinned: 0,
    registration: 0,
  };
}
