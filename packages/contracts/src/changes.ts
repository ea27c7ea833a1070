import { z } from 'zod';
import { doc, timeDoc } from './doc.ts';
import { EXAMPLE_AGENT_ID, followedAgentSchema } from './agent.ts';
import { changeActors, changeKinds } from './change-fields.ts';
import { publicHistoryFields } from './fields.ts';

const kindSchema = z
  .enum(changeKinds)
  .meta(doc('Whether the agent was listed, updated or removed from all lists.', 'updated'));

const timeSchema = z.string().meta(timeDoc('The time of the change in UTC.'));

/** The latest change of an agent, for readers of the change log. */
export const changeSchema = z
  .object({
    id: z.string().meta(doc('The id of the agent.', EXAMPLE_AGENT_ID, 'uuid')),
    change: kindSchema,
    at: timeSchema,
    agent: followedAgentSchema
      .optional()
      .meta({ description: 'The agent as it is now, with include=agents; absent once it was removed.' }),
  })
  .meta({ id: 'Change', description: 'The latest change of an agent.' });

/** The latest change of an agent, for readers of the change log. */
export type Change = z.infer<typeof changeSchema>;

/** A page of the change log. */
export const changesSchema = z
  .object({
    changes: z.array(changeSchema).meta({ description: 'Each agent at most once, in the order of the changes.' }),
    next: z.string().meta(doc('The cursor to go on with, now or later.', 'q8Jw3hXb2mKd.4711')),
    hasMore: z.boolean().meta(doc('Whether more changes follow already.', false)),
  })
  .meta({ id: 'Changes', description: 'A page of the change log.' });

/** A page of the change log. */
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
      .meta(doc('Who changed it: its owner, its website, the operator, an import, or anyone.', 'owner')),
    fields: z.array(fieldChangeSchema).meta({ description: 'The fields that an update changed.' }),
  })
  .meta({ id: 'HistoryEntry', description: 'A change of an agent.' });

/** A change of an agent. */
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

/** The changes of an agent, latest first. */
export const historySchema = z.array(historyEntrySchema);
