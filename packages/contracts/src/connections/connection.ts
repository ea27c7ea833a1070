// How one connects to an agent. Plain values and types: the first view of the web app loads no zod.
import type { z } from 'zod';
import type { storedConnectionSchema } from './documented-connection.ts';

export const MAX_CONNECTIONS = 8;
/** Longest description of a header, variable or argument, in characters as people see them. */
export const MAX_INPUT_DESCRIPTION_LENGTH = 200;

/** One way to connect to an agent. Addresses are https URLs in the form that the URL parser writes. */
export type Connection = z.infer<typeof storedConnectionSchema>;
export type McpRemote = Extract<Connection, { kind: 'mcp' }>;
export type McpPackage = Extract<Connection, { kind: 'mcp-package' }>;
export type ConnectionInput = NonNullable<McpRemote['headers']>[number];
export type PackageArgument = NonNullable<McpPackage['packageArguments']>[number];

export function toSkillType(format: string): string {
  return `application/agent-skills+${format}`;
}

/** The ways to connect, by which lists are filtered, with their labels. */
export const connectsOptions = [
  { value: 'mcp', label: 'MCP' },
  { value: 'a2a', label: 'A2A' },
  { value: 'skill', label: 'Skill' },
  { value: 'openapi', label: 'OpenAPI' },
] as const;

export type Connects = (typeof connectsOptions)[number]['value'];

export type Connectable = { connections?: readonly Connection[] | undefined };

function waysOf({ connections = [] }: Connectable) {
  return connectsOptions.filter(({ value }) =>
    connections.some(({ kind }) => kind === value || (kind === 'mcp-package' && value === 'mcp')),
  );
}

/** The ways to connect to an agent, in the order of `connectsOptions`. */
export function connectsOf(agent: Connectable): Connects[] {
  return waysOf(agent).map(({ value }) => value);
}

export function labelsOfWays(agent: Connectable): string[] {
  return waysOf(agent).map(({ label }) => label);
}

/** How many tools its remote MCP servers have together; undefined where the registry read none. */
export function countTools({ connections = [] }: Connectable): number | undefined {
  const counts = connections.flatMap((one) => (one.kind === 'mcp' ? (one.tools ?? []) : []));
  return counts.length > 0 ? counts.reduce((sum, count) => sum + count, 0) : undefined;
}

/** The address of a connection, or the identifier of its package. */
export function addressOf(connection: Connection): string {
  if (connection.kind === 'mcp-package') return connection.identifier;
  return connection.kind === 'a2a' ? connection.card : connection.url;
}

/** A connection as one line without its inputs, for histories and lists. */
export function describeConnection(connection: Connection): string {
  const address = addressOf(connection);
  if (connection.kind !== 'mcp-package') return `${connection.kind} ${address}`;
  return `${connection.registry} ${address}${connection.version === undefined ? '' : `@${connection.version}`}`;
}

/** A connection as its owner gives it. */
export function withoutTools(connection: Connection): Connection {
  if (connection.kind !== 'mcp') return connection;
  const { tools: _, ...given } = connection;
  return given;
}

/** Connections with the tools that the registry read of those among them that it knows. */
export function keepTools(connections: Connection[] | undefined, known: readonly Connection[] = []) {
  return connections?.map((one) => {
    const same = known.find((other) => describeConnection(other) === describeConnection(one));
    return one.kind === 'mcp' && same?.kind === 'mcp' && same.tools !== undefined ? { ...one, tools: same.tools } : one;
  });
}

/** The headers or environment variables of a connection. */
export function inputsOf(connection: Connection): readonly ConnectionInput[] {
  if (connection.kind === 'mcp') return connection.headers ?? [];
  return (connection.kind === 'mcp-package' && connection.environment) || [];
}
