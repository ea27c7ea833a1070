import { toGraphemes } from '../characters.ts';
import { describe, expect, test } from 'vitest';
import type { Connection } from './connection.ts';
import { fromServerJson, serverJsonSchema, takeConnections, toServerJson, type ServerJson } from './server-json.ts';
import { hostileConnections } from './testing/hostile-connections.ts';

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
  expect(serverJsonSchema.safeParse(server).success).toBe(true);
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
  expect(new Set(fromServerJson(server as ServerJson).map((each) => JSON.stringify(each)))).toEqual(
    new Set(mcp.map((each) => JSON.stringify(each))),
  );
});

describe('Of a description only connections that can be stored are taken', () => {
  const stdio = { transport: { type: 'stdio' } as const };
  const npm = { registryType: 'npm', identifier: 'tides', version: '1.0.0', ...stdio };
  test.each<[string, Pick<ServerJson, 'remotes' | 'packages'>, unknown[]]>([
    ['a template', { remotes: [{ type: 'sse', url: 'https://{host}/mcp' }] }, []],
    ['http', { remotes: [{ type: 'sse', url: 'http://example.com/mcp' }] }, []],
    [
      'a package with a port of its own',
      { packages: [{ ...npm, transport: { type: 'sse', url: 'http://localhost/' } }] },
      [],
    ],
    ['another registry', { packages: [{ ...npm, registryBaseUrl: 'https://npm.evil.example' }] }, []],
    ['another kind of registry', { packages: [{ ...npm, registryType: 'cargo' }] }, []],
    [
      'its default registry, and arguments',
      {
        packages: [
          { ...npm, registryBaseUrl: 'https://registry.npmjs.org', packageArguments: [{ type: 'named', name: '--x' }] },
        ],
      },
      [{ kind: 'mcp-package', registry: 'npm', identifier: 'tides', version: '1.0.0' }],
    ],
    [
      'an image with a version',
      { packages: [{ registryType: 'oci', identifier: 'docker.io/example/tides', version: '1.0', ...stdio }] },
      [{ kind: 'mcp-package', registry: 'oci', identifier: 'docker.io/example/tides:1.0' }],
    ],
    [
      'a header with a fixed value and no description',
      { remotes: [{ type: 'sse', url: 'https://a.example.com/', headers: [{ name: 'X-A', value: 'secret' }] }] },
      [
        {
          kind: 'mcp',
          transport: 'sse',
          url: 'https://a.example.com/',
          headers: [{ name: 'X-A', description: 'X-A', required: false, secret: false }],
        },
      ],
    ],
  ])('%s', (_, given, taken) => {
    expect(serverJsonSchema.safeParse({ ...server, ...given }).success).toBe(true);
    expect(fromServerJson(given)).toEqual(taken);
  });

  test('no hostile one, no repeated one, and at most eight', () => {
    expect(takeConnections(hostileConnections.map(({ connection }) => connection))).toEqual([]);
    const [, one] = connections;
    const many = Array.from({ length: 9 }, (_, index) => ({ kind: 'openapi', url: `https://a${index}.example.com/` }));
    expect(takeConnections([one, one, ...many])).toEqual([one, ...many.slice(0, 7)]);
  });

  test('of thousands the first hundred, and none behind them is looked at', () => {
    const looked = new Set<number>();
    const refused = Array.from({ length: 5_000 }, (_, index) => ({
      get kind() {
        looked.add(index);
        return 'fax';
      },
    }));
    const [one] = connections;
    expect(takeConnections([...refused.slice(0, 99), one, ...refused.slice(99)])).toEqual([one]);
    expect(Math.max(...looked)).toBe(98);
  });
});

test.each<[string, object]>([
  ['no slash', { name: 'tides' }],
  ['two slashes', { name: 'a/b/c' }],
  ['a long title', { title: 'x'.repeat(101) }],
  ['no description', { description: '' }],
  ['a remote without a type', { remotes: [{ url: 'https://example.com' }] }],
  ['an address with a blank', { remotes: [{ type: 'sse', url: 'https://example.com/a b' }] }],
  ['a package without a transport', { packages: [{ registryType: 'npm', identifier: 'x' }] }],
  ['the latest version', { packages: [{ ...server.packages[0], version: 'latest' }] }],
  [
    'an argument without a value',
    { packages: [{ ...server.packages[0], packageArguments: [{ type: 'positional' }] }] },
  ],
])('A description with %s is refused', (_, change) => {
  expect(serverJsonSchema.safeParse({ ...server, ...change }).success).toBe(false);
});
