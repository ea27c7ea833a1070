import { placeholder } from './package-command.ts';
import { decodeLetters, inFile, toBase64, toConfig, toReference, type McpClient } from './snippets.ts';

/** The clients of the second choice, in the order of their menu. */
export const moreMcpClients: readonly McpClient[] = [
  {
    client: 'vscode-cli',
    label: 'VS Code CLI',
    build(server) {
      const config = { name: server.name, type: server.type, ...toConfig(server, placeholder) };
      const text = `code --add-mcp '${decodeLetters(JSON.stringify(config))}'`;
      return { place: 'Run in a terminal of Linux or macOS', text };
    },
  },
  {
    client: 'claude-desktop',
    label: 'Claude Desktop',
    wrapsScripts: true,
    build(server) {
      if (server.type === 'stdio') return inFile('claude_desktop_config.json', server, toConfig(server, placeholder));
      // Its connectors send no headers.
      return server.inputs.length > 0 ? undefined : { place: 'Add in Settings, Connectors', text: server.url };
    },
  },
  {
    client: 'goose',
    label: 'Goose',
    build(server) {
      const { name, type, command, args = [], url, inputs } = server;
      if (inputs.length > 0) {
        // A link with variables makes it look for each in its secrets and its environment; a file does not.
        if (type !== 'stdio') return undefined;
        const { env: envs } = toConfig(server, placeholder);
        const extension = { name, type, cmd: command, args, envs, enabled: true };
        return {
          place: 'Add to ~/.config/goose/config.yaml',
          text: `extensions:\n  ${name}: ${JSON.stringify(extension)}`,
        };
      }
      const query = new URLSearchParams({ id: name, name, description: name });
      if (type === 'stdio') {
        query.set('cmd', command);
        for (const arg of args) query.append('arg', arg);
      } else {
        query.set('url', url);
        query.set('type', type === 'sse' ? 'sse' : 'streamable_http');
      }
      const href = `goose://extension?${query.toString().replaceAll('+', '%20')}`;
      return { place: 'Open', text: href, href };
    },
  },
  {
    client: 'lm-studio',
    label: 'LM Studio',
    build(server) {
      const config = toConfig(server, placeholder);
      return {
        ...inFile('mcp.json', server, config),
        href: `lmstudio://add_mcp?name=${server.name}&config=${encodeURIComponent(toBase64(config))}`,
      };
    },
  },
  {
    client: 'windsurf',
    label: 'Windsurf',
    build(server) {
      const { url, ...config } = toConfig(server, toReference(server));
      return inFile('mcp_config.json', server, { ...(url !== undefined && { serverUrl: url }), ...config });
    },
  },
  {
    client: 'zed',
    label: 'Zed',
    build: (server) => inFile('settings.json', server, toConfig(server, placeholder), 'context_servers'),
  },
  {
    client: 'jetbrains',
    label: 'JetBrains',
    build: (server) => ({
      ...inFile('', server, toConfig(server, placeholder)),
      place: 'Add in Settings, AI Assistant, MCP',
    }),
  },
];
