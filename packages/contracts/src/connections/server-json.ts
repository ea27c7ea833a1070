// Agents and connections as `server.json` of the MCP registry describes servers, version 2025-12-11.
import * as z from 'zod/mini';
import { cutPoints } from '../characters.ts';
import { connectionsSchema } from './connection-schema.ts';
import { MAX_CONNECTIONS, type Connection, type McpPackage, type McpRemote } from './connection.ts';
import { nameServers, type NamedInput } from './named-servers.ts';

export const SERVER_JSON_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** Longest title and description of a server, in code points. */
const MAX_TEXT_LENGTH = 100;

/** What a server is called here. */
export type ServerName = { name: string; version: string };

type DescribedAgent = {
  id: string;
  name: string;
  description: string;
  website: string | null;
  connections?: readonly Connection[] | undefined;
};

/** Describes an agent as a server. Its connections that are no MCP servers are left out. */
export function toServerJson(agent: DescribedAgent, { name, version }: ServerName) {
  const servers = nameServers(agent);
  const remotes = servers.flatMap(({ connection, inputs }) =>
    connection.kind === 'mcp' ? toRemote(connection, inputs) : [],
  );
  const packages = servers.flatMap(({ connection, inputs }) =>
    connection.kind === 'mcp' ? [] : toPackage(connection, inputs),
  );
  return {
    $schema: SERVER_JSON_SCHEMA,
    name,
    title: cut(agent.name),
    description: cut(agent.description),
    version,
    ...(agent.website !== null && { websiteUrl: agent.website }),
    // Some clients take the first one only.
    ...(remotes.length > 0 && { remotes: remotes.toSorted(byTransport) }),
    ...(packages.length > 0 && { packages }),
  };
}

/** A text as one line of at most 100 code points. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return cutPoints(line, MAX_TEXT_LENGTH) === line ? line : `${cutPoints(line, MAX_TEXT_LENGTH - 1).trimEnd()}…`;
}

function byTransport(one: { type: string }, other: { type: string }): number {
  return Number(one.type === 'sse') - Number(other.type === 'sse');
}

function toRemote({ transport, url }: McpRemote, inputs: readonly NamedInput[]) {
  return { type: transport, url, ...(inputs.length > 0 && { headers: inputs.map(toInput) }) };
}

const runtimes = { npm: 'npx', pypi: 'uvx', oci: 'docker', nuget: 'dnx', mcpb: undefined };

function toPackage({ registry, identifier, version, sha256 }: McpPackage, inputs: readonly NamedInput[]) {
  const runtimeHint = runtimes[registry];
  return {
    registryType: registry,
    identifier,
    ...(version !== undefined && { version }),
    ...(sha256 !== undefined && { fileSha256: sha256 }),
    ...(runtimeHint !== undefined && { runtimeHint }),
    // Clients add no -y, without which npx asks.
    ...(registry === 'npm' && { runtimeArguments: [{ type: 'positional', value: '-y' }] }),
    transport: { type: 'stdio' },
    ...(inputs.length > 0 && { environmentVariables: inputs.map(toInput) }),
  };
}

/** An input whose value has a name of its own: otherwise clients keep it by that of the header or variable, which others share. */
function toInput({ name, inputId, description, required, secret }: NamedInput) {
  const asked = { description, isRequired: required, isSecret: secret };
  return { name, ...asked, value: `{${inputId}}`, variables: { [inputId]: asked } };
}

const text = z.string();
const inputSchema = z.looseObject({
  description: z.optional(text),
  isRequired: z.optional(z.boolean()),
  isSecret: z.optional(z.boolean()),
  format: z.optional(z.enum(['string', 'number', 'boolean', 'filepath'])),
  value: z.optional(text),
  default: z.optional(text),
  placeholder: z.optional(text),
  choices: z.optional(z.array(text)),
});
const variablesSchema = z.optional(z.record(text, inputSchema));
const namedInputsSchema = z.optional(z.array(z.extend(inputSchema, { name: text, variables: variablesSchema })));
const isRepeated = z.optional(z.boolean());
const argumentsSchema = z.optional(
  z.array(
    z.discriminatedUnion('type', [
      z.extend(inputSchema, { type: z.literal('named'), name: text, variables: variablesSchema, isRepeated }),
      z
        .extend(inputSchema, {
          type: z.literal('positional'),
          valueHint: z.optional(text),
          variables: variablesSchema,
          isRepeated,
        })
        .check(z.refine(({ value, valueHint }) => value !== undefined || valueHint !== undefined)),
    ]),
  ),
);
const remoteSchema = z.looseObject({
  type: z.enum(['streamable-http', 'sse']),
  url: text.check(z.regex(/^https?:\/\/[^\s]+$/)),
  headers: namedInputsSchema,
  variables: variablesSchema,
});
const packageSchema = z.looseObject({
  registryType: text,
  registryBaseUrl: z.optional(text),
  identifier: text,
  version: z.optional(
    text.check(
      z.minLength(1),
      z.refine((version) => version !== 'latest'),
    ),
  ),
  fileSha256: z.optional(text.check(z.regex(/^[a-f0-9]{64}$/))),
  runtimeHint: z.optional(text),
  runtimeArguments: argumentsSchema,
  packageArguments: argumentsSchema,
  environmentVariables: namedInputsSchema,
  transport: z.union([z.looseObject({ type: z.literal('stdio') }), remoteSchema]),
});
const points = (min: number, max: number) =>
  z.refine<string>((value) => Array.from(value).length >= min && Array.from(value).length <= max);

