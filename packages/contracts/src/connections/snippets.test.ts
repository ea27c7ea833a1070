import { describe, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { moreMcpClients } from './more-snippets.ts';
import { buildSnippets, mcpClients, toLocalName } from './snippets.ts';
import { hostileConnections } from './testing/hostile-connections.ts';

const clients = [...mcpClients, ...moreMcpClients];
const header = { name: 'X-Api-Key', description: 'Key "from" <your> account’s $page', required: true, secret: true };
const optional = { name: 'X-Lang', description: 'Language', required: false, secret: false };
const url = 'https://tides.example.com/mcp?a=1&b=%20c';
const remote: Connection = { kind: 'mcp', transport: 'streamable-http', url, headers: [header, optional] };
const open: Connection = { kind: 'mcp', transport: 'streamable-http', url };
const npm: Connection = {
  kind: 'mcp-package',
  registry: 'npm',
  identifier: '@example/tides',
  version: '1.4.0',
  environment: [{ ...header, name: 'TIDES_KEY' }],
};
const oci: Connection = { ...npm, registry: 'oci', identifier: 'ghcr.io/example/tides:1.4.0', version: undefined };
const variants: Record<string, Connection> = {
  remote,
  open,
  sse: { ...open, transport: 'sse' },
  bearer: { ...open, headers: [{ ...header, name: 'Authorization' }] },
  npm,
  pypi: { ...npm, registry: 'pypi', identifier: 'tides' },
  nuget: { ...npm, registry: 'nuget', identifier: 'Example.Tides', environment: [] },
  oci,
};

function textOf(connection: Connection, client: string): string | undefined {
  return buildSnippets(connection, 'tides', clients).find((snippet) => snippet.client === client)?.text;
}

test.each([
  ['remote', 'claude-code', `claude mcp add --transport http tides "${url}" --header "X-Api-Key: YOUR_X_API_KEY"`],
  ['sse', 'claude-code', `claude mcp add --transport sse tides "${url}"`],
  [
    'npm',
    'claude-code',
    'claude mcp add --env "TIDES_KEY=YOUR_TIDES_KEY" --transport stdio tides -- npx -y "@example/tides@1.4.0"',
  ],
  ['pypi', 'codex', 'codex mcp add tides --env "TIDES_KEY=YOUR_TIDES_KEY" -- uvx "tides==1.4.0"'],
  ['open', 'codex', `codex mcp add tides --url "${url}"`],
  ['bearer', 'codex', `codex mcp add tides --url "${url}" --bearer-token-env-var AUTHORIZATION`],
  ['remote', 'codex', `[mcp_servers.tides]\nurl = "${url}"\nenv_http_headers = { "X-Api-Key" = "X_API_KEY" }`],
  ['sse', 'codex', undefined],
  ['remote', 'gemini', `gemini mcp add --transport http --header "X-Api-Key: YOUR_X_API_KEY" tides "${url}"`],
  ['remote', 'copilot', `copilot mcp add --transport http --header "X-Api-Key: YOUR_X_API_KEY" tides "${url}"`],
  ['nuget', 'copilot', 'copilot mcp add tides -- dnx "Example.Tides@1.4.0" --yes'],
  [
    'oci',
    'copilot',
    'copilot mcp add tides --env "TIDES_KEY=YOUR_TIDES_KEY" -- docker run -i --rm -e TIDES_KEY "ghcr.io/example/tides:1.4.0"',
  ],
  [
    'open',
    'goose',
    'goose://extension?id=tides&name=tides&description=tides&url=https%3A%2F%2Ftides.example.com%2Fmcp%3Fa%3D1%26b%3D%2520c&type=streamable_http',
  ],
  ['remote', 'claude-desktop', undefined],
] as const)('%s for %s', (name, client, text) => {
  expect(textOf(variants[name]!, client)).toBe(text);
});

test('VS Code is told of a server and asks for its secrets', () => {
  const { href = '' } = buildSnippets(remote, 'tides', clients).find(({ client }) => client === 'vscode') ?? {};
  expect(JSON.parse(decodeURIComponent(href.slice('vscode:mcp/install?'.length)))).toEqual({
    name: 'tides',
    type: 'http',
    url,
    headers: { 'X-Api-Key': '${input:x_api_key}' },
    inputs: [{ type: 'promptString', id: 'x_api_key', description: header.description, password: true }],
  });
});

test('Cursor and LM Studio are told of a server in base64', () => {
  for (const client of ['cursor', 'lm-studio']) {
    const { href = '' } = buildSnippets(npm, 'tides', clients).find((snippet) => snippet.client === client) ?? {};
    const config: unknown = JSON.parse(atob(new URL(href).searchParams.get('config') ?? ''));
    expect(config).toMatchObject({ command: 'npx', args: ['-y', '@example/tides@1.4.0'] });
  }
});

describe('Every snippet', () => {
  const snippets = Object.values(variants).flatMap((connection) => buildSnippets(connection, 'tides', clients));
  const schemes =
    /^(?:vscode:mcp\/install\?|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|goose:\/\/extension\?|lmstudio:\/\/add_mcp\?)/;

  test('is JSON, TOML, an address or a command whose words a shell keeps', () => {
    for (const { text, place } of snippets) {
      if (/^[{[]/.test(text)) continue;
      expect(text).toMatch(/^[ -~]+$/);
      if (!place.startsWith('Run') || text.startsWith('code ')) continue;
      for (const word of text.match(/"[^"]*"|\S+/g) ?? []) expect(word).toMatch(/^(?:[\w-]+|"[^"$`\\!]*")$/);
    }
  });

  test('that is JSON can be parsed, and links have one of four schemes and escaped parameters', () => {
    for (const { text, href } of snippets) {
      if (text.startsWith('{')) JSON.parse(text);
      if (href === undefined) continue;
      expect(href).toMatch(schemes);
      expect(href).toMatch(/^[\w:/?=&.%!'()*~-]+$/);
    }
  });
});

test.each(hostileConnections.filter(({ isWellFormed }) => isWellFormed))(
  'No snippet and no link for what an older version stored: $connection',
  ({ connection }) => {
    expect(buildSnippets(connection as Connection, 'tides', clients)).toEqual([]);
  },
);

test.each(['', '-y', 'A', 'a b', 'a"b', 'x'.repeat(41)])('No snippet for the local name "%s"', (name) => {
  expect(buildSnippets(open, name, clients)).toEqual([]);
});

test.each([
  ['Front Desk', 'front-desk'],
  ['Café – Müller!', 'cafe-muller'],
  ['潮汐', 'agent'],
  [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
  ['-y', 'y'],
])('The local name of %s', (name, local) => {
  expect(toLocalName(name)).toBe(local);
});
