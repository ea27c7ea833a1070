import { STATUS_CODES } from 'node:http';
import { MAX_NAMED_FIELDS, nameUnknownField, type FieldError } from '@agent-registry/contracts';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { ZodError } from 'zod';
import { DatabaseBusyError, DatabaseUnavailableError, DatabaseUnwritableError } from './database-error.ts';
import { OverloadError, RegistryError, refusalKinds } from './registry-error.ts';

/** An error as the client sees it: a status, and a sentence without its full stop. */
export type HttpError = {
  status: number;
  detail: string;
  errors?: FieldError[];
  /** `Retry-After`, in seconds. */
  retryAfter?: number;
  headers?: Readonly<Record<string, string>>;
  /** Whether a status of 500 or more is intended and is not logged as an error. */
  isIntended?: boolean;
};

/** The largest number of field errors in a response; a body has room for thousands. */
const MAX_ERRORS = 20;
const UNEXPECTED: HttpError = { status: 500, detail: 'Something went wrong on our side; please try again later' };

const UNAVAILABLE: HttpError = {
  status: 503,
  detail: 'The registry cannot reach its database for the moment; please try again in a few seconds',
  retryAfter: 5,
};

const UNWRITABLE: HttpError = {
  status: 503,
  detail: 'The registry can be read, but cannot store anything for the moment; please try again later',
  retryAfter: 60,
};

/** The response while requests are shed. */
const BUSY: HttpError = {
  status: 503,
  detail: 'The registry has too much to do for the moment; please try again in a few seconds',
  retryAfter: 2,
  isIntended: true,
};

export function createPathNotFoundError(): RegistryError {
  return new RegistryError('not-found', 'There is nothing at this address');
}

/** Sentences for Fastify's own errors, by error code. */
const refusals: Record<string, string> = {
  FST_ERR_BAD_URL: 'The address is not a valid URL',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'The body is not as long as Content-Length says',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'The body must be JSON, sent with Content-Type: application/json',
};

export class RefusalError extends Error {
  readonly response: HttpError;

  constructor(response: HttpError) {
    super(response.detail);
    this.response = response;
  }
}

/** Converts an error for the client: input errors in full, internal errors without any detail. */
export function toHttpError(error: Error & { code?: string; statusCode?: number }): HttpError {
  if (error instanceof RefusalError) return error.response;
  const reason = error instanceof TRPCError ? error.cause : error;
  if (reason instanceof DatabaseBusyError || reason instanceof OverloadError) return BUSY;
  if (reason instanceof DatabaseUnwritableError) return UNWRITABLE;
  if (reason instanceof DatabaseUnavailableError) return UNAVAILABLE;
  if (reason instanceof RegistryError) return describeRefusal(reason);
  if (error instanceof TRPCError) {
    if (error.cause instanceof ZodError && error.code === 'BAD_REQUEST') return describeBadInput(error.cause);
    const status = getHTTPStatusCodeFromError(error);
    if (status >= 500) return UNEXPECTED;
    return { status, detail: error.cause instanceof SyntaxError ? 'The input is not valid JSON' : error.message };
  }
  const { statusCode: status = 500, code = '' } = error;
  if (status < 400 || status >= 500) return UNEXPECTED;
  return { status, detail: refusals[code] ?? STATUS_CODES[status] ?? 'The request cannot be answered' };
}

function describeRefusal({ kind, message: detail, headers, cause }: RegistryError): HttpError {
  const { status } = refusalKinds[kind];
  if (cause instanceof ZodError) return { ...describeBadInput(cause), status };
  return { status, detail, headers, ...(kind === 'unavailable' && { isIntended: true }) };
}

function describeBadInput(error: ZodError): HttpError {
  const messages = [...new Set(error.issues.map((issue) => issue.message))];
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys
          .slice(0, MAX_NAMED_FIELDS)
          .map((key) => ({ field: nameUnknownField(key), message: 'This field is not accepted' }))
      : [{ field: issue.path.join('.'), message: issue.message }],
  );
  return { status: 400, detail: messages.slice(0, MAX_ERRORS).join('; '), errors: errors.slice(0, MAX_ERRORS) };
}
