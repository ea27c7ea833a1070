import { describe, expect, test } from 'vitest';
import { readServerJson, takeConnections } from './read-server-json.ts';
import { describeLeft } from './server-parts.ts';
import { hostileConnections } from './testing/hostile-connections.ts';

const url = 'https://a.example.com/mcp';
const http = { type: 'streamable-http', url };
const remote = { kind: 'mcp', transport: 'streamable-http', url };
const stdio = { transport: { type: 'stdio' } };
const npm = { registryType: 'npm', identifier: 'tides', version: '1.0.0', ...stdio };
const tides = { kind: 'mcp-package', registry: 'npm', identifier: 'tides', version: '1.0.0' };
const oci = { registryType: 'oci', identifier: 'ghcr.io/example/tides:1.4.0', ...stdio };
const image = { kind: 'mcp-package', registry: 'oci', identifier: 'ghcr.io/example/tides:1.4.0' };
const file = 'https://github.com/example/tides-mcp/releases/download/v1/tides.mcpb';
const sha256 = 'ab'.repeat(32);
const key = { description: 'Key', isRequired: true, isSecret: true };
const asked = { description: 'Key', required: true, secret: true };
const open = { required: false, secret: false };

const ofHeader = (header: object) => ({ remotes: [{ ...http, headers: [header] }] });
const withHeader = (header: object) => [{ ...remote, headers: [header] }];
const ofVariable = (variable: object) => ({ packages: [{ ...npm, environmentVariables: [variable] }] });
const withVariable = (variable: object) => [{ ...tides, environment: [variable] }];
const ofArguments = (...packageArguments: object[]) => ({ packages: [{ ...npm, packageArguments }] });
const withArguments = (...packageArguments: object[]) => [{ ...tides, packageArguments }];
const ofRuntime = (...runtimeArguments: object[]) => ({ packages: [{ ...oci, runtimeArguments }] });

