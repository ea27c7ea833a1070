import {
  CORRECTION_HEADER,
  endpointDescriptions,
  endpoints,
  EXAMPLE_AGENT_ID,
  formatCount,
  FULL_MATCHES_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_LIFETIME,
  idempotencyKeySchema,
  MANAGEMENT_KEY_HEADER,
  managementKeySchema,
  MATCHED_WORDS_HEADER,
  MAX_COUNTED_RESULTS,
  MAX_MATCHED_WORDS_LENGTH,
  MERGE_PATCH_MEDIA_TYPE,
  POSITION_HEADER,
  REFUSAL_HEADER,
  toCursor,
  TOTAL_BOUND_HEADER,
  TOTAL_HEADER,
  UNDERSTOOD_HEADER,
  type Endpoint,
  type EndpointDescription,
  type EndpointName,
} from '@agent-registry/contracts';
import { z } from 'zod';

/** The part of a procedure's meta that trpc-openapi reads. */
export type OpenApiMeta = Pick<Endpoint, 'method' | 'path'> & {
  summary: string;
  description: string;
  tags: string[];
  successDescription: string;
  contentTypes: string[];
  requestHeaders: z.ZodObject;
  responseHeaders: z.ZodObject;
  protect: false;
  errorResponses: [];
};

const HOUR = 3_600_000;
const etag = '"5d41402abc4b2a76"';

const exampleAgent = {
  id: EXAMPLE_AGENT_ID,
  name: 'Front Desk',
  rating: 4.5,
  reviewCount: 12,
  createdAt: '2026-11-21T09:30:00.000Z',
};

const text = z.string();
const wholeNumber = z.int().min(0);

const responseHeaders = {
  ETag: [
    text,
    'The version of the body, to send in If-None-Match; weak for a list that is too large for the cache.',
    etag,
  ],
  Link: [
    text,
    'The paths of other pages of the list, by their rel; only of a page.',
    `</api/agents?limit=50&after=${toCursor(exampleAgent, 'newest')}>; rel="next"`,
  ],
  Location: [
    text.meta({ format: 'uri-reference' }),
    'The path of the registered agent.',
    `/api/agents/${EXAMPLE_AGENT_ID}`,
  ],
  RateLimit: [
    text,
    'The calls that are left, and the seconds until they are reset. Cached responses have none.',
    '"read";r=599;t=42',
  ],
  'RateLimit-Policy': [
    text,
    'The rate limits: a number of calls, and the seconds in which they may be sent.',
    '"read";q=600;w=60',
  ],
  [CORRECTION_HEADER]: [
    text,
    'The search text with the corrections of typing errors that found the first agent, percent-encoded; absent without them.',
    'translate',
  ],
  [FULL_MATCHES_HEADER]: [
    wholeNumber,
    'The number of results with all words of the search that come before those with some, unless sort is given.',
    5,
  ],
  [MATCHED_WORDS_HEADER]: [
    text.max(MAX_MATCHED_WORDS_LENGTH),
    'The words by which the agents were found, without case and accents, percent-encoded, with a comma between two: word, beginning* or *part* of a word. Long lists are cut; absent without words.',
    'repositories*,repository',
  ],
  [POSITION_HEADER]: [
    z.int().min(1),
    'The position of the first agent of the page in the list, from 1, if position is true.',
    51,
  ],
  [REFUSAL_HEADER]: [
    text,
    'Why the operator refused the version, percent-encoded; only with a management key, and absent if it was not refused.',
    'The%20website%20does%20not%20answer.',
  ],
  [UNDERSTOOD_HEADER]: [
    text,
    'The search text with what it excludes and demands as operators, percent-encoded; absent without operators.',
    'chat%20-google%20pricing%3Afree',
  ],
  'X-Request-Id': [text, 'The id of the request in the logs of the registry.', EXAMPLE_AGENT_ID],
  [TOTAL_HEADER]: [wholeNumber, 'The length of the whole list; only of a page or a search.', 48],
  [TOTAL_BOUND_HEADER]: [
    text,
    `lower for a search with more results than are counted, ${formatCount(MAX_COUNTED_RESULTS)}; absent otherwise.`,
    'lower',
  ],
} as const satisfies Record<string, [schema: z.ZodType, description: string, example: string | number]>;

// Not always sent, so optional; with an id each becomes a component of the document.
const allHeaders = z.object(
  Object.fromEntries(
    Object.entries(responseHeaders).map(([id, [schema, description, example]]) => [
      id,
      schema.optional().meta({ header: { id, description, example } }),
    ]),
  ),
);

function responseHeadersOf({ headers = [] }: EndpointDescription, hasEtag: boolean): z.ZodObject {
  const names = [...headers, ...(hasEtag ? ['ETag'] : []), 'RateLimit', 'RateLimit-Policy', 'X-Request-Id'];
  return allHeaders.pick(Object.fromEntries(names.map((name) => [name, true])));
}

const ifNoneMatch = {
  'If-None-Match': text.optional().meta({
    param: {
      description: 'The ETag of an earlier response. While the body is the same, the response is 304 without a body.',
    },
    examples: [etag],
  }),
};

const ifMatch = {
  'If-Match': text.optional().meta({
    param: {
      description:
        'The ETag of an earlier response with the agent. If the agent has changed since, the response is 412.',
    },
    examples: [etag],
  }),
};

const managementKey = {
  param: {
    description: 'The management key that the agent gets: 32 random bytes as base64url. Only its hash is stored.',
  },
  pattern: '^[A-Za-z0-9_-]{43}$',
};
const idempotencyKey = {
  [IDEMPOTENCY_KEY_HEADER]: idempotencyKeySchema.optional().meta({
    param: {
      description: `Sent again with the same key within ${IDEMPOTENCY_KEY_LIFETIME / HOUR} hours, a registration gives the first answer again.`,
    },
    examples: ['5f0c1e8a-7d1b-4c1f-8a53-2b9f4f0c9d11'],
  }),
};

function requestHeadersOf({ errors = [], isRetried, newKey }: EndpointDescription): z.ZodObject {
  const key = newKey === 'optional' ? managementKeySchema.optional() : managementKeySchema;
  return z.object({
    ...(errors.includes(412) && ifMatch),
    ...(isRetried && idempotencyKey),
    ...(newKey && { [MANAGEMENT_KEY_HEADER]: key.meta(managementKey) }),
  });
}

/** The groups of calls, in the order of the reference. */
export const tags = [
  { name: 'Browse', description: 'List, search and read agents.' },
  {
    name: 'Register and own',
    description: 'Register an agent, change, withdraw or reclaim it, and report a problem. No call needs an account.',
  },
  { name: 'For programs', description: 'Follow what changes: for mirrors, caches and bots.' },
] as const;

/** What trpc-openapi reads of a call. Its success is always 200 for it, and it does not know our errors. */
export function toOpenApiMeta(name: EndpointName): OpenApiMeta {
  const { method, path }: Endpoint = endpoints[name];
  const described: EndpointDescription = endpointDescriptions[name];
  const { summary, description, response, errors = [], isForPrograms } = described;
  const isRead = method === 'GET';
  return {
    method,
    path,
    summary,
    description,
    tags: [isForPrograms ? 'For programs' : isRead ? 'Browse' : 'Register and own'],
    successDescription: response,
    contentTypes: ['application/json', ...(method === 'PATCH' ? [MERGE_PATCH_MEDIA_TYPE] : [])],
    requestHeaders: isRead ? z.object(ifNoneMatch) : requestHeadersOf(described),
    responseHeaders: responseHeadersOf(described, isRead || errors.includes(412)),
    protect: false,
    errorResponses: [],
  };
}
