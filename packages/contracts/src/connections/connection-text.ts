// Connections as text: one a line, and below it, after a hyphen, the headers or variables that clients ask their users for.
import {
  inputsOf,
  packageRegistries,
  type Connection,
  type ConnectionInput,
  type PackageRegistry,
} from './connection.ts';
import { describeArguments, withoutValues } from './connection-values.ts';

const ASKS_FOR = ' asks for ';

/** Writes connections as `parseConnections` reads them, without fixed values and arguments. */
export function writeConnections(connections: readonly Connection[] = []): string {
  return listConnections(connections.map(withoutValues)).join('\n');
}

/** The lines of connections, with all that clients run and send. */
export function listConnections(connections: readonly Connection[]): string[] {
  return connections.flatMap((connection) => [
    [writeConnection(connection), ...describeArguments(connection)].join(' '),
    ...inputsOf(connection).map((input) => writeInput(input) + (input.value === undefined ? '' : ` = ${input.value}`)),
  ]);
}

export function writeConnection(connection: Connection): string {
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

export function writeInput({ name, description, required, secret }: ConnectionInput): string {
  const marks = [...(required ? [] : ['optional']), ...(secret ? [] : ['public'])];
  const what = description === name ? '' : `${ASKS_FOR}${description}`;
  return `- ${name}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}${what}`;
}

/**
 * Reads connections as people write them. The result is not validated: the schema refuses invalid connections.
 * @example
 * mcp https://example.com/mcp
 * - X-Api-Key asks for Key from your account
 * npm @example/tides@1.4.0
 * https://example.com/.well-known/agent-card.json
 */
export function parseConnections(text: string): unknown[] {
  const connections: { line: string; inputs: ConnectionInput[] }[] = [];
  for (const line of text.split('\n').map((given) => given.trim())) {
    const current = connections.at(-1);
    if (line.startsWith('-') && current) current.inputs.push(parseInput(line));
    else if (line !== '') connections.push({ line, inputs: [] });
  }
  return connections.map(({ line, inputs }) => withInputs(parseLine(line), inputs));
}

/** A connection with headers or variables, if there are any. */
export function withInputs<Given extends Record<string, unknown>>(connection: Given, inputs: ConnectionInput[]) {
  const list = connection.kind === 'mcp-package' ? 'environment' : 'headers';
  return inputs.length > 0 ? { ...connection, [list]: inputs } : connection;
}

/** Reads the line of a header or variable. Only what follows "asks for" describes it: other text may be its value. */
export function parseInput(line: string): ConnectionInput {
  const [name = ''] = /^[^\s():=]*/.exec(line.replace(/^-\s*/, '')) ?? [];
  const at = line.indexOf(ASKS_FOR);
  const description = at < 0 ? '' : line.slice(at + ASKS_FOR.length).trim();
  const [, marks = ''] = /\(([a-z, ]{0,40})\)/.exec((at < 0 ? line : line.slice(0, at)).toLowerCase()) ?? [];
  return {
    name,
    description: description || name,
    required: !marks.includes('optional'),
    secret: !marks.includes('public'),
  };
}

/** Reads a line that names a kind of connection, or an address alone. */
export function parseLine(line: string): Record<string, unknown> {
  const [first = '', ...words] = line.split(/\s+/);
  const kind = first.toLowerCase();
  if (packageRegistries.some((registry) => registry === kind)) return parsePackage(kind as PackageRegistry, words);
  const url = words.at(-1) ?? '';
  switch (kind) {
    case 'mcp':
      return toMcpRemote(url, words.length > 1 ? words[0] : 'http');
    case 'a2a':
      return { kind, card: url };
    case 'skill':
      return {
        kind,
        url,
        format: words.length > 1 ? words[0] : (formatOf(URL.parse(url)?.pathname ?? url) ?? 'md'),
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
  const format = formatOf(path);
  if (format !== undefined) return { kind: 'skill', url: line, format };
  const file = path.split('/').at(-1)?.toLowerCase() ?? '';
  const isDescription = ['openapi', 'swagger'].some((word) => file.includes(word)) && /\.(?:json|ya?ml)$/.test(file);
  if (isDescription) return { kind: 'openapi', url: line };
  return toMcpRemote(line);
}

/** The format of a skill, by the end of its path. */
function formatOf(path: string): string | undefined {
  const [, ending = ''] = /\.(md|zip|skill|t?gz)$/i.exec(path) ?? [];
  const formats: Record<string, string> = { md: 'md', zip: 'zip', skill: 'zip', gz: 'gzip', tgz: 'gzip' };
  return formats[ending.toLowerCase()];
}

/** A remote MCP server; without a transport, by how such addresses end. */
export function toMcpRemote(url: string, transport?: string) {
  const isSse = /\/sse\/?$/.test(URL.parse(url)?.pathname ?? '');
  const named = transport?.toLowerCase() ?? (isSse ? 'sse' : 'http');
  const isHttp = /^(?:http|streamable-?http|http-(?:only|first))$/.test(named);
  return { kind: 'mcp', transport: isHttp ? 'streamable-http' : named.replace(/^sse-(?:only|first)$/, 'sse'), url };
}
