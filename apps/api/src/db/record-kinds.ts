import {
  agentIdSchema,
  agentSchema,
  changeActors,
  changeKinds,
  editableFields,
  reportSchema,
  toolsChangeSchema,
  type AgentPatch,
} from '@agent-registry/contracts';
import { sql, type Generated, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { sourceRecordKinds } from './source-record-kinds.ts';
import { eventTypes, proposalStates, unlistedStates } from './states.ts';

/** A kind of record in a table: from this, the columns, backup, restore and erasure derive. */
export type RecordKind = {
  table: string;
  /** The columns by which rows are unique and in order. */
  key: readonly string[];
  /** The fields of a record. A column has the name of its field in snake_case. */
  fields: Record<string, z.ZodType>;
  /** The columns that have another name than their field. */
  columns?: Record<string, string>;
  /** The fields that are stored as JSON. */
  json?: readonly string[];
  /** The field with the list of all rows of an agent, where a record holds these. */
  rows?: string;
  /** Which rows of the table are records of this kind, if not all. */
  condition?: RawBuilder<boolean>;
  /** Whether an erasure of the agent removes the rows with its `agent_id`, or which columns it sets; by default it leaves them. */
  erasure?: 'remove' | Record<string, unknown>;
};

// Lists are sorted by the text of a time, so that every time must have the same format.
const time = z.iso.datetime({ precision: 3 });
const day = z.iso.date();
const count = z.int().min(0);
// Strict, so that a field that this version does not know is refused and not lost.
const storedAgent = z.strictObject({
  ...agentSchema.shape,
  id: agentIdSchema,
  createdAt: time,
  updatedAt: time.optional(),
  websiteCheckedAt: time.optional(),
});
// Null stands for the default of a field.
const patch = z.partialRecord(z.enum(editableFields), z.unknown()).transform((fields) => fields as AgentPatch);
/** Upwards in their order. A restore gives other numbers. */
const number = z.int();

/** The kinds of records that are rows of tables, in the order of a backup; agents come first. */
export const recordKinds = {
  /** An agent that was withdrawn so long ago that it is forgotten. */
  tombstone: {
    table: 'unlisted_agents',
    key: ['id'],
    condition: sql<boolean>`agent IS NULL`,
    fields: { id: agentIdSchema, since: time },
  },
  /** The reports of an agent, oldest first. */
  reports: {
    table: 'reports',
    key: ['agent_id', 'number'],
    rows: 'reports',
    fields: { agentId: agentIdSchema, reports: z.array(reportSchema.extend({ createdAt: time }).strict()).min(1) },
    erasure: 'remove',
  },
  /** An edit of a listed agent that waits for review, or was reviewed. */
  proposal: {
    table: 'proposed_versions',
    key: ['agent_id'],
    json: ['patch', 'former'],
    fields: {
      agentId: agentIdSchema,
      state: z.enum(proposalStates),
      /** The time of the last edit, or of the decision. */
      since: time,
      patch,
      /** The values that the fields had before the release. */
      former: patch.optional(),
      /** Why it was refused, for its owner; empty in other states. */
      reason: z.string(),
    },
    erasure: 'remove',
  },
  change: {
    table: 'agent_changes',
    key: ['number'],
    columns: { change: 'kind' },
    json: ['fields', 'tools'],
    fields: {
      number,
      agentId: agentIdSchema,
      at: time,
      change: z.enum(changeKinds),
      actor: z.enum(changeActors),
      fields: z.partialRecord(agentSchema.keyof(), z.tuple([z.unknown(), z.unknown()]).nullable()).optional(),
      tools: toolsChangeSchema.optional(),
    },
    // What became of the agent when stays for readers of the log.
    erasure: { fields: null, tools: null, has_texts: 0 },
  },
  /** What operators did, for 400 days. An action on several agents has a row for each. */
  action: {
    table: 'operator_actions',
    key: ['number'],
    columns: { by: 'actor' },
    fields: {
      number,
      at: time,
      by: z.string(),
      command: z.string(),
      /** Null for an action on the registry as a whole. */
      agentId: agentIdSchema.nullable(),
      name: z.string().nullable(),
      reason: z.string(),
    },
    erasure: { name: null, reason: '' },
  },
  /** An event of which the operator is not told yet, for 30 days; without a webhook there is none. */
  event: {
    table: 'operator_events',
    key: ['number'],
    condition: sql<boolean>`number > coalesce((SELECT cursor FROM webhook), 0)`,
    fields: { number, at: time, type: z.enum(eventTypes), agentId: agentIdSchema },
  },
  views: { table: 'daily_views', key: ['day'], fields: { day, views: count } },
  /** All views of an agent that are kept. */
  'agent-views': {
    table: 'agent_views',
    key: ['agent_id', 'day'],
    rows: 'days',
    fields: { agentId: agentIdSchema, days: z.array(z.strictObject({ day, views: count })).min(1) },
    erasure: 'remove',
  },
  ...sourceRecordKinds,
  /** An idempotency key and the agent that was registered with it. */
  registration: {
    table: 'registration_keys',
    key: ['key'],
    json: ['agent'],
    fields: { key: z.string(), agent: storedAgent, createdAt: time },
    erasure: 'remove',
  },
} as const satisfies Record<string, RecordKind>;

export type KindName = keyof typeof recordKinds;

export type FieldsOf<Kind extends KindName> = Kind extends KindName
  ? z.output<z.ZodObject<(typeof recordKinds)[Kind]['fields'], z.core.$strict>>
  : never;

/** The table of a kind of records: a column for each field, as `writeRecords` writes them. */
export type TableOf<Kind extends KindName> = {
  [Field in keyof FieldsOf<Kind> & string as ColumnOf<Kind, Field>]-?: Field extends 'number'
    ? Generated<number>
    : ToStored<Kind, Field, Exclude<FieldsOf<Kind>[Field], undefined>> | NullIfOptional<FieldsOf<Kind>[Field]>;
};

type Kinds = typeof recordKinds;

type ColumnOf<Kind extends KindName, Field extends string> = Kinds[Kind] extends {
  columns: { [Name in Field]: infer Column extends string };
}
  ? Column
  : SnakeCase<Field>;

type ToStored<Kind extends KindName, Field, Value> = Kinds[Kind] extends { json: readonly (infer Json)[] }
  ? Field extends Json
    ? string
    : Value
  : Value extends boolean
    ? 0 | 1
    : Value;

type NullIfOptional<Value> = undefined extends Value ? null : never;

export type SnakeCase<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : '';

const ownedAgent = { agent: storedAgent, keyHash: z.string().optional() };
const listedLine = z.strictObject({ kind: z.literal('agent'), ...ownedAgent });
const unlistedLine = z.strictObject({
  kind: z.enum(unlistedStates),
  ...ownedAgent,
  reason: z.string(),
  since: time,
  formerState: z.enum(unlistedStates).optional(),
});
const endLine = z.strictObject({ kind: z.literal('end'), records: z.int(), sha256: z.string() });

/** A record of a registry's data, without anything that can be derived from other records. */
export type RegistryRecord =
  | z.output<typeof listedLine>
  | z.output<typeof unlistedLine>
  | { [Kind in KindName]: { kind: Kind } & FieldsOf<Kind> }[KindName];

/** A line of a backup after its header: a record, or the end. */
export const lineSchema = z.discriminatedUnion('kind', [
  listedLine,
  unlistedLine,
  ...Object.entries(recordKinds).map(([kind, { fields }]) => z.strictObject({ kind: z.literal(kind), ...fields })),
  endLine,
]) as unknown as z.ZodType<RegistryRecord | z.output<typeof endLine>>;

/** The names of all kinds of records, agents first. */
export const kindNames = ['agent', ...unlistedStates, ...Object.keys(recordKinds)] as RegistryRecord['kind'][];

export type RecordTable = 'agents' | 'unlisted_agents' | (typeof recordKinds)[KindName]['table'];
export const recordTables: readonly RecordTable[] = [
  'agents',
  ...new Set(Object.values(recordKinds).map(({ table }) => table)),
];
