import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { connectsOf, describeConnection, type Connection } from './connection.ts';
import { findHeaderFault, findVariableFault, isSafeConnection } from './connection-faults.ts';
import { connectionsSchema } from './connection-schema.ts';
import { storedConnectionSchema } from './documented-connection.ts';
import { hostileConnections } from './testing/hostile-connections.ts';

const schema = z.strictObject({ connections: connectionsSchema });
const key = { name: 'X-Api-Key', description: 'Key from your account' };
const remote = { kind: 'mcp', transport: 'streamable-http', url: 'https://tides.example.com/mcp' } as const;
const tides = { kind: 'mcp-package', registry: 'npm', identifier: '@example/tides', version: '1.4.0' } as const;

function faultsOf(connections: unknown): string[] | undefined {
  return schema.safeParse({ connections }).error?.issues.map(({ message }) => message);
}

describe('accepted', () => {
  test.each<unknown>([
    remote,
    { ...remote, transport: 'sse', headers: [{ ...key, required: false, secret: false }] },
    tides,
    { ...tides, identifier: 'tides', environment: [{ name: 'TIDES_KEY', description: 'Key' }] },
    { ...tides, environment: [{ name: 'DOCKER_HOST', description: 'Host of your engine' }] },
    {
      ...remote,
      headers: [
        { ...key, value: 'Bearer {key}' },
        { name: 'X-Region', description: 'x', value: 'eu-1' },
      ],
    },
    {
      ...tides,
      runtimeArguments: [{ type: 'positional', value: '-y' }],
      packageArguments: [{ type: 'named', name: '--port', value: '80', description: 'Port', isRequired: true }],
    },
    {
      ...tides,
      packageArguments: [
        { type: 'positional', valueHint: 'a folder' },
        { type: 'named', name: '-q' },
      ],
    },
    { ...tides, registry: 'pypi', identifier: 'Example.tides_2' },
    { ...tides, registry: 'nuget', identifier: 'Example.Tides', version: '1.0.0-beta.1+a' },
    { kind: 'mcp-package', registry: 'oci', identifier: 'ghcr.io/example/tides:1.4.0' },
    { kind: 'mcp-package', registry: 'oci', identifier: `ghcr.io/example/a__b-c@sha256:${'0f'.repeat(32)}` },
    {
      kind: 'mcp-package',
      registry: 'mcpb',
      identifier: 'https://github.com/example/tides-mcp/releases/download/v1/tides.mcpb',
      sha256: 'ab'.repeat(32),
    },
    {
      kind: 'mcp-package',
      registry: 'mcpb',
      identifier: 'https://gitlab.com/a/b/mcp/-/releases/v1/downloads/tides.mcpb',
      sha256: 'ab'.repeat(32),
    },
    { kind: 'a2a', card: 'https://example.com/.well-known/agent-card.json' },
    { kind: 'skill', url: 'https://example.com/skill.md?lang=en&monkey=1&author=x', format: 'md' },
    { kind: 'openapi', url: 'https://xn--bcher-kva.example.com/openapi.json?q=%C3%A9%20a%2Fb' },
    ...['1.4.0', '0.0.0', '1.4.0-rc.1', '1.4.0-0a.b-c', '1.4.0+build.5', '1.4.0--'].map((version) => ({
      ...tides,
      version,
    })),
    ...['pypi', 'nuget'].map((registry) => ({ ...tides, registry, identifier: 'tides', version: '2026.1' })),
  ])('%j', (connection) => {
    expect(faultsOf([connection])).toBeUndefined();
  });

  test('Addresses have every escape of RFC 3986, and all its signs that no shell or client expands', () => {
    const escapes = Array.from({ length: 256 }, (_, byte) => `%${byte.toString(16).padStart(2, '0')}`);
    for (const escaped of [...escapes, ...escapes.map((each) => each.toUpperCase())]) {
      expect(faultsOf([{ ...remote, url: `https://example.com/a${escaped}b${escaped}?q=${escaped}` }])).toBeUndefined();
    }
    expect(faultsOf([{ ...remote, url: 'https://example.com/-._~:@&()*+,;=/?a[]=/?' }])).toBeUndefined();
    for (const name of ['%DATABASE_URL%41', '%DEEPSEEK_API_KEY:~0,99%20', 'caf%C3%A9t%C3%A9', '%C3%A9t%C3%A9']) {
      expect(faultsOf([{ ...remote, url: `https://example.com/${name}` }])).toBeUndefined();
    }
  });

  test('Names of headers have every character of RFC 9110, those of variables every one of POSIX, and no others', () => {
    for (let code = 0; code < 256; code++) {
      const character = String.fromCharCode(code);
      for (const name of [`${character}x`, `x${character}x`]) {
        const isToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name);
        const isName = /^[A-Z_a-z][0-9A-Z_a-z]*$/.test(name);
        expect([name, findHeaderFault(name) === undefined]).toEqual([name, isToken]);
        expect([name, findVariableFault(name) === undefined]).toEqual([name, isName]);
      }
    }
  });

  test('Addresses are stored as the URL parser writes them', () => {
    const url = 'HTTPS://Tides.Example.com:443/a/../mcp';
    expect(schema.parse({ connections: [{ ...remote, url }] }).connections).toEqual([remote]);
  });

  test('Inputs are required and secret unless they say otherwise', () => {
    const { connections } = schema.parse({ connections: [{ ...remote, headers: [key] }] });
    expect(connections).toEqual([{ ...remote, headers: [{ ...key, required: true, secret: true }] }]);
  });

  test('Empty lists are left out', () => {
    expect(schema.parse({ connections: [] })).toEqual({});
    // Not as undefined, which the stored ones have not.
    for (const headers of [[], undefined]) {
      expect(schema.parse({ connections: [{ ...remote, headers }] }).connections).toStrictEqual([remote]);
    }
  });
});

