// Texts and links that connect a client to an MCP server. Each has the alphabet of `connection-faults.ts` only, in which one
// quoted form serves POSIX shells, PowerShell and the command prompt of Windows. Variables and inputs that a client looks up
// are named by `named-servers.ts`; the variable that a package reads is only a key, beside a placeholder or an input.
import { isSafeConnection } from './connection-faults.ts';
import type { Connection } from './connection.ts';
import { fillInput, isFixed, nameServers } from './named-servers.ts';
import type { NamedEntry, NamedInput, NamedServer } from './named-servers.ts';
import { placeholder, toCommand } from './package-command.ts';

/** An MCP server as clients are told of it. */
export type McpServer = NamedServer &
  (
    | { type: 'http' | 'sse'; url: string; command?: never; args?: never }
    | { type: 'stdio'; command: string; args: string[]; url?: never }
  );

/** A text, where it goes, such as a terminal or a file, and the address that opens the client, where it has one. */
type Placed = { place: string; text: string; href?: string };

/** What one client is told of a connection, and the text for Windows, where it is another one. */
export type Snippet = Pick<McpClient, 'client' | 'label'> & Placed & { connection: Connection; windows?: string };

/** A client: what it is told of a server; undefined where it cannot connect to that. */
export type McpClient = {
  client: string;
  label: string;
  /** Whether it does not find `npx` on Windows, which is a script there. */
  wrapsScripts?: true;
  build: (server: McpServer) => Placed | undefined;
};

/** The snippets of clients for the MCP servers of an entry. None for a connection that an older version stored. */
export function buildSnippets(entry: NamedEntry, clients: readonly McpClient[]): Snippet[] {
  return listServers(entry).flatMap(({ server, windows }) =>
    clients.flatMap(({ client, label, wrapsScripts, build }) => {
      const placed = build(server);
      const wrapped = wrapsScripts && windows && build(windows)?.text;
      const { connection } = server;
      return placed ? [{ client, label, connection, ...placed, ...(wrapped && { windows: wrapped }) }] : [];
    }),
  );
}

/** The MCP servers of an entry as clients are told of them, with their form for Windows where that is another one. */
export function listServers(entry: NamedEntry): { server: McpServer; windows?: McpServer }[] {
  return nameServers(entry).flatMap((named) => {
    const server = toServer(named);
    if (server?.command !== 'npx') return server ? [{ server }] : [];
    return [{ server, windows: { ...server, command: 'cmd', args: ['/c', server.command, ...server.args] } }];
  });
}

/** A named connection as clients are told of it; undefined if it must not be offered, or is a file that a client opens. */
function toServer(named: NamedServer): McpServer | undefined {
  const { connection } = named;
  if (!isSafeConnection(connection)) return undefined;
  const server = { ...named, inputs: named.inputs.filter((input) => input.required || isFixed(input)) };
  // Other names of RFC 9110 are no words to shells and clients.
  if (server.inputs.some(({ name }) => !/^\w[\w.-]*$/.test(name))) return undefined;
  if (connection.kind === 'mcp') {
    return { ...server, type: connection.transport === 'sse' ? 'sse' : 'http', url: connection.url };
  }
  const [command, ...args] = toCommand(connection, server.inputs);
  return command === undefined ? undefined : { ...server, type: 'stdio', command, args };
}

type Config = { command?: string; args?: string[]; env?: object; url?: string; headers?: object };

/** How a configuration file describes a server. A value is a reference or a placeholder. */
export function toConfig(server: McpServer, toValue: (input: NamedInput) => string): Config {
  const { type, inputs, command, args, url } = server;
  const values = Object.fromEntries(inputs.map((input) => [input.name, fillInput(input, toValue(input))]));
  const hasValues = inputs.length > 0;
  if (type === 'stdio') return { command, args, ...(hasValues && { env: values }) };
  return { url, ...(hasValues && { headers: values }) };
}

/** What stands for the values of a server in a client that reads its user's variables: those of packages it does not. */
export function toReference({ type }: McpServer): (input: NamedInput) => string {
  return type === 'stdio' ? placeholder : ({ variable }) => `\${env:${variable}}`;
}

function toJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** JSON as base64 of UTF-8. */
export function toBase64(value: unknown): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));
}

/** An entry of a file in which a later server replaces an earlier one of the same name. */
export function inFile(file: string, { name }: McpServer, config: object, key = 'mcpServers'): Placed {
  return { place: `Add to ${file}`, text: toJson({ [key]: { [name]: config } }) };
}

/**
 * A command for every shell. Words with other signs than letters, digits, `_`, `-` and `/` are quoted. Undefined for one that a
 * shell changes in quotes: the command prompt expands what stands between two `%`, and PowerShell hands `&` to a script bare.
 */
