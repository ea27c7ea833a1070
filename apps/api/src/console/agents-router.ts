import {
  agentIdSchema,
  agentStates,
  consoleChanges,
  MAX_CHANGED_AGENTS,
  needsReason,
  type Agent,
} from '@agent-registry/contracts';
import { z } from 'zod';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import { RegistryError } from '../registry-error.ts';
import { toProposedVersion } from '../review/proposals.ts';
import { changeAgents } from './change-agents.ts';
import { procedure, router } from './console-trpc.ts';
import { findRelated } from './find-related.ts';
import { readEntry } from './read-entry.ts';
import { previewChange, searchAgents } from './search-agents.ts';

const condition = z.string().max(2_048).optional();

/** The filters of the commands, as typed; in place of a file of ids those of a list. */
const filtersSchema = z.object({
  since: condition,
  text: condition,
  host: condition,
  email: condition,
  category: condition,
  hiddenAt: condition,
  /** In the address of the call there is room for those of one page. */
  ids: z.array(agentIdSchema).min(1).max(100).optional(),
  states: z
    .array(z.enum(agentStates))
    .min(1, 'Choose a state')
    .default([...agentStates]),
});

const changeSchema = z.enum(consoleChanges);
const idSchema = z.object({ id: agentIdSchema });

/** The calls about agents of all states. */
export const agentsRouter = router({
  /** An agent with all that is known of it, and what was done to it. */
  get: procedure.input(idSchema).query(({ ctx: { engine }, input }) => readEntry(engine, input.id)),

  /** What is related to an agent, or to the version that its owner proposes. */
  related: procedure.input(idSchema).query(async ({ ctx: { engine }, input }) => {
    const store = createKyselyOperatorStore(engine);
    const found = await store.inspect(input.id);
    if (!found) throw new RegistryError('not-found', 'No agent has this id');
    const { proposal } = found;
    const agent: Agent = toProposedVersion(found.agent, proposal?.state === 'waiting' ? proposal : undefined);
    return findRelated(engine, store, agent);
  }),

  /** The latest agents that meet all conditions, and how many there are. */
  search: procedure
    .input(filtersSchema)
    .query(({ ctx: { engine }, input }) => searchAgents(engine, createKyselyOperatorStore(engine), input)),

  /** Which agents a change of all that meet the conditions would concern. Changes nothing. */
  preview: procedure
    .input(filtersSchema.extend({ change: changeSchema }))
    .query(({ ctx: { engine }, input: { change, ...filters } }) =>
      previewChange(createKyselyOperatorStore(engine), change, filters),
    ),

  /** Changes agents. */
  change: procedure
    .input(
      z
        .object({
          change: changeSchema,
          targets: z
            .array(idSchema.extend({ seen: z.string().max(100).optional() }))
            .min(1)
            .max(MAX_CHANGED_AGENTS),
          reason: z.string().optional(),
        })
        .refine(({ change, reason }) => !needsReason(change) || reason !== undefined, 'This needs a reason'),
    )
    .mutation(({ ctx, input: { reason, ...input } }) => changeAgents(ctx, { ...input, reason })),
});
