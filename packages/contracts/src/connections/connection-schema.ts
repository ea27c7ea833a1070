// The registration form validates with these schemas, so they use zod/mini.
import * as z from 'zod/mini';
import { MAX_SERVER_NAME_LENGTH } from '../fields.ts';
import { findTextFault } from '../plain-text.ts';
import {
  addressOf,
  connectionKinds,
  MAX_CONNECTIONS,
  MAX_CONNECTIONS_BYTES,
  MAX_HEADERS,
  MAX_INPUT_DESCRIPTION_LENGTH,
  MAX_VARIABLES,
  mcpTransports,
  packageRegistries,
  skillFormats,
  type Connection,
  type McpPackage,
} from './connection.ts';
import {
  findAddressFault,
  findChecksumFault,
  findHeaderFault,
  findIdentifierFault,
  findVariableFault,
  findVersionFault,
} from './connection-faults.ts';

type Issue = { path?: readonly PropertyKey[] | undefined; input?: unknown };
type FindFault = (value: string) => string | undefined;

/** A sentence about a field of a connection: its place in the list, then what is wrong with it. */
function at(path: readonly PropertyKey[] | undefined, fault: string): string {
  const place = path?.slice(path.indexOf('connections') + 1) ?? [];
  return `connections${place.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')} ${fault}`;
}

const mustBe = (like: string) => (issue: Issue) =>
  at(issue.path, issue.input === undefined ? 'is required' : `must be ${like}`);

const aText = { error: mustBe('text') };
const flag = z._default(z.boolean({ error: mustBe('true or false') }), true);

function oneOf<const Values extends readonly string[]>(values: Values) {
  return z.enum(values, { error: mustBe(`one of ${values.join(', ')}`) });
}

function object<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return at(issue.path, 'must be an object');
      const names = issue.keys.slice(0, 5).map((key) => key.replaceAll(/[^!-~]/gu, '?').slice(0, 40));
      return at(issue.path, `must not have the fields ${names.join(', ')}`);
    },
  });
}

/** A list that is left out where it is empty. */
function optionalList<Entry extends z.ZodMiniType>(
  entry: Entry,
  max: number,
  keyOf: (entry: z.output<Entry>) => string,
) {
  const list = z.array(entry, { error: mustBe('a list') }).check(
    z.refine((given) => new Set(given.map(keyOf)).size === given.length, {
      error: ({ path }) => at(path, 'must not have the same entry twice'),
    }),
  );
  return z.optional(
    z.pipe(
      // Counted before any entry is checked: thousands of issues hold up the event loop.
      z
        .array(z.unknown(), { error: mustBe('a list') })
        .check(
          z.maxLength(max, { error: ({ path }) => at(path, `can have at most ${max} entries`), abort: true }),
        ) as unknown as z.ZodMiniType<z.input<Entry>[], z.input<Entry>[]>,
      z.pipe(
        list,
        z.transform((given) => (given.length > 0 ? given : undefined)),
      ),
    ),
  );
}

/** A text without a fault. */
function text(findFault: FindFault) {
  return z.string(aText).check(
    z.trim(),
    z.refine((value) => findFault(value) === undefined, {
      error: ({ path, input }) => at(path, findFault(input as string) ?? ''),
      abort: true,
    }),
  );
}

/** An address as the URL parser writes it. */
function toHref(address: string): string {
  return URL.parse(address)?.href ?? address;
}

const address = text(findAddressFault).check(z.overwrite(toHref));

const description = text((value) => {
  if (value === '') return 'is required';
  if (value.includes('${')) return 'must not have ${';
  return findTextFault(value, { max: MAX_INPUT_DESCRIPTION_LENGTH, isLine: true });
});

function inputs(findNameFault: FindFault, max: number) {
  const input = object({ name: text(findNameFault), description, required: flag, secret: flag });
  return optionalList(input, max, ({ name }) => name.toLowerCase());
}

const optionalText = z.optional(z.string(aText).check(z.trim()));

/** Checks a field of a package, whose rules depend on its registry. */
function packageRule(field: string, findFault: (value: McpPackage) => string | undefined) {
  return z.refine<McpPackage>((value) => findFault(value) === undefined, {
    path: [field],
    error: ({ path, input }) => at(path, findFault(input as McpPackage) ?? ''),
  });
}

const connectionSchema = z.discriminatedUnion(
  'kind',
  [
    object({
      kind: z.literal('mcp'),
      transport: oneOf(mcpTransports),
      url: address,
      headers: inputs(findHeaderFault, MAX_HEADERS),
    }),
    object({
      kind: z.literal('mcp-package'),
      registry: oneOf(packageRegistries),
      identifier: z.string(aText).check(z.trim()),
      version: optionalText,
      sha256: optionalText,
      environment: inputs(findVariableFault, MAX_VARIABLES),
    }).check(
      packageRule('identifier', ({ registry, identifier }) => findIdentifierFault(registry, identifier)),
      packageRule('version', ({ registry, version }) => findVersionFault(registry, version)),
      packageRule('sha256', ({ registry, sha256 }) => findChecksumFault(registry, sha256)),
      z.overwrite((value) => (value.registry === 'mcpb' ? { ...value, identifier: toHref(value.identifier) } : value)),
    ),
    object({ kind: z.literal('a2a'), card: address }),
    object({ kind: z.literal('skill'), url: address, format: oneOf(skillFormats) }),
    object({ kind: z.literal('openapi'), url: address }),
  ],
  {
    error: ({ path = [], input }) =>
      typeof input === 'object' && input !== null
        ? at([...path.filter((key) => key !== 'kind'), 'kind'], `must be one of ${connectionKinds.join(', ')}`)
        : at(path, 'must be an object'),
  },
);

/** Connections of one kind and address, or packages of one name, are the same. */
export function identityOf(connection: Connection): string {
  if (connection.kind !== 'mcp-package') return `${connection.kind} ${addressOf(connection)}`;
  return `${connection.registry} ${connection.identifier.toLowerCase()}`;
}

/** The connections of an agent, in canonical form; an empty list is left out. */
export const connectionsSchema = optionalList(connectionSchema, MAX_CONNECTIONS, identityOf).check(
  z.refine((list) => list === undefined || sizeOf(list) <= MAX_CONNECTIONS_BYTES, {
    error: 'connections can have at most 16 KiB as JSON',
  }),
  // As JSON has them, so that equal ones compare equal.
  z.overwrite((list) => list?.map((connection) => withoutUndefined(connection))),
);

function withoutUndefined<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;
}

function sizeOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

const SERVER_NAME = 'MCP server name must be lower-case letters and digits with hyphens between, such as high-tides';

/** The last part of the name of an MCP server; absent without one. The form sends an empty text. */
export const serverNameSchema = z.optional(
  z.pipe(
    z
      .string(SERVER_NAME)
      .check(
        z.trim(),
        z.maxLength(MAX_SERVER_NAME_LENGTH, `MCP server name can have at most ${MAX_SERVER_NAME_LENGTH} characters`),
        z.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)?$/, SERVER_NAME),
      ),
    z.transform((value) => value || undefined),
  ),
);
