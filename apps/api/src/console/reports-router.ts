import { agentIdSchema, MAX_CHANGED_AGENTS } from '@agent-registry/contracts';
import { z } from 'zod';
import { parseReason } from '../actions/acting.ts';
import { createKyselyOperatorStore } from '../agents/kysely-operator-store.ts';
import type { ReportedAgent } from '../agents/operator-store.ts';
import { RegistryError } from '../registry-error.ts';
import { openStore, procedure, router } from './console-trpc.ts';

/** Most reported agents that are shown at once. */
const MAX_SHOWN = 100;

/** The calls about reports. */
export const reportsRouter = router({
  /** The listed agents with most reports, and how many have any. */
  list: procedure.query(async ({ ctx: { engine } }) => {
    const reported: ReportedAgent[] = [];
    for await (const agent of createKyselyOperatorStore(engine).streamReported()) reported.push(agent);
    const agents = reported.toSorted((a, b) => b.reports.length - a.reports.length).slice(0, MAX_SHOWN);
    return { agents, total: reported.length };
  }),

  /** Deletes the reports of agents that the operator has looked at. */
  dismiss: procedure
    .input(z.object({ ids: z.array(agentIdSchema).min(1).max(MAX_CHANGED_AGENTS), reason: z.string().optional() }))
    .mutation(async ({ ctx, input: { ids, reason } }) => {
      const store = openStore(ctx, 'dismiss-reports', reason === undefined ? '' : parseReason(reason));
      const count = await store.dismissReports(ids);
      if (count === 0) throw new RegistryError('changed', 'No report is about these agents');
      return { count };
    }),
});
