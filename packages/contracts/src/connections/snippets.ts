// What one pastes or opens to connect a client to an MCP server. Everything in it has the alphabet of `connection-faults.ts`,
// in which one quoted form serves POSIX shells, PowerShell and the command prompt of Windows.
import { isSafeConnection } from './connection-faults.ts';
import { inputsOf, type Connection, type ConnectionInput } from './connection.ts';

/** How to connect a client. */
export type Snippet = {
  client: string;
  label: string;
  /** Where the text goes, such as a terminal or a file. */
  place: string;
  text: string;
  /** The address that opens the client, where it has one. */
  href?: string;
};

/** An MCP server as clients are told of it. */
export type McpServer = {
  /** The name under which the client keeps it: `[a-z0-9-]`. */
  name: string;
  /** The headers or variables that a client needs. */
  inputs: readonly (ConnectionInput & { variable: string })[];
} & (
  | { type: 'http' | 'sse'; url: string; command?: never }
  | { type: 'stdio'; command: string; args: string[]; url?: never }
);

/** A client: what it is told of a server; undefined where it cannot connect to that. */
export type McpClient = {
  client: string;
  label: string;
  build: (server: McpServer) => Omit<Snippet, 'client' | 'label'> | undefined;
};

/** The snippets of clients for a connection, by a local name. None for a connection that an older version stored. */
export function buildSnippets(connection: Connection, name: string, clients: readonly McpClient[]): Snippet[] {
  const server = toServer(connection, name);
  if (!server) return [];
  return clients.flatMap(({ client, label, build }) => {
    const snippet = build(server);
    return snippet ? [{ client, label, ...snippet }] : [];
  });
}

/** The local name of an agent: its name in the letters that every client takes. */
export function toLocalName(name: string, max = 40): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-');
  return slug.replace(/^-/, '').slice(0, max).replace(/-$/, '') || 'agent';
}

/** What runs a package, with its arguments; undefined for a file that a client opens. */
function toCommand(connection: Extract<Connection, { kind: 'mcp-package' }>): [string, ...string[]] | undefined {
  const { registry, identifier, version = '' } = connection;
  const variables = requiredOf(connection).flatMap(({ name }) => ['-e', name]);
  if (registry === 'npm') return ['npx', '-y', `${identifier}@${version}`];
  if (registry === 'pypi') return ['uvx', `${identifier}==${version}`];
  if (registry === 'nuget') return ['dnx', `${identifier}@${version}`, '--yes'];
  return registry === 'oci' ? ['docker', 'run', '-i', '--rm', ...variables, identifier] : undefined;
}

/** A connection as an MCP server; undefined if it is none, or must not be offered. */
function toServer(connection: Connection, name: string): McpServer | undefined {
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name) || !isSafeConnection(connection)) return undefined;
  const inputs = requiredOf(connection).map((input) => ({
    ...input,
    variable: input.name.replaceAll('-', '_').toUpperCase(),
  }));
  if (connection.kind === 'mcp') {
    return { name, inputs, type: connection.transport === 'sse' ? 'sse' : 'http', url: connection.url };
  }
  const [command, ...args] = (connection.kind === 'mcp-package' && toCommand(connection)) || [];
  return command === undefined ? undefined : { name, inputs, type: 'stdio', command, args };
}

function requiredOf(connection: Connection): ConnectionInput[] {
  return inputsOf(connection).filter(({ required }) => required);
}

/** The values of a server's inputs by their names. A value is a reference or a placeholder. */
export function toValues(
  { inputs }: McpServer,
  toValue: (input: McpServer['inputs'][number]) => string,
): Record<string, string> | undefined {
  return inputs.length > 0 ? Object.fromEntries(inputs.map((input) => [input.name, toValue(input)])) : undefined;
}

/** How a configuration file describes a server. */
export function toConfig(server: McpServer, toValue: (input: McpServer['inputs'][number]) => string) {
  const values = toValues(server, toValue);
  if (server.type === 'stdio') return { command: server.command, args: server.args, ...(values && { env: values }) };
  return { url: server.url, ...(values && { headers: values }) };
}

/** JSON that people read. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** A placeholder for the value of an input. */
export function placeholder({ variable }: { variable: string }): string {
  return `YOUR_${variable}`;
}

