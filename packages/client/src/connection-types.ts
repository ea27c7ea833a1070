/** A header or environment variable that a client asks its user for. */
export type ConnectionInput = {
  /** The name of the header or variable. */
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
  /** The name of the header or variable. */
  name: string;
  /** What it is for, in one line. */
  description: string;
  /** `true` by default. */
  required?: boolean | undefined;
  /** `true` by default. */
  secret?: boolean | undefined;
}>;

/** A connection whose headers or variables are of a type. */
type ConnectionWith<Input> =
  | {
      /** A remote MCP server. */
      kind: 'mcp';
      /** How clients talk to it. */
      transport: 'streamable-http' | 'sse';
      /** The address of the server. */
      url: string;
      /** The headers that it asks for: at most 8. */
      headers?: Input[] | undefined;
    }
  | {
      /** An MCP server that runs on the machine of its user. */
      kind: 'mcp-package';
      /** Where the package is published. */
      registry: 'npm' | 'pypi' | 'oci' | 'nuget' | 'mcpb';
      /** The name in its registry, the image with its tag or digest, or the address of an mcpb file. */
      identifier: string;
      /** Required but for oci, which has none, and mcpb. */
      version?: string | undefined;
      /** The SHA-256 of the file; required for mcpb. */
      sha256?: string | undefined;
      /** The environment variables that it asks for: at most 16. */
      environment?: Input[] | undefined;
    }
  | {
      /** An A2A agent. */
      kind: 'a2a';
      /** The address of the agent card. */
      card: string;
    }
  | {
      /** A skill. */
      kind: 'skill';
      /** The address of its file. */
      url: string;
      /** The format of the file. */
      format: 'md' | 'zip' | 'gzip';
    }
  | {
      /** An OpenAPI description. */
      kind: 'openapi';
      /** The address of the description. */
      url: string;
    };

/** A way to connect: `mcp` is both a remote server and a package. */
export type Connects = 'mcp' | 'a2a' | 'skill' | 'openapi';

/** An agent as an MCP server at `/v0.1`. */
export type ServerFacts = {
  /** Its name, which stays. */
  name: string;
  /** Its version. */
  version: string;
  /** The packages that its source runs with arguments. */
  packages: {
    /** The package in its registry. */
    identifier: string;
    /** The arguments, each as it is written. */
    arguments: string[];
  }[];
};
