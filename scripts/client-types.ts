// Copies the source of the client for its build, with the types of contract.ts written out from the OpenAPI document.
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOpenApiDocument } from '../apps/api/src/http/api/openapi-document.ts';
import { createAppRouter } from '../apps/api/src/router.ts';
import {
  defaultSiteConfig,
  endpointDescriptions,
  endpoints,
  listCategoryIds,
  type EndpointName,
} from '../packages/contracts/src/index.ts';

type Schema = {
  $ref?: string;
  description?: string | undefined;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema;
  readOnly?: boolean;
};
type Parameter = { in: string; name: string; description: string; required?: boolean; schema: Schema };
type Message = { content: Record<string, { schema: Schema }> };
type Operation = { parameters: Parameter[]; requestBody?: Message; responses: Record<string, Message> };
type Document = { paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, Schema> } };

type GroupOf<Name> = Name extends `${infer Group}.${string}` ? Group : never;

const groups: Record<GroupOf<EndpointName>, string> = {
  agents: 'Lists, finds, searches, registers and changes agents.',
  changes: 'The change log.',
  prefill: 'Values for a registration.',
  stats: 'The headline figures.',
};

const names = Object.keys(endpoints) as EndpointName[];

const { categories } = defaultSiteConfig;
const router = createAppRouter(categories);
const { paths, components } = createOpenApiDocument({
  router,
  siteConfig: defaultSiteConfig,
  publicContact: 'page',
}) as unknown as Document;
const categoryIds = toUnion(listCategoryIds(categories));

const types = [
  "import type { AgentContext, Mutation, Query } from './calls.ts';",
  '/** A type with its own and its further fields. */',
  'type Flat<Type> = { [Key in keyof Type]: Type[Key] };',
  '/** The id of a category. These are the usual ones; the operator of a registry can set others. */',
  `export type CategoryId = ${categoryIds} | (string & {});`,
  ...Object.entries(components.schemas).map(([name, schema]) => toDeclaration(name, schema)),
  ...names.flatMap((name) => {
    const { input } = endpointDescriptions[name];
    return input === undefined ? [] : toDeclaration(input, toInput(name));
  }),
  '/** The calls of a registry, by their groups and names. */',
  'export type Calls<Unauthorized> = {',
  ...Object.entries(groups).map(([group, description]) => {
    const calls = names.filter((name) => name.startsWith(`${group}.`)).map(toCall);
    return `${toComment(description)}${group}: {\n${calls.join('\n')}\n};`;
  }),
  '};\n',
];

const client = join(import.meta.dirname, '../packages/client');
const target = join(client, 'dist/src');
rmSync(join(client, 'dist'), { recursive: true, force: true });
cpSync(join(client, 'src'), target, { recursive: true, filter: (path) => !path.endsWith('.test.ts') });
writeFileSync(join(target, 'contract.ts'), types.join('\n'));
// Both kinds of modules have the types of index.d.cts.
writeFileSync(join(client, 'dist/index.d.ts'), "export * from './index.cjs';\n");

function toDeclaration(name: string, schema: Schema): string {
  const type = toPartOfAgent(schema) ?? toPartOfList(name, schema) ?? toType(schema);
  return `${toComment(schema.description)}export type ${name} = ${type};`;
}

/** The type of a schema that is an agent but for one field; undefined for other schemas. */
function toPartOfAgent({ properties = {}, required = [] }: Schema): string | undefined {
  const agent = Object.entries(components.schemas['Agent']?.properties ?? {});
  const others = agent.filter(([field, schema]) => JSON.stringify(properties[field]) !== JSON.stringify(schema));
  const [[field, schema] = [], second] = others;
  if (!field || !schema || second) return undefined;
  const own = properties[field];
  if (!own) return `Omit<Agent, '${field}'>`;
  const type = `Field extends '${field}' ? ${toType(own)} : Agent[Field]`;
  return required.includes(field) ? `{ [Field in keyof Agent]: ${type} }` : undefined;
}

