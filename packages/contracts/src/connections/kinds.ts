// What parts of connections are called, on the wire and in the documents.
export const connectionKinds = ['mcp', 'mcp-package', 'a2a', 'skill', 'openapi'] as const;
/** The transports of a remote MCP server, the preferred one first. */
export const mcpTransports = ['streamable-http', 'sse'] as const;
export const packageRegistries = ['npm', 'pypi', 'oci', 'nuget', 'mcpb'] as const;
export const argumentTypes = ['positional', 'named'] as const;
export const skillFormats = ['md', 'zip', 'gzip'] as const;

export type PackageRegistry = (typeof packageRegistries)[number];
