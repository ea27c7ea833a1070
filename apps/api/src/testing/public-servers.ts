const OFFICIAL = 'io.modelcontextprotocol.registry/official';
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

type Server = Record<string, unknown>;

const key = { name: 'API_KEY', description: 'Your key', isRequired: true, isSecret: true, format: 'string' };
const stdio = { type: 'stdio' };
const repository = (slug: string) => ({ url: `https://github.com/acme/${slug}`, source: 'github', id: `${slug}-1` });
const npm = { registryType: 'npm', identifier: '@acme/tool', version: '2.1.0', transport: stdio };

/** The shapes of servers that are served as they are: what each has besides its name, description and version. */
const whole: Record<string, (slug: string) => Server> = {
  'a remote': (slug) => ({ remotes: [{ type: 'streamable-http', url: `https://${slug}.acme.com/mcp` }] }),
  'two remotes, the older transport first': (slug) => ({
    websiteUrl: `https://acme.com/docs/${slug}?from=registry#start`,
    remotes: [
      { type: 'sse', url: `https://${slug}.acme.com/sse` },
      { type: 'streamable-http', url: `https://${slug}.acme.com/mcp` },
    ],
  }),
  'headers with values, variables and choices': (slug) => ({
    remotes: [
      {
        type: 'streamable-http',
        url: `https://api.acme.com/${slug}/mcp`,
        headers: [
          { name: 'Authorization', value: 'Bearer {token}', variables: { token: { ...key, name: undefined } } },
          { name: 'X-Region', description: 'Region', default: 'eu', choices: ['eu', 'us'], isRequired: false },
        ],
      },
    ],
  }),
  npm: (slug) => ({
    repository: repository(slug),
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: `@acme/${slug}`,
        version: '1.0.2',
        transport: stdio,
        environmentVariables: [key, { name: 'LOG_LEVEL', default: 'info', choices: ['info', 'debug'] }],
      },
    ],
  }),
  'pypi with arguments': (slug) => ({
    repository: { ...repository(slug), subfolder: `src/${slug}` },
    packages: [
      {
        registryType: 'pypi',
        identifier: `${slug}-mcp`,
        version: '0.3.1',
        runtimeHint: 'uvx',
        transport: stdio,
        packageArguments: [
          { type: 'positional', valueHint: 'folder', description: 'Where to read', format: 'filepath' },
          {
            type: 'named',
            name: '--port',
            value: '{port}',
            variables: { port: { default: '8080', format: 'number' } },
          },
          { type: 'named', name: '--include', isRepeated: true },
        ],
      },
    ],
  }),
  oci: (slug) => ({
    packages: [
      {
        registryType: 'oci',
        identifier: `ghcr.io/acme/${slug}:1.4.0`,
        runtimeHint: 'docker',
        runtimeArguments: [
          { type: 'named', name: '-e', value: 'API_KEY={key}', variables: { key: { isSecret: true } } },
        ],
        transport: stdio,
      },
    ],
  }),
  nuget: (slug) => ({
    packages: [
      {
        registryType: 'nuget',
        registryBaseUrl: 'https://api.nuget.org/v3/index.json',
        identifier: `Acme.${slug}`,
        version: '5.0.0-beta.2',
        runtimeHint: 'dnx',
        transport: stdio,
      },
    ],
  }),
  mcpb: (slug) => ({
    packages: [
      {
        registryType: 'mcpb',
        identifier: `https://github.com/acme/${slug}/releases/download/v1.0.0/${slug}-mcp.mcpb`,
        fileSha256: 'fe333e598595000ae021bd27117db32ec69af6987f507ba7a63c90638ff633ce',
        transport: stdio,
      },
    ],
  }),
  'icons, title and own metadata': (slug) => ({
    title: `Пример «${slug}» 日本語 👩‍💻`,
    icons: [{ src: `https://acme.com/${slug}.svg`, mimeType: 'image/svg+xml', sizes: ['any', '48x48'], theme: 'dark' }],
    remotes: [{ type: 'streamable-http', url: `https://${slug}.acme.com/mcp` }],
    _meta: {
      'io.modelcontextprotocol.registry/publisher-provided': { '2': 'b', '1': 'a', build: { at: null, ok: true } },
    },
  }),
  'an older schema': (slug) => ({
    $schema: SCHEMA.replace('2025-12-11', '2025-10-17'),
    remotes: [{ type: 'streamable-http', url: `https://${slug}.acme.com/mcp` }],
  }),
};

