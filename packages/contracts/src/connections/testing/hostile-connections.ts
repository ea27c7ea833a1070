// Connections that every way in refuses, with the field that the refusal names.
const words = (text: string) => text.trim().split(/\s+/);
const packaged = { kind: 'mcp-package', registry: 'npm', identifier: 'tides', version: '1.0.0' };
const sha256 = 'ab'.repeat(32);

const addresses = [
  '',
  'mcp',
  'http://example.com/mcp',
  'javascript:alert(1)',
  '//example.com/mcp',
  'https:/example.com',
  // Expansions of clients and shells.
  'https://example.com/${SECRET}',
  'https://example.com/?q=${env:SECRET}',
  'https://example.com/$HOME',
  'https://example.com/{x}',
  'https://example.com/`id`',
  'https://example.com/"&calc&"',
  "https://example.com/'x",
  'https://example.com/a|b',
  'https://example.com/a^b',
  'https://example.com/!x',
  'https://example.com/<x>',
  'https://example.com\\@evil.example/x',
  'https://example.com/%USERNAME%',
  'https://example.com/%',
  'https://example.com/%4',
  'https://example.com/%C3%A',
  'https://example.com/a b',
  'https://example.com/a\tb',
  'https://example.com/a\nb',
  'https://example.com/\u202Egpj',
  // Other places than https on a public host.
  'https://*.example.com/mcp',
  'https://user@example.com/',
  'https://:pass@example.com/',
  'https://example.com/#x',
  'https://example.com/#',
  'https://example.com:8443/',
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://[::1]/',
  'https://localhost/',
  'https://localhost./',
  'https://example.com./',
  'https://intranet/',
  'https://a.LAN/',
  // The special-use names of the IANA registry without those of examples, and internal.
  ...'alt internal invalid local localhost onion test'.split(' ').map((name) => `https://a.${name}/`),
  ...'6tisch eap home ipv4only resolver service 10.in-addr 254.169.in-addr 170.0.0.192.in-addr 8.e.f.ip6'
    .split(' ')
    .map((name) => `https://a.${name}.arpa/`),
  // Look-alikes.
  'https://ex\u0430mple.com/',
  'https://example\uFF0Ecom/',
  'https://example.com/\u0440ath',
  // Secrets, and too much.
  ...words('token apiKey API_KEY x-apikey user.password pass Sig X-Amz-Signature auth t%6Fken SECRET APIKey key[]').map(
    (name) => `https://example.com/?a=1&${name}=x`,
  ),
  `https://example.com/${'x'.repeat(16_384)}`,
  `https://example.com/${'x'.repeat(2_048)}`,
];

const identifiers: Record<string, string[]> = {
  npm: [
    ...words('-y --registry=https://evil.example Tides .tides @example @-x/y a/b tides@1 tid\u0435s ../x a;b $(id)'),
    '',
    'a b',
    'x'.repeat(215),
    'x'.repeat(16_384),
  ],
  pypi: ['', ...words('-r --index-url=x tides- _tides tides==1 tides[x] git+https://x.example/y a&b')],
  nuget: ['a b', ...words('-x a..b .a a/b %PATH%')],
  oci: [
    ...words(
      'tides tides:1 -v --privileged ghcr.io/example/tides ghcr.io/example/tides:latest ghcr.io/Example/tides:1',
    ),
    ...words('localhost/x:1 reg.local/x:1 10.0.0.1/x:1 ghcr.io:5000/x:1 ghcr.io/x@sha256:ab ghcr.io/../x:1'),
    'ghcr.io/x:1 -v',
  ],
  mcpb: words(`
    https://evil.example/mcp.mcpb
    https://github.com/a/b/raw/main/mcp.mcpb
    https://github.com/a/b/releases/download/v1/tides.zip
    https://github.com.evil.example/a/b/releases/download/v1/mcp
    http://github.com/a/b/releases/download/v1/mcp
    https://github.com/a/b/releases/download/../../raw/mcp
  `),
};

const versions = [
  ...words('latest LATEST ^1.2.3 ~1 >=1 1.x 1.X.2 * 1.* -1 1;id x'),
  '',
  '1 2',
  '1.0.0\n',
  `1.0.0-${'1'.repeat(65)}`,
  // Tags and ranges of npm.
  ...words('beta next v1.2.3 =1.2.3 1 1.4 1.4.0.0 01.4.0 1.4.0- 1.4.0-01 1.4.0-a..b 1.4.0+'),
];
const headers = [
  ...words('Host cookie Origin Connection Content-Type transfer-encoding Mcp-Session-Id X:Key \u0425-Key'),
  '',
  'X Key',
  'X\r\nY',
  'X'.repeat(65),
];
const variables = [
  ...words('path PATH HOME BASH_ENV HTTPS_PROXY NODE_OPTIONS NPM_CONFIG_REGISTRY PYTHONPATH UV_INDEX_URL LD_PRELOAD'),
  ...words('DYLD_INSERT_LIBRARIES DOTNET_STARTUP_HOOKS JAVA_TOOL_OPTIONS GIT_SSH_COMMAND SSL_CERT_FILE 1A A-B A=B'),
  '',
  'A'.repeat(65),
];
const descriptions = ['', ' ', 'a\nb', 'x'.repeat(201), 'a\u202Eb', 'Use ${HOME}', '\u200B'];

/** A connection, the field that its refusal names, and whether another version could have stored it. */
export type HostileConnection = { connection: Record<string, unknown>; field: string; isWellFormed: boolean };

// A text of which `trim` makes an accepted one is none of them.
/** Connections of each kind that are refused. */
export const hostileConnections: HostileConnection[] = [
  ...addresses.map((url) => ({
    connection: { kind: 'mcp', transport: 'sse', url },
    field: '.url',
    isWellFormed: true,
  })),
  ...[addresses[6], addresses[20]].flatMap((url) => [
    { connection: { kind: 'a2a', card: url }, field: '.card', isWellFormed: true },
    { connection: { kind: 'skill', url, format: 'md' }, field: '.url', isWellFormed: true },
    { connection: { kind: 'openapi', url }, field: '.url', isWellFormed: true },
  ]),
  ...Object.entries(identifiers).flatMap(([registry, names]) =>
    names.map((identifier) => ({
      connection: {
        kind: 'mcp-package',
        registry,
        identifier,
        ...(registry === 'mcpb' ? { sha256 } : registry !== 'oci' && { version: '1.0.0' }),
      },
      field: '.identifier',
      isWellFormed: true,
    })),
  ),
  ...versions
    .filter((version) => version === version.trim())
    .map((version) => ({ connection: { ...packaged, version }, field: '.version', isWellFormed: true })),
  { connection: { ...packaged, sha256: sha256.toUpperCase() }, field: '.sha256', isWellFormed: true },
  ...headers.map((name) => ({
    connection: {
      kind: 'mcp',
      transport: 'sse',
      url: 'https://example.com/',
      headers: [{ name, description: 'x', required: true, secret: true }],
    },
    field: '.headers[0].name',
    isWellFormed: true,
  })),
  ...variables.map((name) => ({
    connection: { ...packaged, environment: [{ name, description: 'x', required: true, secret: true }] },
    field: '.environment[0].name',
    isWellFormed: true,
  })),
  ...descriptions.map((description) => ({
    connection: { ...packaged, environment: [{ name: 'A', description }] },
    field: '.environment[0].description',
    isWellFormed: false,
  })),
];
