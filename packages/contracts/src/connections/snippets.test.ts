import { describe, expect, test } from 'vitest';
import { makeAgent } from '../testing/make-agent.ts';
import { isSafeConnection } from './connection-faults.ts';
import type { Connection } from './connection.ts';
import { moreMcpClients } from './more-snippets.ts';
import { buildSnippets, mcpClients, type Snippet } from './snippets.ts';
import { hostileConnections } from './testing/hostile-connections.ts';

const clients = [...mcpClients, ...moreMcpClients];
const header = { name: 'X-Api-Key', description: 'Key "from" <your> account’s $page', required: true, secret: true };
const optional = { name: 'X-Lang', description: 'Language', required: false, secret: false };
const url = 'https://tides.example.com/mcp?a=%20c';
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
  template: { ...open, headers: [{ ...header, name: 'Authorization', value: 'Bearer {key}' }] },
  fixed: { ...open, headers: [{ ...optional, name: 'X-Region', value: 'eu-1' }, header] },
  arguments: {
    ...oci,
    environment: [{ ...optional, name: 'MODE', value: 'high' }],
    runtimeArguments: [
      { type: 'named', name: '--rm' },
      { type: 'named', name: '-e', value: 'MODE' },
    ],
    packageArguments: [
      { type: 'named', name: '--port', value: '80' },
      { type: 'positional', valueHint: 'a folder', isRequired: true },
      { type: 'named', name: '--depth', valueHint: '3' },
    ],
  },
  dnx: {
    kind: 'mcp-package',
    registry: 'nuget',
    identifier: 'Example.Tides',
    version: '1.4.0',
    packageArguments: [{ type: 'positional', value: 'mcp' }],
  },
};
/** Connections for which no text is offered. */
const silent: Connection[] = [
  { ...npm, packageArguments: [{ type: 'positional', value: 'a&calc' }] },
  { ...npm, runtimeArguments: [{ type: 'positional', value: '--prefix=/x' }] },
  { ...oci, runtimeArguments: [{ type: 'named', name: '-e', value: 'PASSED_ON' }] },
  ...['$HOME', '%PATH%', "'x", '-x', '`id`'].map((name): Connection => ({ ...open, headers: [{ ...header, name }] })),
];

function snippetsOf(connection: Connection): Snippet[] {
  const id = '3f2b8c1e-0000-4000-8000-000000000000';
  return buildSnippets(makeAgent({ id, name: 'Tides', connections: [connection] }), clients);
}

function snippetOf(connection: Connection, client: string): Snippet | undefined {
  return snippetsOf(connection).find((snippet) => snippet.client === client);
}

const name = 'tides-3f2b8c1e';

