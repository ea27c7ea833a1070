import type { z } from 'zod';

/** Why a call is refused, in terms of the registry. */
export type RefusalKind =
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'gone'
  | 'changed'
  | 'unprocessable'
  | 'too-many'
  | 'unavailable';

/** A call that the registry refuses; the message is a sentence for the client, without its full stop. */
export class RegistryError extends Error {
  readonly kind: RefusalKind;
  /** Further response headers, such as `Retry-After`. */
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

/**
 * Parses a part of a request.
 * @throws {RegistryError} `invalid` if it does not fit the schema
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { data, error } = schema.safeParse(value);
  if (error) throw new RegistryError('invalid', 'The request is invalid', { cause: error });
  return data;
}

/** A call that is refused because the process has too much to do. */
export class OverloadError extends Error {}
