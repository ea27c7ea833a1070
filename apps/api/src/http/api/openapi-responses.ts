import { STATUS_CODES } from 'node:http';
import { IDEMPOTENCY_KEY_HEADER, PROBLEM_MEDIA_TYPE } from '@agent-registry/contracts';
import type { oas31 } from 'zod-openapi';

/** The error statuses that every call can have. */
export const commonErrors = [400, 408, 414, 417, 429, 431, 500, 503] as const;

const errors: Record<number, string> = {
  400: 'The request is not as it must be',
  401: 'The management key is missing or wrong',
  403: 'The registry does not check websites',
  404: 'There is no such agent',
  408: 'The request took too long to arrive',
  410: 'The agent was withdrawn, or the cursor is outdated',
  412: 'The agent has changed since it was read',
  413: 'The body is too large',
  414: 'The address is too long',
  415: 'The body is not JSON, or is compressed',
  417: 'What the Expect header asks for cannot be met',
  422: `The ${IDEMPOTENCY_KEY_HEADER} came with another registration or management key before`,
  429: 'Too many calls were sent',
  431: 'The address and the headers are too long',
  500: 'Something went wrong on the side of the registry',
  503: 'The registry cannot answer this for the moment, or takes no registrations',
};

/** The header of refusals that pass. */
export const retryAfter: oas31.HeaderObject = {
  description: 'The seconds after which to try again, where they are known.',
  schema: { type: 'integer', minimum: 0 },
  example: 5,
};

/** The responses that calls share: each error by its status, and 304. */
export const sharedResponses: Record<string, oas31.ResponseObject> = {
  [nameOf(304)]: {
    description: 'The body is still the one whose ETag is in If-None-Match',
    headers: referToHeaders(['ETag', 'X-Request-Id']),
  },
  ...Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [nameOf(Number(status)), describeError(status, description)]),
  ),
};

function describeError(status: string, description: string): oas31.ResponseObject {
  return {
    description,
    headers: referToHeaders([
      ...(status === '429' ? ['RateLimit', 'RateLimit-Policy'] : []),
      ...(['429', '503'].includes(status) ? ['Retry-After'] : []),
      'X-Request-Id',
    ]),
    content: {
      'text/plain': { schema: { type: 'string', description: 'One sentence a person can read.' } },
      [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } },
    },
  };
}

function referToHeaders(names: readonly string[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Refers to the shared response with a status. */
export function referToResponse(status: number): oas31.ReferenceObject {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

/** The name of a status as a component: `NotFound` for 404. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z]/g, '');
}
