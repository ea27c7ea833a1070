import type { SiteConfig } from '@agent-registry/contracts';
import { initTRPC } from '@trpc/server';
import type { Engine } from '../db/engine.ts';
import { toHttpError } from '../http-error.ts';
import { RegistryError } from '../registry-error.ts';
import { toTrpcError } from '../trpc.ts';

/** The context of every procedure of the console. */
export type ConsoleContext = {
  engine: Engine;
  /** Who acts, for the record of actions. */
  by: string;
  siteConfig: SiteConfig;
};

const trpc = initTRPC.context<ConsoleContext>().create({
  // Keeps stack traces out of responses.
  isDev: false,
  errorFormatter: ({ shape, error }) => {
    const { status, detail } = toHttpError(error);
    return { ...shape, message: `${detail}.`, data: { ...shape.data, httpStatus: status } };
  },
});

export const router = trpc.router;

/** A procedure of the console. A refusal of the registry has the code of its kind. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.cause instanceof RegistryError) throw toTrpcError(result.error.cause);
  return result;
});
