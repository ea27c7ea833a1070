/** A header or environment variable that a client asks its user for. */
export type ConnectionInput = {
  name: string;
  /** What it is for, in one line. */
  description: string;
  /** `true` by default. */
  required: boolean;
  /** `true` by default. */
  secret: boolean;
};

/** One way to connect to an agent. Addresses are https URLs. */
export type Connection = ConnectionWith<ConnectionInput>;

/** A connection of a registration: `required` and `secret` can be left out. */
export type NewConnection = ConnectionWith<{
  name: string;
  description: string;
  required?: boolean | undefined;
  secret?: boolean | undefined;
}>;

type ConnectionWith<Input> =
  | {
      /** A remote MCP server. */
      kind: 'mcp';
      transport: 'streamable-http' | 'sse';
      url: string;
      headers?: Input[] | undefined;
    }
  | {
      /** An MCP server that runs on the machine of its user. */
      kind: 'mcp-package';
      registry: 'npm' | 'pypi' | 'oci' | 'nuget' | 'mcpb';
      /** The name in its registry, the image with its tag or digest, or the address of an mcpb file. */
      identifier: string;
      /** Required but for oci, which has none, and mcpb. */
      version?: string | undefined;
      /** The SHA-256 of the file; required for mcpb. */
      sha256?: string | undefined;
      environment?: Input[] | undefined;
    }
  | {
      kind: 'a2a';
      /** The address of the agent card. */
      card: string;
    }
  | { kind: 'skill'; url: string; format: 'md' | 'zip' | 'gzip' }
  | {
      kind: 'openapi';
      /** The address of the description. */
      url: string;
    };

/** A way to connect: `mcp` is both a remote server and a package. */
export type Connects = 'mcp' | 'a2a' | 'skill' | 'openapi';
