import { agentIdSchema } from '@agent-registry/contracts';
import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import type { OperatorAction } from '../actions/record-of-actions.ts';
import { countReports } from '../agents/reports.ts';
import { findSharing } from '../agents/text-keys.ts';
import { createOperatorStore, type ReportedAgent } from '../operator/operator-store.ts';
import type { Reviewed } from '../operator/waiting.ts';
import { verbs } from '../operator/verbs.ts';
import { RegistryError } from '../registry-error.ts';
import { act, consoleVerbs, offer, offerDismissal, offerFor, type ConsoleContext } from './act.ts';
import type { Engine } from '../db/engine.ts';
import { toHttpError } from '../http-error.ts';
import { toTrpcError } from '../trpc.ts';

const trpc = initTRPC.context<ConsoleContext>().create({
  // Keeps stack traces out of responses.
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { status, detail } = toHttpError(error);
    return { ...shape, message: `${detail}.`, data: { ...shape.data, httpStatus: status } };
  },
});

const router = trpc.router;

/** A procedure of the console. A refusal of the registry has the code of its kind. */
const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof RegistryError) throw toTrpcError(result.error.cause);
  return result;
});

/** Most entries that a list shows, and that are decided on at once. */
const MAX_SHOWN = 100;
const idSchema = z.object({ id: agentIdSchema });
const verbSchema = z.enum(consoleVerbs);
const actSchema = z
  .object({
    verb: verbSchema,
    targets: z
      .array(idSchema.extend({ seen: z.string().max(100).optional() }))
      .min(1)
      .max(MAX_SHOWN),
    reason: z.string().optional(),
    takesBack: verbSchema.optional(),
  })
  .refine(({ verb, reason }) => !verbs[verb].reasonFor || reason !== undefined, 'This needs a reason');

/** The calls of the operator's console. The public server has none of them. */
export const consoleRouter = router({
  session: procedure.query(({ ctx: { by, siteConfig } }) => ({ by, siteConfig })),

  act: procedure.input(actSchema).mutation(({ ctx, input }) => act(ctx, input)),

  queue: router({
    /** What has waited longest, with the numbers of reports, how much waits in all, and what can be done. */
    list: procedure.query(async ({ ctx: { engine } }) => {
      const items: Reviewed[] = [];
      for await (const item of createOperatorStore(engine).streamReviewed('held')) items.push(item);
      const shown = items.toSorted((a, b) => compare(a.since, b.since)).slice(0, MAX_SHOWN);
      return {
        items: await withFacts(engine, shown),
        total: items.length,
        verbs: offerFor('held').filter(({ key }) => key),
      };
    }),
  }),

  reports: router({
    /** The listed agents with most reports, what can be done about them, and how many have any. */
    list: procedure.query(async ({ ctx: { engine } }) => {
      const reported: ReportedAgent[] = [];
      for await (const agent of createOperatorStore(engine).streamReported()) reported.push(agent);
      const agents = reported.toSorted((a, b) => b.reports.length - a.reports.length).slice(0, MAX_SHOWN);
      return {
        agents: agents.map((agent) => ({
          ...agent,
          verbs: [...offerDismissal(agent.reports.length), ...offer(['hide'])],
        })),
        total: reported.length,
      };
    }),
  }),

  agents: router({
    /** An agent with all that is known of it, the actions on it, latest first, and what can be done to it. */
    get: procedure.input(idSchema).query(async ({ ctx: { engine }, input: { id } }) => {
      const store = createOperatorStore(engine);
      const found = await store.inspect(id);
      if (!found) throw new RegistryError('not-found', 'No agent has this id');
      const actions: OperatorAction[] = [];
      for await (const action of store.streamActions({ id })) actions.unshift(action);
      // An edit that waits is decided on like a held agent.
      const { state, proposal, reports } = found;
      const verbs = offerFor(state === 'listed' && proposal?.state === 'waiting' ? 'held' : state);
      return { ...found, actions, verbs, reportVerbs: offerDismissal(reports.length) };
    }),
  }),
});

export type ConsoleRouter = typeof consoleRouter;

/** Adds the numbers of reports of agents, and the entries that have one of their connections. */
async function withFacts({ db }: Engine, items: readonly Reviewed[]) {
  const counts = await countReports(
    db,
    items.map(({ agent }) => agent.id),
  );
  const found = items.map(async (item) => ({
    ...item,
    reports: counts.get(item.agent.id) ?? 0,
    sharing: await findSharing(db, { ...item.agent, ...item.patch }),
  }));
  return Promise.all(found);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
