import { STATUS_CODES } from 'node:http';
import {
  EXAMPLE_AGENT_ID,
  FULL_MATCHES_HEADER,
  CORRECTION_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_LIFETIME,
  idempotencyKeySchema,
  MANAGEMENT_KEY_HEADER,
  managementKeySchema,
  MATCHED_WORDS_HEADER,
  MAX_MATCHED_WORDS_LENGTH,
  POSITION_HEADER,
  PROBLEM_MEDIA_TYPE,
  toCursor,
  TOTAL_HEADER,
  type EndpointName,
} from '@agent-registry/contracts';
import { z } from 'zod';
import type { oas31 } from 'zod-openapi';

const HOUR = 3_600_000;

const exampleAgent = {
  id: EXAMPLE_AGENT_ID,
  name: 'Front Desk',
  rating: 4.5,
  reviewCount: 12,
  createdAt: '2026-11-21T09:30:00.000Z',
};

const text: oas31.SchemaObject = { type: 'string' };
const wholeNumber: oas31.SchemaObject = { type: 'integer', minimum: 0 };
const etag = '"5d41402abc4b2a76"';

/** The response headers of the calls, by name. */
export const responseHeaders: Record<string, oas31.HeaderObject> = {
  ETag: {
    description: 'The version of the body, to send in If-None-Match. A list too large for the cache has none.',
    schema: text,
    example: etag,
  },
  Link: {
    description: 'The paths of other pages of the list, by their rel; only of a page.',
    schema: text,
    example: `</api/agents?limit=50&after=${toCursor(exampleAgent, 'newest')}>; rel="next"`,
  },
  Location: {
    description: 'The path of the registered agent.',
    schema: { type: 'string', format: 'uri-reference' },
    example: `/api/agents/${EXAMPLE_AGENT_ID}`,
  },
  RateLimit: {
    description: 'The calls that are left, and the seconds until they are reset. Cached responses have none.',
    schema: text,
    example: '"read";r=599;t=42',
  },
  'RateLimit-Policy': {
    description: 'The rate limits: a number of calls, and the seconds in which they may be sent.',
    schema: text,
    example: '"read";q=600;w=60',
  },
  'Retry-After': {
    description: 'The seconds after which to try again, where they are known.',
    schema: wholeNumber,
    example: 5,
  },
  [CORRECTION_HEADER]: {
    description:
      'The search text with the corrections or synonyms that found the first agent, percent-encoded; absent without them.',
    schema: text,
    example: 'translate',
  },
  [FULL_MATCHES_HEADER]: {
    description: 'The number of results with all words of the search. They come first, unless sort is given.',
    schema: wholeNumber,
    example: 5,
  },
  [MATCHED_WORDS_HEADER]: {
    description:
      'The words by which the agents were found, without case and accents, percent-encoded, with a comma between two: word, beginning* or *part* of a word. Long lists are cut; absent without words.',
    schema: { type: 'string', maxLength: MAX_MATCHED_WORDS_LENGTH },
    example: 'repositories*,repository',
  },
  [POSITION_HEADER]: {
    description: 'The position of the first agent of the page in the list, from 1, if position is true.',
    schema: { type: 'integer', minimum: 1 },
    example: 51,
  },
  'X-Request-Id': {
    description: 'The id of the request in the logs of the registry.',
    schema: text,
    example: EXAMPLE_AGENT_ID,
  },
  [TOTAL_HEADER]: {
    description: 'The length of the whole list; only of a page or a search.',
    schema: wholeNumber,
    example: 48,
  },
};

/** References to response headers, by their names. */
export function referToHeaders(names: readonly string[]): oas31.HeadersObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const pageHeaders = ['Link', TOTAL_HEADER, POSITION_HEADER];

/** The headers of a call's successful response, besides those of every read or registration. */
export const successHeaders: Partial<Record<EndpointName, readonly string[]>> = {
  'agents.list': pageHeaders,
  'agents.byCategory': pageHeaders,
  'agents.search': [...pageHeaders, FULL_MATCHES_HEADER, CORRECTION_HEADER, MATCHED_WORDS_HEADER],
  'agents.register': ['Location'],
};

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

/** Refers to the shared response with a status. */
export function referToResponse(status: number): oas31.ReferenceObject {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

/** The name of a status as a component: `NotFound` for 404. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z]/g, '');
}

const { $schema: _, ...idempotencyKey } = z.toJSONSchema(idempotencyKeySchema);

const { $schema: _key, ...managementKey } = z.toJSONSchema(managementKeySchema);

const ifNoneMatch: oas31.ParameterObject = {
  name: 'If-None-Match',
  in: 'header',
  description: 'The ETag of an earlier response. While the body is the same, the response is 304 without a body.',
  schema: { type: 'string', examples: [etag] },
};

const ifMatch: oas31.ParameterObject = {
  name: 'If-Match',
  in: 'header',
  description: 'The ETag of an earlier response with the agent. If the agent has changed since, the response is 412.',
  schema: { type: 'string', examples: [etag] },
};

function toKeyHeader(required: boolean): oas31.ParameterObject {
  return {
    name: MANAGEMENT_KEY_HEADER,
    in: 'header',
    required,
    description: 'The management key that the agent gets: 32 random bytes as base64url. Only its hash is stored.',
    schema: { ...(managementKey as oas31.SchemaObject), pattern: '^[A-Za-z0-9_-]{43}$' },
  };
}

/** The request headers of a call, which its procedure's input does not have. */
export function requestHeadersOf(name: EndpointName): oas31.ParameterObject[] {
  switch (name) {
    case 'agents.register':
      return [
        {
          name: IDEMPOTENCY_KEY_HEADER,
          in: 'header',
          description: `Sent again with the same key within ${IDEMPOTENCY_KEY_LIFETIME / HOUR} hours, a registration gives the first answer again.`,
          schema: { ...(idempotencyKey as oas31.SchemaObject), examples: ['5f0c1e8a-7d1b-4c1f-8a53-2b9f4f0c9d11'] },
        },
        toKeyHeader(false),
      ];
    case 'agents.replaceKey':
      return [ifMatch, toKeyHeader(true)];
    case 'agents.challenge':
    case 'agents.claim':
      return [toKeyHeader(true)];
    case 'agents.update':
    case 'agents.withdraw':
      return [ifMatch];
    case 'agents.report':
      return [];
    default:
      return [ifNoneMatch];
  }
}

/** The way in which the owner of an agent authorizes a call. */
export const securitySchemes: Record<string, oas31.SecuritySchemeObject> = {
  managementKey: { type: 'http', scheme: 'bearer', description: 'The management key of the agent.' },
};
