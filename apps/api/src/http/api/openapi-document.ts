import { STATUS_CODES } from 'node:http';
import {
  REFUSAL_HEADER,
  endpointDescriptions,
  endpoints,
  listCategoryIds,
  newConnectionSchema,
  problemSchema,
  returnsPage,
  type Endpoint,
  type EndpointName,
  type SiteConfig,
  IDEMPOTENCY_KEY_HEADER,
  PROBLEM_MEDIA_TYPE,
} from '@agent-registry/contracts';
import { generateOpenApiDocument } from 'trpc-openapi';
import type { oas31 } from 'zod-openapi';
import type { PublicContact } from '../../agents/list-pages.ts';
import { tags } from '../../openapi-meta.ts';
import { describeBody } from './openapi-bodies.ts';
import type { Surface } from './surface.ts';

const commonErrors = [400, 408, 414, 417, 429, 431, 500, 503] as const;

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

const sharedResponses: Record<string, oas31.ResponseObject> = {
  [nameOf(304)]: {
    description: 'The body is still the one whose ETag is in If-None-Match',
    headers: referToHeaders(['ETag', 'X-Request-Id']),
  },
  ...Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [nameOf(Number(status)), describeError(status, description)]),
  ),
};

type Schema = oas31.SchemaObject;
type Schemas = Record<string, Schema>;
/** An operation as trpc-openapi makes it: with one response. */
type Operation = oas31.OperationObject & { responses: { 200: oas31.ResponseObject } };
type Generated = oas31.OpenAPIObject & {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Schemas };
};

const SCHEMAS = '#/components/schemas/';

const toInfo = ({ name, summary }: SiteConfig) => ({
  title: name,
  version: '1.0.0',
  summary,
  description:
    'No call needs an account. An agent that was registered with a management key can be changed with that key. An error is one sentence as text/plain, or problem details (RFC 9457) if Accept names application/problem+json. Responses may get further fields.',
  contact: { name },
  license: { name: 'MIT', identifier: 'MIT' },
});

type DocumentOptions = Pick<Surface, 'router' | 'siteConfig'> & {
  publicContact: PublicContact;
  /** By default where a client has read the document. */
  publicUrl?: string | undefined;
};

/** The OpenAPI 3.1 document: that of trpc-openapi, with the parts that it has no option for. */
export function createOpenApiDocument(options: DocumentOptions): oas31.OpenAPIObject {
  const { siteConfig, publicContact } = options;
  const info = toInfo(siteConfig);
  const { paths, components, ...generated } = generate(info, options);
  const { schemas } = components;
  if (publicContact === 'everywhere') delete schemas.ListedAgent;
  // The schemas of responses allow any category: agents of a category that the operator removed stay readable.
  const ids = listCategoryIds(siteConfig.categories);
  for (const name of ['Agent', 'ListedAgent', 'FollowedAgent', 'SuggestedAgent']) {
    Object.assign(schemas[name]?.properties?.category ?? {}, { enum: ids, examples: ids.slice(0, 1) });
  }
  for (const [name, { method, path }] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const operations = paths[path];
    const key = method.toLowerCase();
    if (!operations?.[key]) throw new Error(`trpc-openapi has left out ${method} ${path}.`);
    operations[key] = complete(operations[key], name, schemas);
  }
  return {
    ...generated,
    info,
    security: [],
    tags: [...tags],
    paths,
    components: {
      ...components,
      responses: sharedResponses,
      headers: {
        ...components.headers,
        'Retry-After': {
          description: 'The seconds after which to try again, where they are known.',
          schema: { type: 'integer', minimum: 0 },
          example: 5,
        },
      },
    },
  };
}

/** The document of trpc-openapi; the agents of lists are those of other responses where they have the same fields. */
function generate(
  info: ReturnType<typeof toInfo>,
  { router, publicContact, publicUrl = '/' }: DocumentOptions,
): Generated {
  const generated = generateOpenApiDocument(router, {
    ...info,
    baseUrl: publicUrl,
    securitySchemes: {
      managementKey: { type: 'http', scheme: 'bearer', description: 'The management key of the agent.' },
    },
    defs: { NewConnection: newConnectionSchema, Problem: problemSchema },
  });
  const components = JSON.parse(JSON.stringify(generated.components), openSchemas) as Generated['components'];
  const text = JSON.stringify({ ...generated, components });
  if (publicContact === 'page') return JSON.parse(text) as Generated;
  return JSON.parse(text.replaceAll(`${SCHEMAS}ListedAgent"`, `${SCHEMAS}Agent"`)) as Generated;
}

