import {
  endpoints,
  type Agent,
  type Endpoint,
  type EndpointName,
  type ListedAgent,
  type RegistrationMode,
} from '@agent-registry/contracts';
import { initTRPC } from '@trpc/server';
import type { AgentStore } from './agents/agent-store.ts';
import { toHttpError } from './http-error.ts';
import type { WebsiteClaims } from './website-check/website-claims.ts';

/** The context of every procedure, in terms of the contract only, so that clients can import the router's type. */
export type Context = {
  agents: AgentStore<ListedAgent>;
  views: { monthlyViews(): number | Promise<number> };
  registration: RegistrationMode;
  /** Claims by way of websites; undefined where websites are not checked. */
  websiteClaims: WebsiteClaims | undefined;
  /** Where visitors reach the registry, such as `https://registry.example`. */
  origin: string;
  /** The `Idempotency-Key` header of the request. */
  idempotencyKey: string | undefined;
  /** The management key in the `Authorization` header of the request. */
  key: string | undefined;
  /** The `Management-Key` header of the request: the key that an agent gets. */
  newKey: string | undefined;
  /** Whether the `If-Match` header of the request holds for an agent; true without the header. */
  isExpected(agent: Agent): boolean;
  /** Sets the `ETag` header of the response, as that of reads of the agent. */
  setEtag(agent: Agent): void;
  /** Counts a call with a wrong key for an agent against its rate limit. */
  countWrongKey(id: string): Promise<void>;
  /** Counts a view of an agent, unless the client is a crawler. */
  countView(): void;
  /** Sets the status of a successful response, where it is not that of the endpoint table. */
  setStatus(status: number): void;
  /** Sets a response header. */
  setHeader(name: string, value: string): void;
  /** Waits until the next call of a batch may start. */
  waitForTurn?(): Promise<void>;
};

/** `Cache-Control` of responses that no cache may keep, the registry's own included. */
export const NO_STORE = 'no-store';

/** The part of a procedure's meta that trpc-openapi reads. */
export type Meta = {
  openapi: Pick<Endpoint, 'method' | 'path' | 'summary'> & { protect: false; errorResponses: [] };
};

const trpc = initTRPC
  .context<Context>()
  .meta<Meta>()
  .create({
    // Keeps stack traces out of responses.
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { status, detail } = toHttpError(error);
      const code = status === 503 ? 'SERVICE_UNAVAILABLE' : shape.data.code;
      return { ...shape, message: `${detail}.`, data: { ...shape.data, code, httpStatus: status } };
    },
  });

/** Creates a router. */
export const router = trpc.router;

/** Starts the procedure behind a REST path of the contract. */
export function procedureFor(name: EndpointName) {
  const { method, path, summary } = endpoints[name];
  return trpc.procedure
    .meta({ openapi: { method, path, summary, protect: false, errorResponses: [] } })
    .use(async ({ ctx, next }) => {
      await ctx.waitForTurn?.();
      return next();
    });
}
