import { type Endpoint, type EndpointName } from '@agent-registry/contracts';
import type { AgentStore } from './agents/agent-store.ts';
import type { StatsStore } from './stats/stats-store.ts';
/** What every procedure works with, in words of the contract only, so that clients can import the router's type. */
export type Context = {
  agents: AgentStore;
  stats: StatsStore;
  views: {
    monthlyViews(): Promise<number>;
  };
  /** Counts the caller's view of an agent, unless the caller is a crawler. */
  countView(): void;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void;
};
/** What trpc-openapi reads of a procedure to describe its REST path. */
export type Meta = {
  openapi: Pick<Endpoint, 'method' | 'path' | 'summary'> & {
    protect: false;
    errorResponses: [];
  };
};
/** Makes a router. */
export declare const router: import('@trpc/server').TRPCRouterBuilder<{
  ctx: Context;
  meta: Meta;
  errorShape: import('@trpc/server').TRPCDefaultErrorShape;
  transformer: false;
}>;
/** Begins the procedure behind a REST path of the contract. */
export declare function procedureFor(
  name: EndpointName,
): import('@trpc/server').TRPCProcedureBuilder<
  Context,
  Meta,
  object,
  import('@trpc/server').TRPCUnsetMarker,
  import('@trpc/server').TRPCUnsetMarker,
  import('@trpc/server').TRPCUnsetMarker,
  import('@trpc/server').TRPCUnsetMarker,
  false
>;