/** What a schema version since 2025-07 allows or shows, and the connections of it. All of it is taken. */
const constructs: [name: string, server: object, connections: object[]][] = [
  ['a remote', { remotes: [http] }, [remote]],
  ['a remote of SSE', { remotes: [{ ...http, type: 'sse' }] }, [{ ...remote, transport: 'sse' }]],
  ['a remote of 2025-07', { remotes: [{ transport_type: 'sse', url }] }, [{ ...remote, transport: 'sse' }]],
  ['a header', ofHeader({ ...key, name: 'X-Key' }), withHeader({ name: 'X-Key', ...asked })],
  [
    'a header of 2025-07',
    ofHeader({ name: 'X-Key', is_required: true, is_secret: true }),
    withHeader({ ...asked, name: 'X-Key', description: 'X-Key' }),
  ],
  [
    'a header of RFC 9110',
    ofHeader({ ...key, name: 'TIDES_API_KEY' }),
    withHeader({ name: 'TIDES_API_KEY', ...asked }),
  ],
  [
    'a fixed header',
    ofHeader({ name: 'X-Region', value: 'eu-1' }),
    withHeader({ name: 'X-Region', description: 'X-Region', ...open, value: 'eu-1' }),
  ],
  [
    'a header with a template',
    ofHeader({ name: 'Authorization', value: 'Bearer {key}', variables: { key } }),
    withHeader({ name: 'Authorization', ...asked, value: 'Bearer {key}' }),
  ],
  [
    'a template that says nothing of its variable',
    ofHeader({ ...key, name: 'Authorization', value: 'Bearer {api_key}' }),
    withHeader({ name: 'Authorization', ...asked, value: 'Bearer {api_key}' }),
  ],
  [
    'a template with a fixed variable',
    ofHeader({ name: 'X-Region', value: '{zone}-1', variables: { zone: { value: 'eu' } } }),
    withHeader({ name: 'X-Region', description: 'X-Region', ...open, value: 'eu-1' }),
  ],
  ['npm', { packages: [{ ...npm, registryBaseUrl: 'https://registry.npmjs.org', runtimeHint: 'npx' }] }, [tides]],
  [
    'a package of 2025-07',
    { packages: [{ registry_type: 'npm', identifier: 'tides', version: '1.0.0', runtime_hint: 'npx' }] },
    [tides],
  ],
  ['a package of before', { packages: [{ registry_name: 'npm', name: 'tides', version: '1.0.0' }] }, [tides]],
  [
    'PyPI',
    { packages: [{ ...npm, registryType: 'pypi', registryBaseUrl: 'https://pypi.org' }] },
    [{ ...tides, registry: 'pypi' }],
  ],
  [
    'NuGet',
    {
      packages: [
        { ...npm, registryType: 'nuget', registryBaseUrl: 'https://api.nuget.org/v3/index.json', runtimeHint: 'dnx' },
      ],
    },
    [{ ...tides, registry: 'nuget' }],
  ],
  ['an image', { packages: [oci] }, [image]],
  [
    'an image by its digest',
    { packages: [{ ...oci, identifier: `ghcr.io/example/tides@sha256:${sha256}` }] },
    [{ ...image, identifier: `ghcr.io/example/tides@sha256:${sha256}` }],
  ],
  [
    'an image with its version beside it',
    { packages: [{ ...oci, identifier: 'ghcr.io/example/tides', version: '1.4.0' }] },
    [image],
  ],
  [
    'an image of Docker Hub',
    { packages: [{ ...oci, registryBaseUrl: 'https://docker.io', identifier: 'mcp/tides', version: '1.0' }] },
    [{ ...image, identifier: 'docker.io/mcp/tides:1.0' }],
  ],
  [
    'an image without a host',
    { packages: [{ ...oci, identifier: 'mcp/tides:1.0' }] },
    [{ ...image, identifier: 'docker.io/mcp/tides:1.0' }],
  ],
  [
    'MCPB',
    {
      packages: [
        {
          registryType: 'mcpb',
          registryBaseUrl: 'https://github.com',
          identifier: file,
          version: '1.0.0',
          fileSha256: sha256,
          ...stdio,
        },
      ],
    },
    [{ kind: 'mcp-package', registry: 'mcpb', identifier: file, version: '1.0.0', sha256 }],
  ],
  [
    'a variable',
    ofVariable({ ...key, name: 'TIDES_KEY', format: 'string', placeholder: 'abc' }),
    withVariable({ name: 'TIDES_KEY', ...asked }),
  ],
  ['a variable of POSIX', ofVariable({ ...key, name: '_tides' }), withVariable({ name: '_tides', ...asked })],
  [
    'a variable with a default',
    ofVariable({ name: 'LOG', description: 'Level', default: 'info', choices: ['info', 'debug'] }),
    withVariable({ name: 'LOG', description: 'Level (default: info)', ...open }),
  ],
  [
    'a fixed variable',
    ofVariable({ name: 'MODE', value: 'a,b' }),
    withVariable({ name: 'MODE', description: 'MODE', ...open, value: 'a,b' }),
  ],
  [
    'positional arguments',
    ofArguments(
      { type: 'positional', value: 'mcp' },
      { type: 'positional', valueHint: 'folder', isRequired: true, isRepeated: true },
    ),
    withArguments({ type: 'positional', value: 'mcp' }, { type: 'positional', valueHint: 'folder', isRequired: true }),
  ],
  [
    'a required argument with a default',
    ofArguments({ type: 'named', name: '--host', default: 'localhost', isRequired: true }),
    withArguments({ type: 'named', name: '--host', value: 'localhost', isRequired: true }),
  ],
  [
    'an optional argument with a default',
    ofArguments({ type: 'named', name: '--mode', default: 'local', choices: ['local'] }),
    withArguments({ type: 'named', name: '--mode', valueHint: 'local' }),
  ],
  [
    'an optional argument',
    ofArguments({ type: 'named', name: '--port', description: 'Port', format: 'number' }),
    withArguments({ type: 'named', name: '--port', valueHint: 'port', description: 'Port' }),
  ],
  ['a switch', ofArguments({ type: 'named', name: '--quiet' }), withArguments({ type: 'named', name: '--quiet' })],
  [
    'an argument with a variable',
    ofArguments({ type: 'named', name: '--key', value: '{key}', variables: { key } }),
    withArguments({ type: 'named', name: '--key', valueHint: 'key', isRequired: true }),
  ],
  [
    'an argument with a known variable',
    ofArguments({ type: 'named', name: '--port', value: '{port}', variables: { port: { default: '8080' } } }),
    withArguments({ type: 'named', name: '--port', value: '8080' }),
  ],
  [
    'arguments of docker run',
    ofRuntime(
      { type: 'named', name: '--rm' },
      {
        type: 'named',
        name: '--mount',
        value: 'src={from},dst={to}',
        isRequired: true,
        variables: { from: key, to: { default: '/x' } },
      },
    ),
    [
      {
        ...image,
        runtimeArguments: [{ type: 'named', name: '--mount', valueHint: 'src=from,dst=/x', isRequired: true }],
      },
    ],
  ],
  [
    'a variable of docker run',
    ofRuntime({ type: 'named', name: '-e', value: 'DB={db}', isRepeated: true, variables: { db: key } }),
    [{ ...image, environment: [{ name: 'DB', ...asked }] }],
  ],
  [
    'a variable of docker run that is asked for',
    {
      packages: [
        {
          ...oci,
          environmentVariables: [{ ...key, name: 'DB' }],
          runtimeArguments: [{ type: 'named', name: '-e', value: 'DB' }],
        },
      ],
    },
    [{ ...image, environment: [{ name: 'DB', ...asked }] }],
  ],
  [
    'a fixed variable of docker run',
    ofRuntime({ type: 'named', name: '-e', value: 'DB=redis' }),
    [{ ...image, environment: [{ name: 'DB', description: 'DB', ...open, value: 'redis' }] }],
  ],
  ['a remote and a package', { remotes: [http], packages: [npm] }, [remote, tides]],
];