/** The type of an input that has most parameters of the list of all agents; undefined for other schemas. */
function toPartOfList(name: string, { properties = {}, required }: Schema): string | undefined {
  const { input: list } = endpointDescriptions['agents.list'];
  const ofList = toInput('agents.list').properties ?? {};
  const isOfList = (key: string) => JSON.stringify(properties[key]) === JSON.stringify(ofList[key]);
  const missing = Object.keys(ofList).filter((key) => !isOfList(key));
  if (name === list || missing.length > Object.keys(ofList).length / 2) return undefined;
  const own = Object.fromEntries(Object.entries(properties).filter(([key]) => !isOfList(key)));
  return `Flat<Omit<${list}, ${toUnion(missing)}> & ${toObject({ properties: own, ...(required && { required }) })}>`;
}

function toCall(name: EndpointName): string {
  const { summary, description, errors = [], status = 200, example, input: inputName } = endpointDescriptions[name];
  const input = toInput(name);
  const given = `${inputName ?? toType(input)}${input.required?.length === 0 ? ' | undefined' : ''}`;
  const result = toType(toBody(toOperation(name).responses[status]));
  // The client writes bodies as they must be.
  const refusals = errors.filter((code) => code !== 413 && code !== 415).join(', ');
  const comment = toComment(
    `${summary}.`,
    description,
    ...(refusals === '' ? [] : [`@throws {RestError} of status ${refusals}`]),
    ...(example === undefined ? [] : [`@example ${example}`]),
  );
  const type =
    endpoints[name].method === 'GET'
      ? `Query<${given}, ${result} | Unauthorized${errors.includes(401) ? ', AgentContext' : ''}>`
      : `Mutation<${given}, ${result}>`;
  return `${comment}${name.replace(/.*\./, '')}: ${type};`;
}

function toOperation(name: EndpointName): Operation {
  const { method, path } = endpoints[name];
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`The document has no ${name}.`);
  return operation;
}

/** The schema of a body as JSON. */
function toBody(message: Message | undefined): Schema {
  return message?.content['application/json']?.schema ?? {};
}

/** The parameters of a call and the fields of its body as one object. */
function toInput(name: EndpointName): Schema {
  const { parameters, requestBody } = toOperation(name);
  const sent = parameters.filter((parameter) => parameter.in !== 'header');
  const body = requestBody && components.schemas[toName(toBody(requestBody))];
  const properties = sent.map(({ name: key, description, schema }) => [
    key,
    { ...schema, description, readOnly: true },
  ]);
  return {
    type: 'object',
    description: body?.description ?? `The input of \`${name}\`.`,
    properties: { ...Object.fromEntries(properties), ...body?.properties },
    required: [...sent.filter(({ required }) => required).map(({ name: key }) => key), ...(body?.required ?? [])],
  };
}

function toType(schema: Schema): string {
  const { $ref, type, items, readOnly } = schema;
  const either = schema.anyOf ?? schema.oneOf;
  const values = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
  if ($ref !== undefined) return toName(schema);
  if (either) return either.map(toType).join(' | ');
  if (values) return toUnion(values) === categoryIds ? 'CategoryId' : toUnion(values);
  if (Array.isArray(type)) return type.map((one) => toType({ ...schema, type: one })).join(' | ');
  if (type === 'array') return `${readOnly ? 'Readonly' : ''}Array<${toType(items ?? {})}>`;
  if (type === 'object') return toObject(schema);
  if (type === undefined) throw new Error(`There is no type for ${JSON.stringify(schema)}.`);
  return type === 'integer' ? 'number' : type;
}

function toObject({ properties = {}, required = [], additionalProperties }: Schema): string {
  const keys = Object.keys(properties);
  if (additionalProperties) {
    const key = toUnion(keys) === categoryIds ? 'string' : toUnion(keys);
    return `Record<${key}, ${toType(additionalProperties)}>`;
  }
  if (keys.length === 0) return 'Record<string, never>';
  const members = Object.entries(properties).map(([name, property]) => {
    const type = required.includes(name) ? `: ${toType(property)}` : `?: ${toType(property)} | undefined`;
    return `${toComment(property.description)}${name}${type};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

/** The name of the component that a reference leads to. */
function toName({ $ref = '' }: Schema): string {
  return $ref.replace(/.*\//, '');
}

function toUnion(values: readonly unknown[]): string {
  return values.map((value) => JSON.stringify(value)).join(' | ');
}

function toComment(...lines: (string | undefined)[]): string {
  if (lines.length > 1) return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
  return lines[0] === undefined ? '' : `/** ${lines[0]} */\n`;
}