function inTerminal(...words: readonly string[]): Placed | undefined {
  const decoded = words.map(decodeLetters);
  if (/[&"$`\\!]|%.*%/.test(decoded.join(' '))) return undefined;
  const text = decoded.map((word) => (/^[\w/-]+$/.test(word) ? word : `"${word}"`)).join(' ');
  return { place: 'Run in a terminal', text };
}

/** Decodes the escapes of letters outside ASCII; not of invisible ones, nor of modifiers, which old programs read as quotes. */
export function decodeLetters(text: string): string {
  return text.replaceAll(/%[c-f][\da-f](?:%[89ab][\da-f])+/gi, (escape) => {
    try {
      const letter = decodeURIComponent(escape);
      return /^(?!\p{Default_Ignorable_Code_Point})[\p{Ll}\p{Lu}\p{Lo}]$/u.test(letter) ? letter : escape;
    } catch {
      // Not UTF-8.
      return escape;
    }
  });
}

/** The words of the command that adds a server to a client, whose options come before or after the name. */
function addCommand(program: string, server: McpServer, order: 'options' | 'name'): string[] {
  const { name, type, inputs } = server;
  if (type === 'stdio') {
    const env = inputs.flatMap((input) => ['--env', `${input.name}=${fillInput(input, placeholder(input))}`]);
    const options = order === 'name' ? [name, ...env] : [...env, '--transport', 'stdio', name];
    return [program, 'mcp', 'add', ...options, '--', server.command, ...server.args];
  }
  const headers = inputs.flatMap((input) => ['--header', `${input.name}: ${fillInput(input, placeholder(input))}`]);
  const place = order === 'name' ? [...headers, name, server.url] : [name, server.url, ...headers];
  return [program, 'mcp', 'add', '--transport', type, ...place];
}

/** The clients of the first choice, in the order of their menu. */
export const mcpClients: readonly McpClient[] = [
  {
    client: 'vscode',
    label: 'VS Code',
    build(server) {
      const { name, type } = server;
      const config = { type, ...toConfig(server, ({ inputId }) => `\${input:${inputId}}`) };
      const asked = server.inputs.filter((input) => !isFixed(input));
      const inputs = asked.map(({ inputId, description, secret }) => {
        return { type: 'promptString', id: inputId, description, password: secret };
      });
      const prompts = inputs.length > 0 && { inputs };
      return {
        place: 'Add to .vscode/mcp.json',
        text: toJson({ servers: { [name]: config }, ...prompts }),
        href: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...config, ...prompts }))}`,
      };
    },
  },
  {
    client: 'cursor',
    label: 'Cursor',
    build(server) {
      const config = toConfig(server, toReference(server));
      const query = `name=${server.name}&config=${encodeURIComponent(toBase64(config))}`;
      return {
        ...inFile('~/.cursor/mcp.json', server, config),
        href: `cursor://anysphere.cursor-deeplink/mcp/install?${query}`,
      };
    },
  },
  {
    client: 'claude-code',
    label: 'Claude Code',
    wrapsScripts: true,
    build: (server) =>
      inTerminal(...addCommand('claude', server, 'options')) ??
      inFile('.mcp.json', server, { type: server.type, ...toConfig(server, placeholder) }),
  },
  {
    client: 'codex',
    label: 'Codex',
    build(server) {
      const { name, type, inputs } = server;
      if (type === 'stdio') return inTerminal(...addCommand('codex', server, 'name'));
      if (type === 'sse') return undefined;
      // Codex sends it after "Bearer", so it is another value than the whole header of other clients.
      const isBearer = ({ name: header, value = 'Bearer {}' }: NamedInput) =>
        /^authorization$/i.test(header) && value.startsWith('Bearer {');
      const [first] = inputs;
      const token =
        first && inputs.length === 1 && isBearer(first) && first.variable.replace(/AUTHORIZATION$/, 'TOKEN');
      const option = token ? ['--bearer-token-env-var', token] : [];
      const command = inTerminal('codex', 'mcp', 'add', name, '--url', server.url, ...option);
      if (command && (inputs.length === 0 || token)) return command;
      const fixed = inputs.filter(isFixed).map(({ name: header, value }) => `"${header}" = "${value}"`);
      const asked = inputs.filter((input) => !isFixed(input)).map((input) => `"${input.name}" = "${input.variable}"`);
      const headers = asked.length > 0 ? [`env_http_headers = { ${asked.join(', ')} }`] : [];
      const lines = [
        `[mcp_servers.${name}]`,
        `url = "${server.url}"`,
        ...(fixed.length > 0 ? [`http_headers = { ${fixed.join(', ')} }`] : []),
        ...(token ? [`bearer_token_env_var = "${token}"`] : headers),
      ];
      return { place: 'Add to ~/.codex/config.toml', text: lines.join('\n') };
    },
  },
  {
    client: 'gemini',
    label: 'Gemini CLI',
    build(server) {
      const command = server.type !== 'stdio' && inTerminal(...addCommand('gemini', server, 'name'));
      if (command) return command;
      const { url, ...config } = toConfig(server, placeholder);
      const address = url !== undefined && { [server.type === 'sse' ? 'url' : 'httpUrl']: url };
      return inFile('~/.gemini/settings.json', server, { ...address, ...config });
    },
  },
  {
    client: 'copilot',
    label: 'Copilot CLI',
    build: (server) =>
      inTerminal(...addCommand('copilot', server, 'name')) ??
      inFile('~/.copilot/mcp-config.json', server, {
        type: server.type,
        ...toConfig(server, placeholder),
        tools: ['*'],
      }),
  },
  {
    client: 'json',
    label: 'JSON',
    wrapsScripts: true,
    build: (server) =>
      inFile('the file of another client', server, { type: server.type, ...toConfig(server, placeholder) }),
  },
];
