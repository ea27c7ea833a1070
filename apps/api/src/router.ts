import { endpoints, type EndpointName } from '@agent-registry/contracts';
import { callTRPCProcedure } from '@trpc/server';
import { agentRouter } from './agents/agent-router.ts';
import { statsRouter } from './stats/stats-router.ts';
import { router, type Context } from './trpc.ts';

/** The procedures of the registry. */
export const appRouter = router({ agents: agentRouter, stats: statsRouter });

/** The type of the router, which types the client. */
export type AppRouter = typeof appRouter;

/**
 * Runs a procedure by its endpoint's name; rejects with a `TRPCError`. REST routes and rendered pages use it, so
 * that middleware and schemas apply as they do over the tRPC protocol.
 */
export type RunProcedure = (name: EndpointName, context: Context, input: unknown) => Promise<unknown>;

/** Creates the function that runs the procedures of a router. */
export function createRunProcedure(procedures: AppRouter): RunProcedure {
  return (name, context, input) =>
    callTRPCProcedure({
      router: procedures,
      path: name,
      type: endpoints[name].method === 'GET' ? 'query' : 'mutation',
      ctx: context,
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    });
}