describe('refused with one sentence that names the field', () => {
  test.each(hostileConnections)('$field: $connection', ({ connection, field }) => {
    const [fault, ...others] = faultsOf([connection]) ?? [];
    expect(others).toEqual([]);
    expect(fault).toMatch(/^[ -~]{1,200}$/);
    expect(fault?.slice(0, `connections[0]${field} `.length)).toBe(`connections[0]${field} `);
  });

  test.each<[unknown, string | RegExp]>([
    ['x', 'connections must be a list'],
    [Array.from({ length: 10_000 }, () => 1), 'connections can have at most 8 entries'],
    [[1], 'connections[0] must be an object'],
    [[{ kind: 'grpc' }], 'connections[0].kind must be one of mcp, mcp-package, a2a, skill, openapi'],
    [[{ ...remote, value: 'x' }], 'connections[0] must not have the fields value'],
    [
      [{ ...remote, headers: [{ ...key, default: 'x' }] }],
      'connections[0].headers[0] must not have the fields default',
    ],
    [[remote, { ...remote, transport: 'sse' }], 'connections must not have the same entry twice'],
    [[tides, { ...tides, version: '2.0.0' }], 'connections must not have the same entry twice'],
    [
      [{ ...remote, headers: [key, { ...key, name: 'x-api-key' }] }],
      'connections[0].headers must not have the same entry twice',
    ],
    [
      [{ ...remote, headers: Array.from({ length: 9 }, () => key) }],
      'connections[0].headers can have at most 8 entries',
    ],
    [[{ ...remote, url: 1 }], 'connections[0].url must be text'],
    ...['$HOME', '{a}{b}', 'a b', '%PATH%', 'x'.repeat(201), 'a"b', "a'b", 'a\\b', 'a`b`', 'a^b', '\u0430'].flatMap(
      (value): [unknown, RegExp][] => [
        [
          [{ ...remote, headers: [{ ...key, name: 'X-A', value }] }],
          /^connections\[0\]\.headers\[0\]\.value (?:must be|can have)/,
        ],
        [
          [{ ...tides, packageArguments: [{ type: 'positional', value }] }],
          /^connections\[0\]\.packageArguments\[0\]\.value must be/,
        ],
      ],
    ),
    ...['X-Api-Key', 'authorisation', 'Proxy-Authorization', 'X-Session-Id', 'X-JWT'].map((name): [unknown, RegExp] => [
      [{ ...remote, headers: [{ ...key, name, value: 'sk-1' }] }],
      /headers\[0\]\.value must not be fixed, since the name says that it is secret$/,
    ]),
    ...['DOCKER_HOST', 'pip_index_url', 'RUBYOPT'].map((name): [unknown, RegExp] => [
      [{ ...tides, environment: [{ ...key, name, value: 'tcp://evil.example' }] }],
      /environment\[0\]\.value must not be fixed, since it changes how programs start$/,
    ]),
    [[{ ...tides, packageArguments: Array.from({ length: 17 }, () => ({})) }], /packageArguments can have at most 16/],
  ])('%j', (connections, fault) => {
    expect(faultsOf(connections)).toEqual([typeof fault === 'string' ? fault : expect.stringMatching(fault)]);
  });

  test('more than 16 KiB', () => {
    const environment = Array.from({ length: 16 }, (_, index) => ({ name: `A${index}`, description: 'x'.repeat(200) }));
    const list = Array.from({ length: 8 }, (_, index) => ({ ...tides, identifier: `tides${index}`, environment }));
    expect(faultsOf(list)).toEqual(['connections can have at most 16 KiB as JSON']);
  });
});

describe('stored by a version with other rules', () => {
  test.each(hostileConnections.filter(({ isWellFormed }) => isWellFormed))('$connection', ({ connection }) => {
    expect(storedConnectionSchema.safeParse(connection).success).toBe(true);
    expect(isSafeConnection(connection as Connection)).toBe(false);
  });
});

test('The ways to connect have a fixed order', () => {
  const connections = [{ kind: 'openapi', url: '' }, { ...tides }, { ...remote }] as Connection[];
  expect(connectsOf({ connections })).toEqual(['mcp', 'openapi']);
  expect(connections.map(describeConnection)).toEqual(['openapi ', 'npm @example/tides@1.4.0', `mcp ${remote.url}`]);
});
