import {
  BRAND,
  endpoints,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_KEY_LIFETIME,
  idempotencyKeySchema,
  PROBLEM_MEDIA_TYPE,
  problemSchema,
  type Endpoint,
} from '@agent-registry/contracts';
import { generateOpenApiDocument } from 'trpc-openapi';
import { z } from 'zod';
import { appRouter } from '../../router.ts';

const HOUR = 3_600_000;

const errorDescriptions: Record<string, string> = {
  400: 'The request is not as it must be',
  404: 'There is no such agent',
  408: 'The request took too long to arrive',
  413: 'The body is too large',
  414: 'The address is too long',
  415: 'The body is not JSON, or is compressed',
  417: 'What the Expect header asks for cannot be met',
  422: `The ${IDEMPOTENCY_KEY_HEADER} came with another registration before`,
  429: 'Too many calls were sent; Retry-After says when to try again',
  431: 'The address and the headers are too long',
  500: 'Something went wrong on the side of the registry',
  503: 'The registry cannot answer this for the moment, or takes no registrations',
};

/** The error statuses that every operation can have. */
const commonErrors = [400, 408, 414, 417, 429, 431, 500, 503];

// Read by no procedure's input, and so unknown to trpc-openapi.
const idempotencyKeyParameter = {
  name: IDEMPOTENCY_KEY_HEADER,
  in: 'header' as const,
  required: false,
  description: `Sent again with the same key within ${IDEMPOTENCY_KEY_LIFETIME / HOUR} hours, a registration gives the first answer again.`,
  schema: z.toJSONSchema(idempotencyKeySchema) as { type: 'string' },
};

/**
 * The OpenAPI 3.1 document that trpc-openapi makes from the router.
 * It knows neither a success other than 200 nor our error form, so those are put in from the endpoint table.
 */
export function createOpenApiDocument() {
  const document = generateOpenApiDocument(appRouter, {
    title: BRAND,
    description: 'A public directory of AI agents, bots and automation tools.',
    version: '1.0.0',
    baseUrl: '/',
    securitySchemes: {},
    defs: { Problem: problemSchema },
  });
  for (const { path, method, status, errors } of Object.values<Endpoint>(endpoints)) {
    const operation = document.paths?.[path]?.[method === 'GET' ? 'get' : 'post'];
    if (!operation?.responses) throw new Error(`trpc-openapi has left out ${method} ${path}.`);
    const failures = [...errors, ...commonErrors].map((code) => [
      code,
      {
        description: errorDescriptions[code],
        content: {
          'text/plain': { schema: { type: 'string', description: 'One sentence a person can read.' } },
          [PROBLEM_MEDIA_TYPE]: { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    ]);
    if (method === 'POST') operation.parameters = [idempotencyKeyParameter];
    operation.responses = { [status]: operation.responses['200'], ...Object.fromEntries(failures) };
  }
  return document;
}
