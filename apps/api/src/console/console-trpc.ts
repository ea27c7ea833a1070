import type { Category } from '@agent-registry/contracts';
import { initTRPC } from '@trpc/server';
import type { Engine } from '../db/engine.ts';
import { toHttpError } from '../http-error.ts';
import { RegistryError } from '../registry-error.ts';
import { ConditionError } from '../agents/select-agents.ts';
import { toTrpcError } from '../trpc.ts';

/** The context of every procedure of the console. */
export type ConsoleContext = {
  engine: Engine;
  /** Who acts, for the record of actions. */
  by: string;
  site: { name: string; categories: readonly Category[] };
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

/** A procedure of the console. Values that no command takes are refused with the sentence that a command prints. */
export const procedure = trpc.procedure.use(async ({ next }) => {
  const result = await next();
  if (result.ok) return result;
  const refusal = toRefusal(result.error.cause);
  if (refusal) throw toTrpcError(refusal);
  return result;
});

const conditionLabels: Record<ConditionError['condition'], string> = {
  since: 'Registered since',
  text: 'Text',
  host: 'Host',
  email: 'Contact email',
  category: 'Category',
  hiddenAt: 'Hidden at',
};

function toRefusal(cause: unknown): RegistryError | undefined {
  if (cause instanceof RegistryError) return cause;
  if (cause instanceof ConditionError) {
    return new RegistryError('invalid', `${conditionLabels[cause.condition]} ${cause.message}`, { cause });
  }
  return undefined;
}