/** A description of a server: what its published JSON schema accepts. */
export const serverJsonSchema = z.looseObject({
  $schema: z.optional(text),
  name: text.check(points(3, 200), z.regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/)),
  title: z.optional(text.check(points(1, MAX_TEXT_LENGTH))),
  description: text.check(points(1, MAX_TEXT_LENGTH)),
  version: text.check(points(0, 255)),
  websiteUrl: z.optional(z.url()),
  repository: z.optional(
    z.looseObject({ url: z.url(), source: text, id: z.optional(text), subfolder: z.optional(text) }),
  ),
  icons: z.optional(
    z.array(
      z.looseObject({
        src: z.url().check(points(0, 255)),
        mimeType: z.optional(z.enum(['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'])),
        sizes: z.optional(z.array(text.check(z.regex(/^(\d+x\d+|any)$/)))),
        theme: z.optional(z.enum(['light', 'dark'])),
      }),
    ),
  ),
  remotes: z.optional(z.array(remoteSchema)),
  packages: z.optional(z.array(packageSchema)),
  _meta: z.optional(z.looseObject({})),
});

export type ServerJson = z.output<typeof serverJsonSchema>;

/** The registries from which clients fetch packages without being told otherwise. */
const defaultHosts: Record<string, readonly string[]> = {
  npm: ['registry.npmjs.org'],
  pypi: ['pypi.org'],
  nuget: ['api.nuget.org', 'www.nuget.org', 'nuget.org'],
};

/** The connections of a server: remotes of fixed addresses and packages that speak on standard input. Fixed values and arguments are left out. */
export function fromServerJson({ remotes, packages }: Pick<ServerJson, 'remotes' | 'packages'>): Connection[] {
  return takeConnections([
    ...(remotes ?? []).map(({ type, url, headers }) => ({
      kind: 'mcp',
      transport: type,
      url,
      headers: headers?.map(fromInput),
    })),
    ...(packages ?? []).flatMap((given) => {
      const { registryType, registryBaseUrl, identifier, version, fileSha256, environmentVariables, transport } = given;
      const host = registryBaseUrl === undefined ? undefined : URL.parse(registryBaseUrl)?.hostname;
      const isElsewhere = registryBaseUrl !== undefined && !(defaultHosts[registryType]?.includes(host ?? '') ?? true);
      if (transport.type !== 'stdio' || isElsewhere) return [];
      const isOci = registryType === 'oci';
      const image =
        isOci && version !== undefined && !/[:@]/.test(identifier) ? `${identifier}:${version}` : identifier;
      return {
        kind: 'mcp-package',
        registry: registryType,
        identifier: image,
        version: isOci ? undefined : version,
        sha256: fileSha256,
        environment: environmentVariables?.map(fromInput),
      };
    }),
  ]);
}

type GivenInput = {
  name: string;
  description?: string | undefined;
  isRequired?: boolean | undefined;
  isSecret?: boolean | undefined;
};

function fromInput({ name, description, isRequired = false, isSecret = false }: GivenInput) {
  return { name, description: description?.trim() ? description : name, required: isRequired, secret: isSecret };
}

/** Most candidates that are looked at for the connections of an agent. */
export const MAX_CANDIDATES = 100;

/** Keeps the connections that are valid, the first ones first, as many as an agent can have. */
export function takeConnections(candidates: readonly unknown[]): Connection[] {
  let taken: Connection[] = [];
  for (const candidate of candidates.slice(0, MAX_CANDIDATES)) {
    if (taken.length === MAX_CONNECTIONS) break;
    // Alone first, so that a refused one does not cost a check of the list.
    if (!connectionsSchema.safeParse([candidate]).success) continue;
    const { data } = connectionsSchema.safeParse([...taken, candidate]);
    if (data) taken = data;
  }
  return taken;
}
