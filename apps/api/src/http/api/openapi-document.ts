import {
  endpointDescriptions,
  endpoints,
  formatCount,
  MAX_CAPABILITIES,
  MAX_CAPABILITY_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  MAX_REPORT_LENGTH,
  MAX_WEBSITE_LENGTH,
  MERGE_PATCH_MEDIA_TYPE,
  listCategoryIds,
  problemSchema,
  type Endpoint,
  type EndpointName,
  type SiteConfig,
} from '@agent-registry/contracts';
import { generateOpenApiDocument } from 'trpc-openapi';
import type { oas31 } from 'zod-openapi';
import type { PublicContact } from '../../agents/public-contact.ts';
import { createAppRouter } from '../../router.ts';
import {
  commonErrors,
  referToHeaders,
  referToResponse,
  requestHeadersOf,
  responseHeaders,
  securitySchemes,
  sharedResponses,
  successHeaders,
} from './openapi-parts.ts';

type Schema = oas31.SchemaObject;

/** The schema of an agent of a list, where it differs from that of an agent. */
const LISTED_AGENT = 'ListedAgent';

const toInfo = ({ name, summary }: SiteConfig) => ({
  title: name,
  version: '1.0.0',
  summary,
  description:
    'No call needs an account. An agent that was registered with a management key can be changed with that key. An error is one sentence as text/plain, or problem details (RFC 9457) if Accept names application/problem+json. Responses may get further fields.',
  contact: { name },
  license: { name: 'MIT', identifier: 'MIT' },
});

const tags = {
  agents: { name: 'Agents', description: 'List, search, read and register agents.' },
  stats: { name: 'Statistics', description: 'The headline figures.' },
};

/** Options of `createOpenApiDocument`. */
export type DocumentOptions = {
  siteConfig: SiteConfig;
  /** Where clients find the contact addresses of agents. */
  publicContact: PublicContact;
};

/**
 * The OpenAPI 3.1 document. trpc-openapi makes operations and schemas from the router. It knows no success besides 200,
 * and neither our errors nor our headers, so those are put in from the endpoint table.
 */
export function createOpenApiDocument({ siteConfig, publicContact }: DocumentOptions): oas31.OpenAPIObject {
  const info = toInfo(siteConfig);
  const generated = generateOpenApiDocument(createAppRouter(siteConfig.categories), {
    ...info,
    baseUrl: '/',
    securitySchemes: {},
    defs: { Problem: problemSchema },
  });
  const schemas = Object.fromEntries(
    Object.entries(generated.components?.schemas ?? {}).map(([name, schema]) => [name, toOpenSchema(schema as Schema)]),
  );

  if (publicContact === 'everywhere') delete schemas[LISTED_AGENT];
  // The schemas of responses allow any category: agents of a category that the operator removed stay readable.
  const ids = listCategoryIds(siteConfig.categories);
  for (const name of ['Agent', LISTED_AGENT, 'FollowedAgent']) {
    Object.assign(schemas[name]?.properties?.category ?? {}, { enum: ids, examples: ids.slice(0, 1) });
  }

  const paths: Record<string, oas31.PathItemObject> = {};
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][]) {
    const method = endpoint.method.toLowerCase() as Lowercase<Endpoint['method']>;
    const operation = generated.paths?.[endpoint.path]?.[method];
    if (!operation) throw new Error(`trpc-openapi has left out ${endpoint.method} ${endpoint.path}.`);
    paths[endpoint.path] = { ...paths[endpoint.path], [method]: complete(operation, name, schemas) };
  }
  return {
    openapi: generated.openapi,
    info,
    servers: generated.servers,
    security: [],
    tags: Object.values(tags),
    paths,
    components: { schemas, responses: sharedResponses, headers: responseHeaders, securitySchemes },
  };
}

/** The schemas of bodies. */
const bodyNames: Partial<Record<EndpointName, string>> = {
  'agents.register': 'NewAgent',
  'agents.update': 'AgentPatch',
  'agents.report': 'NewReport',
};

