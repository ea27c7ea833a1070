import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import { EXAMPLE_AGENT_ID, followedAgentSchema } from './agent.ts';
import { publicHistoryFields } from './fields.ts';
import { toolsChangeSchema } from './connections/offer.ts';

export const changeKinds = ['listed', 'updated', 'removed', 'tools'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/**
 * Who changed an agent. `anyone` registered it without a key; `website` proved control of the website; `check` is the
 * registry itself, which read other tools.
 */
export const changeActors = ['owner', 'website', 'operator', 'import', 'anyone', 'check'] as const;

export type ChangeActor = (typeof changeActors)[number];
/** A cursor of the change log: the id of the log, and the number of the last change that was read. */
export type ChangesCursor = { log: string; number: number };

/** Writes a cursor of the change log, which is opaque to clients. */
export function toChangesCursor({ log, number }: ChangesCursor): string {
  return `${log}.${number}`;
}

export function parseChangesCursor(text: string): ChangesCursor | undefined {
  const [, log, number] = /^([\w-]{12})\.(\d{1,15})$/.exec(text) ?? [];
  return log === undefined ? undefined : { log, number: Number(number) };
}

const kindSchema = z
  .enum(changeKinds)
  .meta(doc('Whether the agent was listed, updated or removed from all lists, or has other tools.', 'updated'));

const timeSchema = z.string().meta(timeDoc('The time of the change in UTC.'));

/** The latest change of an agent, for readers of the change log. */
export const changeSchema = z
  .object({
    id: z.string().meta(doc('The id of the agent.', EXAMPLE_AGENT_ID, 'uuid')),
    change: kindSchema,
    at: timeSchema,
    agent: followedAgentSchema
      .optional()
      .describe('The agent as it is now, with include=agents; absent once it was removed.'),
  })
  .meta({ id: 'Change', description: 'The latest change of an agent.' });

export type Change = z.infer<typeof changeSchema>;

export const changesSchema = z
  .object({
    changes: z.array(changeSchema).describe('Each agent at most once, in the order of the changes.'),
    next: z.string().meta(doc('The cursor to go on with, now or later.', 'q8Jw3hXb2mKd.4711')),
    hasMore: z.boolean().meta(doc('Whether more changes follow already.', false)),
  })
  .meta({ id: 'Changes', description: 'A page of the change log.' });

export type Changes = z.infer<typeof changesSchema>;

const valueSchema = z.string().nullable().optional();

const fieldChangeSchema = z
  .object({
    field: z.string().meta(doc('The name of the field.', 'pricingModel')),
    from: valueSchema.meta(doc('The former value; only of some fields.', 'free')),
    to: valueSchema.meta(doc('The new value; only of some fields.', 'paid')),
  })
  .meta({
    id: 'FieldChange',
    description: `A field that changed, with its values if it is ${publicHistoryFields.join(', ')}.`,
  });

export type FieldChange = z.infer<typeof fieldChangeSchema>;

const historyEntrySchema = z
  .object({
    change: kindSchema,
    at: timeSchema,
    actor: z
      .enum(changeActors)
      .meta(doc('Who changed it: its owner, its website, the operator, an import, anyone, or a check.', 'owner')),
    fields: z.array(fieldChangeSchema).describe('The fields that an update changed.'),
    tools: toolsChangeSchema.optional().describe('What changed of its tools.'),
  })
  .meta({ id: 'HistoryEntry', description: 'A change of an agent.' });

export type HistoryEntry = z.infer<typeof historyEntrySchema>;

export const historySchema = z.array(historyEntrySchema);
