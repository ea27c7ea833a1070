// How one connects to an agent. Plain values and types: the first view of the web app loads no zod.

/** Most connections of one agent. */
export const MAX_CONNECTIONS = 8;
/** Largest list of connections, in bytes of its JSON. */
export const MAX_CONNECTIONS_BYTES = 16_384;
/** Most headers of a connection. */
export const MAX_HEADERS = 8;
/** Most environment variables of a connection. */
export const MAX_VARIABLES = 16;
/** Most arguments of a package, and most of the program that runs it. */
export const MAX_ARGUMENTS = 16;
/** Longest description of a header, variable or argument, in characters as people see them. */
export const MAX_INPUT_DESCRIPTION_LENGTH = 200;

/** The kinds of connections on the wire. */
export const connectionKinds = ['mcp', 'mcp-package', 'a2a', 'skill', 'openapi'] as const;
/** The transports of a remote MCP server, the preferred one first. */
export const mcpTransports = ['streamable-http', 'sse'] as const;
/** The registries of MCP packages. */
export const packageRegistries = ['npm', 'pypi', 'oci', 'nuget', 'mcpb'] as const;
export const argumentTypes = ['positional', 'named'] as const;
export const skillFormats = ['md', 'zip', 'gzip'] as const;

/** A transport of a remote MCP server. */
export type McpTransport = (typeof mcpTransports)[number];
/** A registry of MCP packages. */
export type PackageRegistry = (typeof packageRegistries)[number];

/** A header or environment variable. A client asks its user for it, unless it has a fixed value. */
export type ConnectionInput = {
  name: string;
  description: string;
  required: boolean;
  secret: boolean;
  /** A fixed value, or a text with the place of what the user gives, such as `Bearer {key}`. */
  value?: string | undefined;
};

/** An argument of a package, or of the program that runs it, as `server.json` has it. */
export type PackageArgument = {
  type: (typeof argumentTypes)[number];
  /** The name of a named argument, with its hyphens. */
  name?: string | undefined;
  value?: string | undefined;
  /** What stands for a value that the user gives. */
  valueHint?: string | undefined;
  description?: string | undefined;
  isRequired?: boolean | undefined;
};

/** One way to connect to an agent. Addresses are https URLs in the form that the URL parser writes. */
export type Connection =
  | {
      kind: 'mcp';
      transport: McpTransport;
      url: string;
      headers?: ConnectionInput[] | undefined;
      /** How many tools it has, which the registry read. */
      tools?: number | undefined;
    }
  | {
      kind: 'mcp-package';
      registry: PackageRegistry;
      /** The name in its registry; the image with its tag or digest; the address of an mcpb file. */
      identifier: string;
      version?: string | undefined;
      /** The SHA-256 of the file, as hexadecimal digits. */
      sha256?: string | undefined;
      environment?: ConnectionInput[] | undefined;
      /** Arguments of the program that runs the package, such as `docker run`. */
      runtimeArguments?: PackageArgument[] | undefined;
      packageArguments?: PackageArgument[] | undefined;
    }
  | { kind: 'a2a'; card: string }
  | { kind: 'skill'; url: string; format: (typeof skillFormats)[number] }
  | { kind: 'openapi'; url: string };

/** A remote MCP server. */
export type McpRemote = Extract<Connection, { kind: 'mcp' }>;
/** An MCP server that runs on the machine of its user. */
export type McpPackage = Extract<Connection, { kind: 'mcp-package' }>;

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

/** A way to connect, by which lists are filtered. */
export type Connects = (typeof connectsOptions)[number]['value'];

/** An agent with its connections, if it has any. */
export type Connectable = { connections?: readonly Connection[] | undefined };

/** The options of the ways to connect to an agent. */
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

/** The connections of an agent, one a line. */
export function describeConnections({ connections = [] }: Connectable): string[] {
  return connections.map(describeConnection);
}

/** The headers or environment variables of a connection. */
export function inputsOf(connection: Connection): readonly ConnectionInput[] {
  if (connection.kind === 'mcp') return connection.headers ?? [];
  return (connection.kind === 'mcp-package' && connection.environment) || [];
}