test.each([
  ['remote', 'claude-code', `claude mcp add --transport http ${name} "${url}" --header "X-Api-Key: YOUR_X_API_KEY"`],
  ['sse', 'claude-code', `claude mcp add --transport sse ${name} "${url}"`],
  [
    'npm',
    'claude-code',
    `claude mcp add --env "TIDES_KEY=YOUR_TIDES_KEY" --transport stdio ${name} -- npx -y "@example/tides@1.4.0"`,
  ],
  ['pypi', 'codex', `codex mcp add ${name} --env "TIDES_KEY=YOUR_TIDES_KEY" -- uvx "tides==1.4.0"`],
  ['open', 'codex', `codex mcp add ${name} --url "${url}"`],
  ['bearer', 'codex', `codex mcp add ${name} --url "${url}" --bearer-token-env-var TIDES_3F2B8C1E_TOKEN`],
  [
    'remote',
    'codex',
    `[mcp_servers.${name}]\nurl = "${url}"\nenv_http_headers = { "X-Api-Key" = "TIDES_3F2B8C1E_X_API_KEY" }`,
  ],
  ['sse', 'codex', undefined],
  ['template', 'codex', `codex mcp add ${name} --url "${url}" --bearer-token-env-var TIDES_3F2B8C1E_KEY`],
  [
    'template',
    'copilot',
    `copilot mcp add --transport http --header "Authorization: Bearer YOUR_KEY" ${name} "${url}"`,
  ],
  [
    'fixed',
    'codex',
    `[mcp_servers.${name}]\nurl = "${url}"\nhttp_headers = { "X-Region" = "eu-1" }\nenv_http_headers = { "X-Api-Key" = "TIDES_3F2B8C1E_X_API_KEY" }`,
  ],
  [
    'arguments',
    'copilot',
    `copilot mcp add ${name} --env "MODE=high" -- docker run -i --rm -e MODE "ghcr.io/example/tides:1.4.0" --port 80 YOUR_A_FOLDER`,
  ],
  ['dnx', 'codex', `codex mcp add ${name} -- dnx "Example.Tides@1.4.0" --yes -- mcp`],
  ['remote', 'gemini', `gemini mcp add --transport http --header "X-Api-Key: YOUR_X_API_KEY" ${name} "${url}"`],
  ['remote', 'copilot', `copilot mcp add --transport http --header "X-Api-Key: YOUR_X_API_KEY" ${name} "${url}"`],
  ['nuget', 'copilot', `copilot mcp add ${name} -- dnx "Example.Tides@1.4.0" --yes`],
  [
    'oci',
    'copilot',
    `copilot mcp add ${name} --env "TIDES_KEY=YOUR_TIDES_KEY" -- docker run -i --rm -e TIDES_KEY "ghcr.io/example/tides:1.4.0"`,
  ],
  [
    'open',
    'goose',
    `goose://extension?id=${name}&name=${name}&description=${name}&url=https%3A%2F%2Ftides.example.com%2Fmcp%3Fa%3D%2520c&type=streamable_http`,
  ],
  [
    'npm',
    'goose',
    `extensions:\n  ${name}: {"name":"${name}","type":"stdio","cmd":"npx","args":["-y","@example/tides@1.4.0"],"envs":{"TIDES_KEY":"YOUR_TIDES_KEY"},"enabled":true}`,
  ],
  ['remote', 'claude-desktop', undefined],
] as const)('%s for %s', (variant, client, text) => {
  expect(snippetOf(variants[variant]!, client)?.text).toBe(text);
});

test.each([
  ['claude-code', { type: 'http', url: `${url}&b=1`, headers: { 'X-Api-Key': 'YOUR_X_API_KEY' } }],
  ['gemini', { httpUrl: `${url}&b=1`, headers: { 'X-Api-Key': 'YOUR_X_API_KEY' } }],
  ['copilot', { type: 'http', url: `${url}&b=1`, headers: { 'X-Api-Key': 'YOUR_X_API_KEY' }, tools: ['*'] }],
])('An address that a shell of Windows changes is in the file of %s', (client, config) => {
  const { place, text } = snippetOf({ ...remote, url: `${url}&b=1` }, client)!;
  expect(place).toMatch(/^Add to /);
  expect(JSON.parse(text)).toEqual({ mcpServers: { [name]: config } });
});

test.each([
  [open, `url = "${url}&b=1"`],
  [variants.bearer!, `url = "${url}&b=1"\nbearer_token_env_var = "TIDES_3F2B8C1E_TOKEN"`],
])('and in that of Codex', (connection, lines) => {
  expect(snippetOf({ ...connection, url: `${url}&b=1` } as Connection, 'codex')?.text).toBe(
    `[mcp_servers.${name}]\n${lines}`,
  );
});

test.each<[string, string]>([
  ['/caf%C3%A9/%E6%BD%AE%E6%B1%90', '/café/潮汐'],
  ['/%e6%bd%ae/%D0%A8%20', '/潮/Ш%20'],
  ['/%F0%9D%94%98', '/𝔘'],
  // An invisible letter, a modifier that is a quote to old programs, a quotation mark, an overlong slash, and half a letter.
  ...['/%E3%85%A4', '/%CA%BA', '/%E2%80%9D', '/%C0%AF', '/%C3', '/%41', '/%24', '/%22'].map(
    (path): [string, string] => [path, path],
  ),
])('A command prints the letters of %s', (path, printed) => {
  const address = `https://tides.example.com${path}`;
  const parts = printed.match(/%/g) ?? [];
  const { place, text } = snippetOf({ ...open, url: address }, 'claude-code')!;
  if (parts.length < 2)
    expect(text).toBe(`claude mcp add --transport http ${name} "https://tides.example.com${printed}"`);
  else expect(place).toBe('Add to .mcp.json');
});

