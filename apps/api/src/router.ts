import { createReadRequests, endpoints, type Category, type EndpointName } from '@agent-registry/contracts';
import { callTRPCProcedure, type inferRouterOutputs } from '@trpc/server';
import { createBrowseRouter } from './agents/browse-router.ts';
import { createOwnerRouter } from './agents/owner-router.ts';
import { reportRouter } from './agents/report-router.ts';
import { changesRouter } from './changes/changes-router.ts';
import { createPrefillRouter } from './prefill/prefill-router.ts';
import { factsRouter } from './stats/facts-router.ts';
import { createStatsRouter } from './stats/stats-router.ts';
import { createSuggestRouter } from './suggestions/suggest-router.ts';
import { mergeRouters, router, type Context, type ResponseMeta } from './trpc.ts';

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

type Outputs = inferRouterOutputs<AppRouter>;

/** The value that a procedure returns. */
export type ValueOf<Name extends EndpointName> = Name extends `${infer Group extends keyof Outputs}.${infer Call}`
  ? Outputs[Group][Call & keyof Outputs[Group]]
  : never;

/**
 * Runs a procedure by its endpoint's name; rejects with a `TRPCError`. REST routes, rendered pages and what else reads in
 * this process use it, so that middleware and schemas apply as they do over the tRPC protocol.
 */
export type RunProcedure = <Name extends EndpointName>(
  name: Name,
  context: Context,
  input: unknown,
) => Promise<ResponseMeta & { value: ValueOf<Name> }>;

export function createRunProcedure(procedures: AppRouter): RunProcedure {
  return async (name, context, input) => {
    const response: ResponseMeta = { views: [] };
    const value = await callTRPCProcedure({
      router: procedures,
      path: name,
      type: endpoints[name].method === 'GET' ? 'query' : 'mutation',
      ctx: { ...context, response },
      getRawInput: async () => input,
      signal: undefined,
      batchIndex: 0,
    });
    return { ...response, value };
  };
}
