import { toGraphemes } from '../characters.ts';
import { expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { readServerJson } from './read-server-json.ts';
import { toServerJson } from './server-json.ts';

const key = { description: 'Key from your account', isRequired: true, isSecret: true };
const keyOf = (inputId: string) => ({ ...key, value: `{${inputId}}`, variables: { [inputId]: key } });
const input = { description: 'Key from your account', required: true, secret: true };
const connections: Connection[] = [
  { kind: 'a2a', card: 'https://tides.example.com/.well-known/agent-card.json' },
  { kind: 'mcp', transport: 'sse', url: 'https://tides.example.com/sse' },
  {
    kind: 'mcp',
    transport: 'streamable-http',
    url: 'https://tides.example.com/mcp',
    headers: [{ name: 'X-Api-Key', ...input }],
  },
  {
    kind: 'mcp-package',
    registry: 'npm',
    identifier: '@example/tides',
    version: '1.4.0',
    environment: [{ name: 'TIDES_KEY', ...input }],
  },
  { kind: 'mcp-package', registry: 'oci', identifier: 'ghcr.io/example/tides:1.4.0' },
  {
    kind: 'mcp-package',
    registry: 'mcpb',
    identifier: 'https://github.com/example/tides-mcp/releases/download/v1/tides.mcpb',
    sha256: 'ab'.repeat(32),
  },
];
const agent = {
  id: '3f2b8c1e-0000-4000-8000-000000000000',
  name: 'Tides',
  description: 'High water for 400 ports',
  website: 'https://tides.example.com/',
  connections,
};
const server = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: 'example.registry/tides-3f2b8c1e',
  title: 'Tides',
  description: 'High water for 400 ports',
  version: '0.20261126.181500',
  websiteUrl: 'https://tides.example.com/',
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://tides.example.com/mcp',
      headers: [{ name: 'X-Api-Key', ...keyOf('tides-3f2b8c1e-2-x-api-key') }],
    },
    { type: 'sse', url: 'https://tides.example.com/sse' },
  ],
  packages: [
    {
      registryType: 'npm',
      identifier: '@example/tides',
      version: '1.4.0',
      runtimeHint: 'npx',
      runtimeArguments: [{ type: 'positional', value: '-y' }],
      transport: { type: 'stdio' },
      environmentVariables: [{ name: 'TIDES_KEY', ...keyOf('tides-3f2b8c1e-3-tides-key') }],
    },
    {
      registryType: 'oci',
      identifier: 'ghcr.io/example/tides:1.4.0',
      runtimeHint: 'docker',
      transport: { type: 'stdio' },
    },
    {
      registryType: 'mcpb',
      identifier: 'https://github.com/example/tides-mcp/releases/download/v1/tides.mcpb',
      fileSha256: 'ab'.repeat(32),
      transport: { type: 'stdio' },
    },
  ],
};

test('An agent is described as a server', () => {
  expect(toServerJson(agent, server)).toEqual(server);
});

test('Long texts are cut to 100 code points', () => {
  const long = {
    ...agent,
    name: '\u{1F468}\u{200D}\u{1F469}'.repeat(60),
    description: 'a\n b'.repeat(60),
    connections: [],
  };
  const { title, description } = toServerJson(long, server);
  expect([title, description].map((text) => Array.from(text).length)).toEqual([100, 100]);
  // Of 99 code points, each character has three.
  expect(title).toBe(`${'\u{1F468}\u{200D}\u{1F469}'.repeat(33)}…`);
  for (const character of ['\u{1F1EA}\u{1F1EA}', 'e\u0301', '\u1112\u1161\u11AB', '\u0E2B\u0E49']) {
    const cut = toServerJson({ ...long, name: `x${character.repeat(100)}` }, server).title;
    expect([
      toGraphemes(cut)
        .slice(1, -1)
        .every((one) => one === character),
      cut.at(-1),
    ]).toEqual([true, '…']);
  }
  expect(description).toMatch(/^(?:a b)+a?…$/);
});

test('The connections of a description are those it was made of', () => {
  const mcp = connections.filter(({ kind }) => kind.startsWith('mcp'));
  const { connections: read, left } = readServerJson(server);
  const toSet = (list: readonly Connection[]) => new Set(list.map((each) => JSON.stringify(each)));
  expect([toSet(read), left]).toEqual([toSet(mcp), []]);
});