const remoteOf = (slug: string) => ({ type: 'streamable-http', url: `https://${slug}.acme.com/mcp` });
const withPackage = (given: Server) => (slug: string) => ({
  remotes: [remoteOf(slug)],
  packages: [{ ...npm, identifier: `@acme/${slug}`, ...given }],
});

/** The shapes of servers that are not served as they are, with the reason that is counted. */
const partial: Record<string, (slug: string) => Server> = {
  'it has no connection that can be kept': (slug) => ({
    remotes: [{ type: 'sse', url: `http://${slug}.acme.com/sse` }],
  }),
  'remotes: its url has a place for what the user gives': (slug) => ({
    remotes: [remoteOf(slug), { type: 'sse', url: `https://${slug}.acme.com/{tenant}/sse`, variables: { tenant: {} } }],
  }),
  'packages: its registry must be one of npm, pypi, oci, nuget, mcpb': withPackage({ registryType: 'cargo' }),
  'packages: it has ${, which clients expand': withPackage({
    packageArguments: [{ type: 'positional', value: '${HOME}/x' }],
  }),
  'packages.environmentVariables: its name must not be LD_PRELOAD, which changes how programs start': withPackage({
    environmentVariables: [{ name: 'LD_PRELOAD', value: '/x.so' }],
  }),
  'packages.runtimeHint: it is not the program that runs packages of its registry': withPackage({
    runtimeHint: '/bin/sh',
  }),
  'packages: it comes from another place than npm': withPackage({ registryBaseUrl: 'https://npm.acme.com' }),
  'packages: it has invisible characters': withPackage({
    environmentVariables: [{ ...key, placeholder: 'a\u202eb' }],
  }),
  'packages: its transport is not stdio': withPackage({
    transport: { type: 'streamable-http', url: 'http://localhost:{port}/mcp' },
  }),
  'it breaks the schema of server.json': (slug) => ({
    remotes: [remoteOf(slug)],
    description: `${slug} ${'is described at length '.repeat(8)}`,
  }),
  'it is too large or too deep': (slug) => ({
    remotes: [remoteOf(slug)],
    _meta: { 'io.modelcontextprotocol.registry/publisher-provided': { readme: 'x'.repeat(33_000) } },
  }),
};

/** A server of the list of an MCP registry. */
export type PublicServer = { server: Server & { name: string; version: string }; _meta: Server };

/** 200 servers of the shapes that are public in MCP registries, and why some of them are not served as they are, by name. */
export function makePublicServers(): { servers: PublicServer[]; reasons: Map<string, string> } {
  const reasons = new Map<string, string>();
  const shapes = [...Object.values(whole).flatMap((make) => [make, make]), ...Object.values(partial)];
  const servers = Array.from({ length: 200 }, (_, index) => {
    const make = shapes[index % shapes.length] as (slug: string) => Server;
    const slug = `tool-${index}`;
    const namespace = index % 3 === 0 ? 'io.github.Acme' : index % 3 === 1 ? 'com.acme' : 'ai.smithery';
    const name = `${namespace}/${slug}`;
    const reason = Object.keys(partial).find((text) => partial[text] === make);
    if (reason !== undefined) reasons.set(name, reason);
    const fields = make(slug);
    const server = {
      $schema: SCHEMA,
      name,
      description: `Does what ${slug} does`,
      version: index % 5 === 0 ? `2025.${index}.1` : `1.${index}.0${index % 7 === 0 ? '-rc.1+build' : ''}`,
      ...fields,
    };
    const status =
      index % 40 === 13 ? { status: 'deprecated', statusMessage: 'Use another one' } : { status: 'active' };
    const updatedAt = `2026-11-${String((index % 28) + 1).padStart(2, '0')}T10:00:00.123456Z`;
    return { server, _meta: { [OFFICIAL]: { ...status, publishedAt: updatedAt, updatedAt, isLatest: true } } };
  });
  return { servers, reasons };
}
