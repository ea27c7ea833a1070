// Connections as people write them: one a line, and below it, after a hyphen, what clients ask their users for.
import {
  inputsOf,
  packageRegistries,
  type Connection,
  type ConnectionInput,
  type PackageRegistry,
} from './connection.ts';

/** A connection as people write it: what it is, its address, and what clients ask their users for. */
export type WrittenConnection = { way: string; address: string; inputs: ConnectionInput[] };

/** What a connection can be: the first words of its line, with their labels. A line without them is read by its address. */
export const writtenWays: Readonly<Record<string, string>> = {
  '': 'By its address',
  mcp: 'MCP server',
  'mcp sse': 'MCP server (SSE)',
  npm: 'MCP package of npm',
  pypi: 'MCP package of PyPI',
  oci: 'MCP container image',
  nuget: 'MCP package of NuGet',
  mcpb: 'MCPB file',
  a2a: 'A2A agent card',
  skill: 'Skill',
  'skill zip': 'Skill (zip)',
  'skill gzip': 'Skill (gzip)',
  openapi: 'OpenAPI description',
};

export function splitConnections(text: string): WrittenConnection[] {
  const connections: WrittenConnection[] = [];
  for (const line of text.split('\n').map((given) => given.trim())) {
    const current = connections.at(-1);
    if (line.startsWith('-') && current) current.inputs.push(parseInput(line.slice(1)));
    else if (line !== '') connections.push({ ...splitLine(line), inputs: [] });
  }
  return connections;
}

function splitLine(line: string): Pick<WrittenConnection, 'way' | 'address'> {
  const [first = '', second = ''] = line.toLowerCase().split(/\s+/, 2);
  const way = [`${first} ${second}`, first, ''].find((words) => Object.hasOwn(writtenWays, words)) ?? '';
  const [, address = ''] = new RegExp(`^${way.replace(' ', '\\s+')}\\s*(.*)$`, 'is').exec(line) ?? [];
  return { way, address };
}

/** Joins connections to the text that `splitConnections` splits; blank ones are left out. */
export function joinConnections(connections: readonly WrittenConnection[]): string {
  return connections
    .map(({ way, address, inputs }) => ({ line: `${way} ${address}`.trim(), inputs }))
    .filter(({ line }) => line !== '')
    .flatMap(({ line, inputs }) => [line, ...inputs.map(writeInput)])
    .join('\n');
}

/** Writes connections as `parseConnections` reads them. */
export function writeConnections(connections: readonly Connection[] = []): string {
  return joinConnections(
    connections.map((connection) => ({
      ...splitLine(writeConnection(connection)),
      inputs: [...inputsOf(connection)],
    })),
  );
}

function writeConnection(connection: Connection): string {
  switch (connection.kind) {
    case 'mcp':
      return `${connection.transport === 'sse' ? 'mcp sse' : 'mcp'} ${connection.url}`;
    case 'mcp-package': {
      const { registry, identifier, version, sha256 } = connection;
      const joined = registry !== 'mcpb' && version !== undefined ? `${identifier}@${version}` : identifier;
      const rest = registry === 'mcpb' ? [version, sha256] : [sha256];
      return [registry, joined, ...rest.filter((part) => part !== undefined)].join(' ');
    }
    case 'a2a':
      return `a2a ${connection.card}`;
    case 'skill':
      return `skill ${connection.format === 'md' ? '' : `${connection.format} `}${connection.url}`;
    case 'openapi':
      return `openapi ${connection.url}`;
  }
}

function writeInput({ name, description, required, secret }: ConnectionInput): string {
  const marks = [...(required ? [] : ['optional']), ...(secret ? [] : ['public'])];
  return `- ${name}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}: ${description}`;
}

/**
 * Reads connections as people write them. The result is not validated: the schema refuses invalid connections.
 * @example
 * mcp https://example.com/mcp
 * - X-Api-Key: Key from your account
 * npm @example/tides@1.4.0
 * https://example.com/.well-known/agent-card.json
 */
export function parseConnections(text: string): unknown[] {
  return splitConnections(text).map(({ way, address, inputs }) => {
    const connection = parseLine(`${way} ${address}`.trim());
    const list = connection.kind === 'mcp-package' ? 'environment' : 'headers';
    return inputs.length > 0 ? { ...connection, [list]: inputs } : connection;
  });
}

function parseInput(text: string): ConnectionInput {
  const [head = '', ...rest] = text.split(':');
  const [name = '', marks = ''] = head.split(/[()]/);
  const isMarked = (mark: string) =>
    marks
      .toLowerCase()
      .split(/[\s,]+/)
      .includes(mark);
  return {
    name: name.trim(),
    description: rest.join(':').trim(),
    required: !isMarked('optional'),
    secret: !isMarked('public'),
  };
}

function parseLine(line: string): Record<string, unknown> {
  const [first = '', ...words] = line.split(/\s+/);
  const kind = first.toLowerCase();
  if (packageRegistries.some((registry) => registry === kind)) return parsePackage(kind as PackageRegistry, words);
  const url = words.at(-1) ?? '';
  switch (kind) {
    case 'mcp':
      return { kind, transport: words.length > 1 && words[0] !== 'http' ? words[0] : 'streamable-http', url };
    case 'a2a':
      return { kind, card: url };
    case 'skill':
      return {
        kind,
        url,
        format: words.length > 1 ? words[0] : (/\.(zip|gz)$/.exec(url)?.[1]?.replace('gz', 'gzip') ?? 'md'),
      };
    case 'openapi':
      return { kind, url };
    default:
      return guess(line);
  }
}

function parsePackage(registry: PackageRegistry, [name = '', ...others]: readonly string[]): Record<string, unknown> {
  const sha256 = others.find((word) => /^[a-f\d]{64}$/i.test(word));
  const separate = others.find((word) => word !== sha256);
  const mark = name.includes('==') ? '==' : '@';
  const at = registry === 'oci' || registry === 'mcpb' ? -1 : name.lastIndexOf(mark);
  const [identifier, joined] = at > 0 ? [name.slice(0, at), name.slice(at + mark.length)] : [name];
  const version = separate ?? joined;
  return { kind: 'mcp-package', registry, identifier, ...(version && { version }), ...(sha256 && { sha256 }) };
}

/** An address alone, by how such addresses end; without one, a kind that there is not. */
function guess(line: string): Record<string, unknown> {
  const path = URL.parse(line)?.pathname ?? '';
  if (path === '') return { kind: line.split(/\s/)[0]?.slice(0, 40) };
  if (/agent(?:-card)?\.json$/.test(path)) return { kind: 'a2a', card: line };
  if (/\.md$/i.test(path)) return { kind: 'skill', url: line, format: 'md' };
  const file = path.split('/').at(-1)?.toLowerCase() ?? '';
  const isDescription = ['openapi', 'swagger'].some((word) => file.includes(word)) && /\.(?:json|ya?ml)$/.test(file);
  if (isDescription) return { kind: 'openapi', url: line };
  return { kind: 'mcp', transport: /\/sse\/?$/.test(path) ? 'sse' : 'streamable-http', url: line };
}
