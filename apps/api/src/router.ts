import { createReadRequests, endpoints, type Category, type EndpointName } from '@agent-registry/contracts';
import { callTRPCProcedure } from '@trpc/server';
import { createBrowseRouter } from './agents/browse-router.ts';
import { createOwnerRouter } from './agents/owner-router.ts';
import { reportRouter } from './agents/report-router.ts';
import { changesRouter } from './changes/changes-router.ts';
import { createPrefillRouter } from './prefill/prefill-router.ts';
import { factsRouter } from './stats/facts-router.ts';
import { createStatsRouter } from './stats/stats-router.ts';
import { createSuggestRouter } from './suggestions/suggest-router.ts';
import { createResponseMeta, mergeRouters, router, type Context, type ResponseMeta } from './trpc.ts';

/** Creates the procedures of a registry with these categories. */
export function createAppRouter(categories: readonly Category[]) {
  const readRequests = createReadRequests(categories);
  return router({
    agents: mergeRouters(
      createBrowseRouter(readRequests),
      createSuggestRouter(categories),
      createOwnerRouter(categories),
      reportRouter,
      factsRouter,
    ),
    changes: changesRouter,
    prefill: createPrefillRouter(categories),
    stats: createStatsRouter(categories, readRequests),
  });
}

/** The type of the router, which types the client. */
export type AppRouter = ReturnType<typeof createAppRouter>;

/**
 * Runs a procedure by its endpoint's name; rejects with a `TRPCError`. REST routes and rendered pages use it, so
 * that middleware and schemas apply as they do over the tRPC protocol.
 */
export type RunProcedure = (name: EndpointName, context: Context, input: unknown) => Promise<ProcedureResponse>;

/** The response of a procedure, as data. */
export type ProcedureResponse = ResponseMeta & { body: unknown };

/** Creates the function that runs the procedures of a router. */
export function createRunProcedure(procedures: AppRouter): RunProcedure {
  return async (name, context, input) => {
    const response = createResponseMeta();
    const body: unknown = await callTRPCProcedure({
      router: procedures,
      path: name,
      type: endpoints[name].method === 'GET' ? 'query' : 'mutation',
      ctx: { ...context, response },
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    });
    return { ...response, body };
  };
}