/** Puts into an operation what trpc-openapi does not know; the schema of its body becomes a component. */
function complete(
  { parameters = [], requestBody, responses, ...operation }: oas31.OperationObject,
  name: EndpointName,
  schemas: Record<string, Schema>,
): oas31.OperationObject {
  const { method }: Endpoint = endpoints[name];
  const { description, response, status = 200, otherStatus, errors } = endpointDescriptions[name];
  const isOwners = errors.includes(401);
  const bodyName = bodyNames[name];
  const schema = toListSchema(readSchema(responses?.['200']), schemas);
  if (name === 'agents.register') schemas.NewAgent = describeNewAgent(readSchema(requestBody), schemas.Agent);
  if (name === 'agents.report') schemas.NewReport = describeNewReport(readSchema(requestBody), schemas.Report);
  if (name === 'agents.update') schemas.AgentPatch = describePatch(readSchema(requestBody), schemas.NewAgent);
  const headers = [
    ...(successHeaders[name] ?? []),
    ...(method === 'GET' || isOwners ? ['ETag'] : []),
    'RateLimit',
    'RateLimit-Policy',
    'X-Request-Id',
  ];
  const content = { 'application/json': { schema, example: toExample(schema, schemas) } };
  return {
    ...operation,
    tags: [name.startsWith('stats.') ? tags.stats.name : tags.agents.name],
    description,
    // Reads need no key.
    ...(isOwners && { security: [...(method === 'GET' ? [{}] : []), { managementKey: [] }] }),
    parameters: [
      ...parameters.map((parameter) => describeParameter(parameter as oas31.ParameterObject)),
      ...requestHeadersOf(name),
    ],
    ...(bodyName && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          ['application/json', ...(method === 'PATCH' ? [MERGE_PATCH_MEDIA_TYPE] : [])].map((type) => [
            type,
            {
              schema: { $ref: `#/components/schemas/${bodyName}` },
              example: toExample({ $ref: `#/components/schemas/${bodyName}` }, schemas),
            },
          ]),
        ),
      },
    }),
    responses: {
      [status]: {
        description: response,
        headers: referToHeaders(headers),
        content,
      },
      ...(otherStatus !== undefined && {
        [otherStatus]: {
          description: `${response}, which waits for its release by the operator`,
          headers: referToHeaders(headers.filter((header) => header !== 'Location')),
          content,
        },
      }),
      ...(method === 'GET' && { 304: referToResponse(304) }),
      ...Object.fromEntries([...errors, ...commonErrors].map((code) => [code, referToResponse(code)])),
    },
  };
}

/** Gives a parameter the description of its schema, which an optional parameter lacks; lists are separated by commas. */
function describeParameter({
  name,
  in: place,
  required = false,
  schema,
}: oas31.ParameterObject): oas31.ParameterObject {
  const { description, ...rest } = schema as Schema;
  const isList = rest.type === 'array';
  return { name, in: place, required, description, ...(isList && { style: 'form', explode: false }), schema: rest };
}

/** The schema of a JSON body. */
function readSchema(body: oas31.RequestBodyObject | oas31.ResponseObject | oas31.ReferenceObject | undefined): Schema {
  const schema = body && 'content' in body ? body.content?.['application/json']?.schema : undefined;
  if (!schema) throw new Error('trpc-openapi has left out a schema.');
  return schema as Schema;
}

/** The schema of a response; agents of a list are agents where their schemas do not differ. */
function toListSchema(schema: Schema, schemas: Record<string, Schema>): Schema {
  const isListed = (schema.items as Schema | undefined)?.$ref === `#/components/schemas/${LISTED_AGENT}`;
  return isListed && !schemas[LISTED_AGENT] ? { ...schema, items: { $ref: '#/components/schemas/Agent' } } : schema;
}

/**
 * Lets the objects of a response have further fields, writes a record of known keys as an object with properties, and
 * leaves out the maximum that zod gives to every integer.
 */