test.each(['%DATABASE_URL%41', '%DEEPSEEK_API_KEY:~0,99%20', 'a%20b%20c'])('No command has the address %s', (path) => {
  const snippets = snippetsOf({ ...open, url: `https://tides.example.com/${path}` });
  expect(snippets.map(({ client }) => client)).toEqual(clients.map(({ client }) => client));
  expect(snippets.filter(({ place }) => place === 'Run in a terminal')).toEqual([]);
});

test('Clients that do not find scripts on Windows have a text for it, where a package is of npm', () => {
  const texts = (connection: Connection) =>
    Object.fromEntries(snippetsOf(connection).flatMap(({ client, windows }) => (windows ? [[client, windows]] : [])));
  const { json = '', ...others } = texts(npm);
  expect(Object.keys(others)).toEqual(['claude-code', 'claude-desktop']);
  expect(others['claude-code']).toMatch(/ -- cmd \/c npx -y "@example\/tides@1\.4\.0"$/);
  expect(JSON.parse(json)).toMatchObject({
    mcpServers: { [name]: { command: 'cmd', args: ['/c', 'npx', '-y', '@example/tides@1.4.0'] } },
  });
  for (const connection of [oci, open, variants.pypi!]) expect(texts(connection)).toEqual({});
});

test('VS Code is told of a server and asks for its secrets', () => {
  const { href = '' } = snippetOf(remote, 'vscode') ?? {};
  expect(JSON.parse(decodeURIComponent(href.slice('vscode:mcp/install?'.length)))).toEqual({
    name,
    type: 'http',
    url,
    headers: { 'X-Api-Key': `\${input:${name}-x-api-key}` },
    inputs: [{ type: 'promptString', id: `${name}-x-api-key`, description: header.description, password: true }],
  });
});

test('Cursor and LM Studio are told of a server in base64', () => {
  for (const client of ['cursor', 'lm-studio']) {
    const { href = '' } = snippetOf(npm, client) ?? {};
    const config: unknown = JSON.parse(atob(new URL(href).searchParams.get('config') ?? ''));
    expect(config).toMatchObject({ command: 'npx', args: ['-y', '@example/tides@1.4.0'] });
  }
});

describe('Every snippet', () => {
  const snippets = Object.values(variants).flatMap(snippetsOf);
  const schemes =
    /^(?:vscode:mcp\/install\?|cursor:\/\/anysphere\.cursor-deeplink\/mcp\/install\?|goose:\/\/extension\?|lmstudio:\/\/add_mcp\?)/;

  test('is JSON, TOML, an address or a command whose words a shell keeps', () => {
    for (const { text, place } of snippets) {
      if (/^(?:[{[]|extensions:)/.test(text)) continue;
      expect(text).toMatch(/^[ -~]+$/);
      if (!place.startsWith('Run') || text.startsWith('code ')) continue;
      for (const word of text.match(/"[^"]*"|\S+/g) ?? []) expect(word).toMatch(/^(?:[\w/-]+|"[^"$`\\!]*")$/);
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
    expect(snippetsOf(connection as Connection)).toEqual([]);
  },
);

test.each(silent)('no client is offered %j', (connection) => {
  expect(isSafeConnection(connection)).toBe(true);
  expect(snippetsOf(connection)).toEqual([]);
});

test('VS Code and Cursor ask for what stands in a template, and get what is fixed', () => {
  const textOf = (variant: string, client: string) => snippetOf(variants[variant]!, client)?.text;
  expect(textOf('template', 'vscode')).toContain('"Authorization": "Bearer ${input:tides-3f2b8c1e-key}"');
  expect(textOf('template', 'cursor')).toContain('"Authorization": "Bearer ${env:TIDES_3F2B8C1E_KEY}"');
  expect(textOf('fixed', 'vscode')).toContain('"X-Region": "eu-1"');
  expect(textOf('fixed', 'vscode')?.match(/promptString/g)).toHaveLength(1);
});
