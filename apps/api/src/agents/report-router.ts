import { newReportSchema, reportSchema } from '@agent-registry/contracts';
import { procedureFor, router } from '../trpc.ts';
import { toMissingError } from './get-agent.ts';

/** The procedure with which anybody reports a problem to the operator. */
export const reportRouter = router({
  report: procedureFor('agents.report')
    .input(newReportSchema)
    .output(reportSchema)
    .mutation(async ({ ctx, input: { id, ...newReport } }) => {
      await ctx.rateLimiter.consume('agentReport', ctx.address, { id });
      const report = await ctx.agents.report(id, newReport);
      if (!report) throw await toMissingError(ctx.agents, id);
      return report;
    }),
});