function toOpenSchema({ additionalProperties, propertyNames, properties, maximum, ...schema }: Schema): Schema {
  const keys = (propertyNames as Schema | undefined)?.enum as string[] | undefined;
  const value = typeof additionalProperties === 'object' ? toOpenSchema(additionalProperties as Schema) : undefined;
  return {
    ...schema,
    ...(maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && { maximum }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, toOpenSchema(property as Schema)]),
      ),
    }),
    ...(keys && value && { properties: Object.fromEntries(keys.map((key) => [key, value])) }),
    ...(value && { additionalProperties: value }),
  };
}

/** Describes the fields of a registration as those of an agent, and adds the bounds that zod checks in functions. */
function describeNewAgent(newAgent: Schema, agent: Schema | undefined): Schema {
  const details: Record<string, Schema> = {
    name: { description: describeLength(MAX_NAME_LENGTH) },
    description: { description: describeLength(MAX_DESCRIPTION_LENGTH) },
    capabilities: {
      maxItems: MAX_CAPABILITIES,
      default: [],
      description: describeLength(MAX_CAPABILITY_LENGTH, 'Each at most'),
    },
    contactEmail: { format: 'email' },
    website: {
      anyOf: undefined,
      type: ['string', 'null'],
      format: 'uri',
      maxLength: MAX_WEBSITE_LENGTH,
      default: null,
    },
  };
  return {
    description: 'A registration. Texts are trimmed before their length is checked.',
    ...newAgent,
    properties: describeFields(newAgent, agent, details),
  };
}

/** Describes the fields of a report that is sent as those of one that is stored. */
function describeNewReport(newReport: Schema, report: Schema | undefined): Schema {
  return {
    description: 'A problem with an agent, for the operator. A blank text is none.',
    ...newReport,
    properties: describeFields(newReport, report, {
      text: { default: null, description: describeLength(MAX_REPORT_LENGTH) },
    }),
  };
}

/** Says what `maxLength` cannot: JSON Schema counts the code points that a character is made of. */
function describeLength(max: number, bound = 'At most'): string {
  return `${bound} ${formatCount(max)} characters as people see them, so that an emoji is one.`;
}

/** The fields of a body with the descriptions and examples that they have in a response, and further details. */
function describeFields(
  body: Schema,
  response: Schema | undefined,
  details: Record<string, Schema>,
): NonNullable<Schema['properties']> {
  return Object.fromEntries(
    Object.entries(body.properties ?? {}).map(([name, property]) => {
      const { description, examples } = (response?.properties?.[name] ?? {}) as Schema;
      const { description: bound, ...others } = details[name] ?? {};
      const descriptions = [description, bound].filter(Boolean).join(' ');
      return [name, { ...(property as Schema), ...others, description: descriptions, examples }];
    }),
  );
}

/** Describes the fields of a patch as those of a registration; null stands for a default. */
function describePatch(patch: Schema, newAgent: Schema | undefined): Schema {
  const properties = Object.entries(newAgent?.properties ?? {}).map(([name, property]) => {
    const { default: fallback, type = 'string', enum: values, ...rest } = property as Schema;
    const isNullable = fallback !== undefined;
    const types = isNullable ? [...new Set([type, 'null' as const].flat())] : type;
    return [name, { ...rest, type: types, ...(values && { enum: isNullable ? [...values, null] : values }) }];
  });
  return {
    ...patch,
    description: 'The fields that change; null stands for the default.',
    properties: Object.fromEntries(properties) as Schema['properties'],
  };
}

/** The example of a schema, made of the first examples of its properties. */
function toExample(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { $ref, examples, items, properties } = schema;
  if (examples) return examples[0];
  if ($ref) return toExample(schemas[$ref.replace('#/components/schemas/', '')] ?? {}, schemas);
  if (items) return [toExample(items as Schema, schemas)];
  return Object.fromEntries(
    Object.entries(properties ?? {}).map(([name, property]) => [name, toExample(property as Schema, schemas)]),
  );
}
