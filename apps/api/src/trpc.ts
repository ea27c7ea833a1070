import { endpoints, type Agent, type CategoryId, type Endpoint, type EndpointName } from '@agent-registry/contracts';
import { initTRPC } from '@trpc/server';
import type { ZodType } from 'zod';
import type { AgentStore } from './agents/agent-store.ts';
import { toHttpError } from './http-error.ts';

/** What every procedure works with, in words of the contract only, so that clients can import the router's type. */
export type Context = {
  agents: AgentStore;
  views: { monthlyViews(): number | Promise<number> };
  /** Counts the caller's view of an agent, unless the caller is a crawler. */
  countView(): void;
  /**
   * All agents, or those of one category, for the answer. Over REST they are sent as they are read, and this gives an empty
   * list in their place; elsewhere they are together in the memory, and more than `MAX_WHOLE_LIST` are refused.
   */
  wholeList(category?: CategoryId): Promise<Agent[]>;
  /** Rejects a call for which nothing is left of the caller's budget, or that is not taken at present. */
  checkRateLimit(kind: 'read' | 'register'): Promise<void>;
  /** The key that the caller gives a registration, as it was sent. */
  idempotencyKey: string | undefined;
  /** Sets a header of the answer. */
  setHeader(name: string, value: string): void;
};

/** What trpc-openapi reads of a procedure to describe its REST path. */
export type Meta = {
  openapi: Pick<Endpoint, 'method' | 'path' | 'summary'> & { protect: false; errorResponses: [] };
};

const trpc = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Keeps stacks out of answers over the tRPC protocol, as the formatter keeps our own troubles out.
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { status, detail } = toHttpError(error);
      const code = status === 503 ? 'SERVICE_UNAVAILABLE' : shape.data.code;
      return { ...shape, message: `${detail}.`, data: { ...shape.data, code, httpStatus: status } };
    },
  });

/** Makes a router. */
export const router = trpc.router;

/** The same schema, checked at once: given the choice tRPC waits for each check, for which zod takes several times as long. */
export function atOnce<Schema extends ZodType>(schema: Schema): Schema {
  return Object.create(schema, { parseAsync: { value: (data: unknown) => schema.parse(data) } }) as Schema;
}

/** Begins the procedure behind a REST path of the contract: each call is admitted or not, before its input is looked at. */
export function procedureFor(name: EndpointName) {
  const { method, path, summary } = endpoints[name];
  return trpc.procedure
    .meta({ openapi: { method, path, summary, protect: false, errorResponses: [] } })
    .use(async ({ ctx, next }) => {
      await ctx.checkRateLimit(method === 'GET' ? 'read' : 'register');
      return next();
    });
}
