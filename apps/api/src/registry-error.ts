import type { TRPCError } from '@trpc/server';
import type { z } from 'zod';

/** Why a call is refused, in terms of the registry, of HTTP and of tRPC. */
export const refusalKinds = {
  invalid: { status: 400, code: 'BAD_REQUEST' },
  unauthorized: { status: 401, code: 'UNAUTHORIZED' },
  forbidden: { status: 403, code: 'FORBIDDEN' },
  'not-found': { status: 404, code: 'NOT_FOUND' },
  // tRPC has no code for 410.
  gone: { status: 410, code: 'NOT_FOUND' },
  conflict: { status: 409, code: 'CONFLICT' },
  changed: { status: 412, code: 'PRECONDITION_FAILED' },
  unprocessable: { status: 422, code: 'UNPROCESSABLE_CONTENT' },
  'too-many': { status: 429, code: 'TOO_MANY_REQUESTS' },
  unavailable: { status: 503, code: 'SERVICE_UNAVAILABLE' },
} as const satisfies Record<string, { status: number; code: TRPCError['code'] }>;

export type RefusalKind = keyof typeof refusalKinds;

/** A call that the registry refuses; the message is a sentence for the client, without its full stop. */
export class RegistryError extends Error {
  readonly kind: RefusalKind;
  readonly headers: Readonly<Record<string, string>>;

  /** The cause of an invalid input is its `ZodError`, whose issues name the fields. */
  constructor(
    kind: RefusalKind,
    message: string,
    { headers = {}, cause }: { headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.kind = kind;
    this.headers = headers;
  }
}

/** @throws {RegistryError} `invalid` if it does not fit the schema */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw new RegistryError('invalid', 'The request is invalid', { cause: error });
  return data;
}

export class OverloadError extends Error {}
