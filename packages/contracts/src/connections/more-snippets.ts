import { placeholder, toBase64, toConfig, toJson, toValues, type McpClient } from './snippets.ts';

/** The clients of the second choice, in the order of their menu. */
export const moreMcpClients: readonly McpClient[] = [
  {
    client: 'vscode-cli',
    label: 'VS Code CLI',
    build(server) {
      const config = { name: server.name, type: server.type, ...toConfig(server, placeholder) };
      return { place: 'Run in a terminal of Linux or macOS', text: `code --add-mcp '${JSON.stringify(config)}'` };
    },
  },
  {
    client: 'claude-desktop',
    label: 'Claude Desktop',
    build(server) {
      if (server.type === 'stdio') {
        const text = toJson({ mcpServers: { [server.name]: toConfig(server, placeholder) } });
        return { place: 'Add to claude_desktop_config.json', text };
      }
      // Its connectors send no headers.
      return server.inputs.length > 0 ? undefined : { place: 'Add in Settings, Connectors', text: server.url };
    },
  },
  {
    client: 'goose',
    label: 'Goose',
    build(server) {
      const { name, inputs } = server;
      const query = new URLSearchParams({ id: name, name, description: name });
      if (server.type === 'stdio') {
        query.set('cmd', server.command);
        for (const arg of server.args) query.append('arg', arg);
        for (const input of inputs) query.append('env', `${input.name}=`);
      } else {
        if (inputs.length > 0) return undefined;
        query.set('url', server.url);
        query.set('type', server.type === 'sse' ? 'sse' : 'streamable_http');
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
        place: 'Add to mcp.json',
        text: toJson({ mcpServers: { [server.name]: config } }),
        href: `lmstudio://add_mcp?name=${server.name}&config=${encodeURIComponent(toBase64(config))}`,
      };
    },
  },
  {
    client: 'windsurf',
    label: 'Windsurf',
    build(server) {
      const values = toValues(server, ({ variable }) => `\${env:${variable}}`);
      const config =
        server.type === 'stdio'
          ? { command: server.command, args: server.args, ...(values && { env: values }) }
          : { serverUrl: server.url, ...(values && { headers: values }) };
      return { place: 'Add to mcp_config.json', text: toJson({ mcpServers: { [server.name]: config } }) };
    },
  },
  {
    client: 'zed',
    label: 'Zed',
    build: (server) => ({
      place: 'Add to settings.json',
      text: toJson({ context_servers: { [server.name]: toConfig(server, placeholder) } }),
    }),
  },
  {
    client: 'jetbrains',
    label: 'JetBrains',
    build: (server) => ({
      place: 'Add in Settings, AI Assistant, MCP',
      text: toJson({ mcpServers: { [server.name]: toConfig(server, placeholder) } }),
    }),
  },
];