test.each(constructs)('%s is read', (_, server, connections) => {
  expect(readServerJson({ ...server })).toEqual({ connections, left: [] });
});

/** A broken part of each construct, what is said of it, and what stays. */
const broken: [server: object, left: string, connections: object[]][] = [
  [
    { remotes: [http, { ...http, url: 'http://a.example.com/' }] },
    'remotes[1]: its url must be an https address, such as https://example.com/mcp',
    [remote],
  ],
  [
    { remotes: [http, { ...http, url: 'https://{tenant}.example.com/' }] },
    'remotes[1]: its url has a place for what the user gives',
    [remote],
  ],
  [{ remotes: [http, { url }] }, 'remotes[1]: its transport is required', [remote]],
  [{ remotes: [http, 'x'] }, 'remotes[1]: its transport is required', [remote]],
  [{ remotes: [http, http] }, 'remotes[1]: with it, the connections must not have the same entry twice', [remote]],
  [{ remotes: [{ ...http, timeout: 1 }] }, 'remotes[0].timeout: it is not known here', [remote]],
  [{ remotes: [{ ...http, headers: {} }] }, 'remotes[0].headers: it is not known here', [remote]],
  [
    ofHeader({ name: 'hOsT' }),
    'remotes[0].headers[0]: its name must not be hOsT, which clients set themselves',
    [remote],
  ],
  [
    ofHeader({ name: 'X Key' }),
    'remotes[0].headers[0]: its name must be a name of RFC 9110 such as X-Api-Key, of at most 64 characters',
    [remote],
  ],
  [
    ofHeader({ name: 'X-Key', value: 'sk-1' }),
    'remotes[0].headers[0].value: it must not be fixed, since the name says that it is secret',
    withHeader({ name: 'X-Key', description: 'X-Key', ...open }),
  ],
  [
    ofHeader({ name: 'AUTHORIZATION', value: 'Bearer' }),
    'remotes[0].headers[0].value: it must not be fixed, since the name says that it is secret',
    withHeader({ name: 'AUTHORIZATION', description: 'AUTHORIZATION', ...open }),
  ],
  [
    ofHeader({ name: 'X-A', value: '{a}:{b}' }),
    'remotes[0].headers[0].value: it can have the place of one variable, such as Bearer {key}',
    withHeader({ name: 'X-A', description: 'X-A', ...open }),
  ],
  [
    ofHeader({ name: 'X-A', description: 'x '.repeat(200) }),
    'remotes[0].headers[0].description: it is cut',
    withHeader({ name: 'X-A', description: `${'x '.repeat(99)}x`, ...open }),
  ],
  [
    { remotes: [{ ...http, headers: [{ name: 'X-A' }, { name: 'x-a', value: 'b' }] }] },
    'remotes[0].headers[1]: its name is that of an earlier one',
    withHeader({ name: 'X-A', description: 'X-A', ...open }),
  ],
  [
    { remotes: [http, { ...http, headers: [{ name: 'A', placeholder: '${HOME}' }] }] },
    'remotes[1]: it has ${, which clients expand',
    [remote],
  ],
  [
    { remotes: [http, { ...http, headers: [{ name: 'A', description: 'a\u{E0041}' }] }] },
    'remotes[1]: it has invisible characters',
    [remote],
  ],
  [
    { packages: [{ ...npm, version: 'latest' }] },
    'packages[0]: its version must be one exact version such as 1.4.0, not a tag or a range',
    [],
  ],
  [
    { packages: [{ ...npm, registryType: 'cargo' }] },
    'packages[0]: its registry must be one of npm, pypi, oci, nuget, mcpb',
    [],
  ],
  [
    { packages: [{ ...npm, registryBaseUrl: 'https://npm.example.com' }] },
    'packages[0]: it comes from another place than npm',
    [],
  ],
  [{ packages: [{ ...npm, transport: { type: 'sse', url } }] }, 'packages[0]: its transport is not stdio', []],
  [
    { packages: [{ ...npm, runtimeHint: '/bin/sh' }] },
    'packages[0].runtimeHint: it is not the program that runs packages of its registry',
    [tides],
  ],
  [
    { packages: [{ ...npm, runtimeHint: 'docker' }] },
    'packages[0].runtimeHint: it is not the program that runs packages of its registry',
    [tides],
  ],
  [
    { packages: [{ ...npm, postInstallInstructions: [{ command: 'x' }] }] },
    'packages[0].postInstallInstructions: it is not known here',
    [tides],
  ],
  [
    { packages: [{ ...npm, transport: { type: 'stdio', command: 'sh' } }] },
    'packages[0].transport.command: it is not known here',
    [tides],
  ],
  [
    { packages: [{ ...npm, registryType: 'mcpb', identifier: file }] },
    'packages[0]: its sha256 is required for a file',
    [],
  ],
  [
    ofVariable({ name: 'node_options', value: 'x' }),
    'packages[0].environmentVariables[0]: its name must not be node_options, which changes how programs start',
    [tides],
  ],
  [
    ofVariable({ name: '1A' }),
    'packages[0].environmentVariables[0]: its name must be a name such as TIDES_KEY, of letters, digits and _, with at most 64 characters',
    [tides],
  ],
  [
    ofVariable({ name: 'A', default: 'a b' }),
    'packages[0].environmentVariables[0].default: it cannot be shown',
    withVariable({ name: 'A', description: 'A', ...open }),
  ],
  [
    ofVariable({ name: 'A', isRequired: 'yes' }),
    'packages[0].environmentVariables[0].isRequired: it is not known here',
    withVariable({ name: 'A', description: 'A', ...open }),
  ],
  [
    ofArguments({ type: 'positional', value: 'a; "b"' }),
    'packages[0]: its packageArguments.0.value must be up to 200 characters without blanks and without signs that shells or clients expand',
    [],
  ],
  [ofArguments({ type: 'positional' }), 'packages[0]: its packageArguments.0.value is required', []],
  [ofArguments({ type: 'named', value: 'x' }), 'packages[0]: its packageArguments.0.name is required', []],
  [
    ofArguments({ type: 'flag', name: '-x' }),
    'packages[0]: its packageArguments.0.type must be one of positional, named',
    [],
  ],
  [
    ofRuntime({ type: 'named', name: '-e', value: 'LD_PRELOAD=/x.so' }),
    'packages[0].runtimeArguments[0]: its name must not be LD_PRELOAD, which changes how programs start',
    [image],
  ],
  [
    ofRuntime({ type: 'named', name: '-e', value: 'OPENAI_API_KEY' }),
    'packages[0].runtimeArguments[0]: it passes on a variable that nothing sets',
    [{ ...image, environment: [{ name: 'OPENAI_API_KEY', description: 'OPENAI_API_KEY', ...open }] }],
  ],
  ...[
    { type: 'named', name: '--env=OPENAI_API_KEY' },
    { type: 'positional', value: '-eOPENAI_API_KEY' },
    { type: 'named', name: '-ite', value: 'OPENAI_API_KEY' },
    { type: 'named', name: '--env-file', value: '/home/x/.env' },
    { type: 'positional', value: '-e' },
  ].map((argument): [object, string, object[]] => [
    ofRuntime(argument),
    'packages[0]: its runtimeArguments pass on variables or files of who runs it',
    [],
  ]),
];

test.each(broken)('of %j what is broken is left out', (server, sentence, connections) => {
  const { connections: read, left } = readServerJson({ ...server });
  expect([read, left.map((part) => describeLeft(part))]).toEqual([connections, [sentence]]);
});

describe('a list of connections', () => {
  test('has no hostile one, no repeated one, and at most eight', () => {
    const { connections, left } = takeConnections(hostileConnections.map(({ connection }) => connection));
    expect([connections, left.length]).toEqual([[], hostileConnections.length]);
    const many = Array.from({ length: 9 }, (_, index) => ({ kind: 'openapi', url: `https://a${index}.example.com/` }));
    expect(takeConnections([remote, remote, ...many]).connections).toEqual([remote, ...many.slice(0, 7)]);
  });

  test('of thousands has the first hundred, and none behind them is looked at', () => {
    const looked = new Set<number>();
    const refused = Array.from({ length: 5_000 }, (_, index) => ({
      get kind() {
        looked.add(index);
        return 'fax';
      },
    }));
    const given = [...refused.slice(0, 99), remote, ...refused.slice(99)];
    expect(takeConnections(given).connections).toEqual([remote]);
    expect(Math.max(...looked)).toBe(98);
  });
});