/** JSON as base64 of UTF-8. */
export function toBase64(value: unknown): string {
  return btoa(
    Array.from(new TextEncoder().encode(JSON.stringify(value)), (byte) => String.fromCharCode(byte)).join(''),
  );
}

/** The words of a command. Words with other signs than letters, digits, `_` and `-` are quoted. */
function toShell(...words: readonly string[]): string {
  return words.map((word) => (/^[\w-]+$/.test(word) ? word : `"${word}"`)).join(' ');
}

/** The command that adds a server to a client, whose options come before or after the name. */
function addCommand(program: string, server: McpServer, order: 'options' | 'name') {
  const { name, type, inputs } = server;
  if (type === 'stdio') {
    const env = inputs.flatMap((input) => ['--env', `${input.name}=${placeholder(input)}`]);
    const options = order === 'name' ? [name, ...env] : [...env, '--transport', 'stdio', name];
    return toShell(program, 'mcp', 'add', ...options, '--', server.command, ...server.args);
  }
  const headers = inputs.flatMap((input) => ['--header', `${input.name}: ${placeholder(input)}`]);
  const place = order === 'name' ? [...headers, name, server.url] : [name, server.url, ...headers];
  return toShell(program, 'mcp', 'add', '--transport', type, ...place);
}

const TERMINAL = 'Run in a terminal';

/** The clients of the first choice, in the order of their menu. */
export const mcpClients: readonly McpClient[] = [
  {
    client: 'vscode',
    label: 'VS Code',
    build(server) {
      const { name, type } = server;
      const config = { type, ...toConfig(server, ({ variable }) => `\${input:${variable.toLowerCase()}}`) };
      const inputs = server.inputs.map(({ variable, description, secret }) => ({
        type: 'promptString',
        id: variable.toLowerCase(),
        description,
        password: secret,
      }));
      const asked = inputs.length > 0 && { inputs };
      return {
        place: 'Add to .vscode/mcp.json',
        text: toJson({ servers: { [name]: config }, ...asked }),
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config, ...asked }))}`,
      };
    },
  },
  {
    client: 'cursor',
    label: 'Cursor',
    build(server) {
      const config = toConfig(server, ({ variable }) => `\${env:${variable}}`);
      const query = `name=${server.name}&config=${encodeURIComponent(toBase64(config))}`;
      return {
        place: 'Add to ~/.cursor/mcp.json',
        text: toJson({ mcpServers: { [server.name]: config } }),
        href: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      };
    },
  },
  {
    client: 'claude-code',
    label: 'Claude Code',
    build: (server) => ({ place: TERMINAL, text: addCommand('claude', server, 'options') }),
  },
  {
    client: 'codex',
    label: 'Codex',
    build(server) {
      const { name, type, inputs } = server;
      if (type === 'stdio') return { place: TERMINAL, text: addCommand('codex', server, 'name') };
      if (type === 'sse') return undefined;
      const [input, ...others] = inputs;
      const isBearer = input?.name.toLowerCase() === 'authorization' && others.length === 0;
      if (!input || isBearer) {
        const bearer = input ? ['--bearer-token-env-var', input.variable] : [];
        return {
          place: TERMINAL,
          text: `${toShell('codex', 'mcp', 'add', name, '--url')} ${toShell(server.url, ...bearer)}`,
        };
      }
      const headers = inputs.map(({ name: header, variable }) => `"${header}" = "${variable}"`);
      const text = `[mcp_servers.${name}]\nurl = "${server.url}"\nenv_http_headers = { ${headers.join(', ')} }`;
      return { place: 'Add to ~/.codex/config.toml', text };
    },
  },
  {
    client: 'gemini',
    label: 'Gemini CLI',
    build(server) {
      if (server.type !== 'stdio') return { place: TERMINAL, text: addCommand('gemini', server, 'name') };
      const config = toConfig(server, ({ variable }) => `$${variable}`);
      return { place: 'Add to ~/.gemini/settings.json', text: toJson({ mcpServers: { [server.name]: config } }) };
    },
  },
  {
    client: 'copilot',
    label: 'Copilot CLI',
    build: (server) => ({ place: TERMINAL, text: addCommand('copilot', server, 'name') }),
  },
  {
    client: 'json',
    label: 'JSON',
    build: (server) => ({
      place: 'Add to the file of another client',
      text: toJson({ mcpServers: { [server.name]: { type: server.type, ...toConfig(server, placeholder) } } }),
    }),
  },
];