/** Lets the objects of responses have further fields, and drops the maximum that zod gives to every integer. */
function openSchemas(key: string, value: unknown): unknown {
  const isDropped =
    (key === 'additionalProperties' && value === false) || (key === 'maximum' && value === Number.MAX_SAFE_INTEGER);
  return isDropped ? undefined : value;
}

/** Adds the other responses, security, the examples, and the name of the body to an operation. */
function complete(operation: Operation, name: EndpointName, schemas: Schemas): Operation {
  const { method }: Endpoint = endpoints[name];
  const { status = 200, otherStatus, errors = [], response } = endpointDescriptions[name];
  const { parameters = [], requestBody, responses, ...rest } = operation;
  const { 200: success } = responses;
  // The agents of a page are the body of the response, and the rest of it is in headers.
  const media = success.content?.['application/json'];
  if (media && returnsPage(name)) media.schema = (media.schema as Schema).properties?.agents as Schema;
  addExample(success, schemas);
  const { Location: _, ...heldHeaders } = success.headers ?? {};
  const { [REFUSAL_HEADER]: __, ...listedHeaders } = success.headers ?? {};
  return {
    ...rest,
    // Reads need no key.
    ...(errors.includes(401) && { security: [...(method === 'GET' ? [{}] : []), { managementKey: [] }] }),
    parameters: parameters.map((parameter) => describeParameter(parameter as oas31.ParameterObject)),
    ...(requestBody && { requestBody: nameBody(requestBody as oas31.RequestBodyObject, name, schemas) }),
    responses: {
      [status]: { ...success, headers: listedHeaders },
      ...(otherStatus !== undefined && {
        [otherStatus]: {
          ...success,
          description: `${response}, which waits for its release by the operator`,
          headers: heldHeaders,
        },
      }),
      ...(method === 'GET' && { 304: referToResponse(304) }),
      ...Object.fromEntries([...errors, ...commonErrors].map((code) => [code, referToResponse(code)])),
    } as Operation['responses'],
  };
}

/** Gives an optional parameter the description of its schema; lists are separated by commas. */
function describeParameter({ schema, ...parameter }: oas31.ParameterObject): oas31.ParameterObject {
  const { description, ...rest } = schema as Schema;
  return {
    description,
    ...parameter,
    ...(rest.type === 'array' && { style: 'form', explode: false }),
    schema: rest,
  };
}

function nameBody(requestBody: oas31.RequestBodyObject, name: EndpointName, schemas: Schemas): oas31.RequestBodyObject {
  const { body } = endpointDescriptions[name];
  const media = Object.values(requestBody.content);
  if (!body || !media[0]) throw new Error(`The body of ${name} has no name.`);
  schemas[body.name] = describeBody(media[0].schema as Schema, body, schemas[body.like] ?? {});
  for (const one of media) one.schema = { $ref: SCHEMAS + body.name };
  addExample(requestBody, schemas);
  return { ...requestBody, required: (endpoints[name] as Endpoint).hasBody === true };
}

function addExample({ content = {} }: oas31.RequestBodyObject | oas31.ResponseObject, schemas: Schemas): void {
  for (const media of Object.values(content)) media.example = toExample(media.schema as Schema, schemas);
}

function toExample(schema: Schema, schemas: Schemas): unknown {
  const { $ref, examples, items, properties } = schema;
  if (examples) return examples[0];
  if ($ref) return toExample(schemas[$ref.replace(SCHEMAS, '')] ?? {}, schemas);
  if (items) return [toExample(items as Schema, schemas)];
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, property]) => [name, toExample(property as Schema, schemas)]),
  );
}

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

function referToResponse(status: number): oas31.ReferenceObject {
  return { $ref: `#/components/responses/${nameOf(status)}` };
}

/** The name of a status as a component: `NotFound` for 404. */
function nameOf(status: number): string {
  return (STATUS_CODES[status] ?? String(status)).replaceAll(/[^A-Za-z]/g, '');
}
