import type {
  Agent,
  EditableField,
  EndpointName,
  EntrySource,
  NamedEntry,
  RegistrationMode,
} from '@agent-registry/contracts';
import { initTRPC, TRPCError } from '@trpc/server';
import type { AgentStore } from './stores.ts';
import type { ExpectedVersion } from './agents/find-owned.ts';
import type { ChangeStore } from './changes/change-log.ts';
import { inTime } from './database-error.ts';
import { toHttpError } from './http-error.ts';
import type { ConnectionChecks } from './connection-checks/connection-checks.ts';
import { toOpenApiMeta, type OpenApiMeta } from './openapi-meta.ts';
import type { PreparedCall, RateLimiter } from './rate-limit/rate-limiter.ts';
import type { PublicationStore } from './publisher/publication-store.ts';
import type { ReadInTurn } from './prefill/read-in-turn.ts';
import { RegistryError, refusalKinds } from './registry-error.ts';
import type { ServerStore } from './servers/server-store.ts';
import type { DayViews } from './stats/view-store.ts';
import type { WebsiteClaims } from './website-check/website-claims.ts';

/** The services that procedures use, in terms of the contract only, so that clients can import the router's type. */
export type Services = {
  agents: AgentStore;
  changes: ChangeStore;
  /** From where agents were imported. */
  sources: { ofAgent(id: string): Promise<EntrySource[]>; besides(agent: Agent): Promise<NamedEntry[]> };
  servers: Pick<ServerStore, 'ofAgents' | 'explainName' | 'factsOf'>;
  /** What the keys of domains published. */
  publications: Pick<PublicationStore, 'domainOf'>;
  views: { monthlyViews(): number | Promise<number>; ofAgent(id: string): Promise<DayViews[]> };
  registration: RegistrationMode;
  /** The fields whose edits are listed at once where registrations are held. */
  heldEditsExcept: ReadonlySet<EditableField>;
  rateLimiter: RateLimiter;
  /** Claims by way of websites; undefined where websites are not checked. */
  websiteClaims: WebsiteClaims | undefined;
  /** Reads descriptions on websites; undefined where websites are not fetched. */
  readDescriptions: ReadInTurn | undefined;
  /** What is known of the connections of agents; undefined where they are not asked. */
  connectionChecks: ConnectionChecks | undefined;
};

export type Context = Services & {
  /** Where visitors reach the registry, such as `https://registry.example`. */
  origin: string;
  address: string;
  /** The most bytes of a page of agents as JSON. */
  pageBytes: number;
  /** By when the database must have answered a query, as `performance.now()` counts. */
  deadline: number;
  idempotencyKey: string | undefined;
  /** The management key in the `Authorization` header of the request. */
  key: string | undefined;
  /** The `Management-Key` header of the request: the key that an agent gets. */
  newKey: string | undefined;
  /** The version of the agent that the client wants to change; any by default. */
  expected: ExpectedVersion | undefined;
  /** The call of a procedure that counts it against the rate limits in its transaction; undefined if it is counted. */
  prepared: PreparedCall | undefined;
  /** Filled by procedures: tRPC gives its transport their values, and besides only this context. */
  response: ResponseMeta;
  /** Waits until the next call of a batch may start: tRPC starts all at once, and only procedures run in between. */
  waitForTurn?(): Promise<void>;
};

/** What procedures say of their values. */
export type ResponseMeta = {
  /** The `ETag` of the version that an owner has read or written. */
  etag?: string;
  /** Whether that version waits for review. */
  isHeld?: boolean;
  /** Why the operator refused it, if it was refused. */
  refusal?: string | undefined;
  /** The path of what was created. */
  location?: string;
  /** The `RateLimit` headers of a call that the procedure counted. */
  limits?: Record<string, string>;
  /** The ids of the agents that the response is a view of. */
  views: string[];
};

const trpc = initTRPC
  .context<Context>()
  .meta<{ openapi: OpenApiMeta }>()
  .create({
    // Keeps stack traces out of responses.
    isDev: false,
    errorFormatter: ({ shape, error }) => {
      const { status, detail } = toHttpError(error);
      const code = status === 503 ? 'SERVICE_UNAVAILABLE' : shape.data.code;
      return { ...shape, message: `${detail}.`, data: { ...shape.data, code, httpStatus: status } };
    },
  });

export const router = trpc.router;
export const mergeRouters = trpc.mergeRouters;

/** Converts a refusal to the error that tRPC sends; other errors stay as they are. */
export function toTrpcError(error: unknown): unknown {
  if (!(error instanceof RegistryError)) return error;
  return new TRPCError({ code: refusalKinds[error.kind].code, message: error.message, cause: error });
}

/** Starts the procedure behind a REST path of the contract. */
export function procedureFor(name: EndpointName) {
  return trpc.procedure.meta({ openapi: toOpenApiMeta(name) }).use(async ({ ctx, next, type }) => {
    await ctx.waitForTurn?.();
    // A write that has begun may be stored, so its response says what became of it.
    const result = await inTime(next(), type === 'query' ? ctx.deadline : Infinity);
    if (!result.ok && result.error.cause instanceof RegistryError) throw toTrpcError(result.error.cause);
    return result;
  });
}
