import { readFile } from 'node:fs/promises';
import type { NewAgentInput } from '../contract.ts';

type Json = Record<string, unknown>;

/** A file that describes an agent. */
export type AgentFile = {
  /** The id of its entry; undefined before it is published. */
  id: string | undefined;
  /** The fields that the file gives. */
  fields: Partial<NewAgentInput>;
  /** The text of the file with the id of its entry. */
  withId: (id: string) => string;
};

/** Where other formats keep what they have no field for: the id, the category and other fields of the registry. */
const NOTE = 'agent-registry';
/** Where a `server.json` keeps what its publisher adds. */
const PROVIDED = 'io.modelcontextprotocol.registry/publisher-provided';

/**
 * Reads a file: the fields of the registry, a `server.json`, or an A2A agent card.
 * @throws {Error} if it is no JSON object
 */
export async function readAgentFile(path: string): Promise<AgentFile> {
  const text = await readFile(path, 'utf8');
  const json = parseObject(path, text);
  const indent = /^[\t ]+(?=")/m.exec(text)?.[0] ?? 2;
  const write = (changed: Json) => `${JSON.stringify(changed, undefined, indent)}\n`;
  if (Array.isArray(json.packages) || Array.isArray(json.remotes)) {
    const meta = toObject(json._meta);
    const provided = toObject(meta[PROVIDED]);
    return withNote(toObject(provided[NOTE]), describeServer(json), (note) =>
      write({ ...json, _meta: { ...meta, [PROVIDED]: { ...provided, [NOTE]: note } } }),
    );
  }
  if (Array.isArray(json.skills)) {
    return withNote(toObject(json[NOTE]), describeCard(json), (note) => write({ ...json, [NOTE]: note }));
  }
  const { $schema: _, ...own } = json;
  return withNote(own, {}, ({ id, ...rest }) =>
    write({ ...(json.$schema !== undefined && { $schema: json.$schema }), id, ...rest }),
  );
}

function withNote({ id, ...own }: Json, described: Json, write: (note: Json) => string): AgentFile {
  return {
    id: typeof id === 'string' ? id : undefined,
    fields: { ...described, ...own },
    withId: (given) => write({ ...own, id: given }),
  };
}

function parseObject(path: string, text: string): Json {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new Error(`${path} is no JSON.`, { cause });
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new Error(`${path} must be a JSON object.`);
  return json as Json;
}

function describeServer(server: Json): Json {
  const { name, title, description, websiteUrl } = server;
  const remotes = toObjects(server.remotes).flatMap(({ type, url, headers }) =>
    typeof url !== 'string' || url.includes('{')
      ? []
      : [withInputs({ kind: 'mcp', transport: type, url }, 'headers', headers)],
  );
  const packages = toObjects(server.packages).flatMap((given) => {
    const { registryType: registry, identifier, version, fileSha256: sha256 } = given;
    const found = { kind: 'mcp-package', registry, identifier, version, sha256 };
    return toObject(given.transport).type === 'stdio'
      ? [withInputs(found, 'environment', given.environmentVariables)]
      : [];
  });
  return withoutUndefined({
    name: title ?? String(name).split('/').at(-1),
    description,
    website: websiteUrl ?? toObject(server.repository).url,
    connections: [...remotes, ...packages],
  });
}

/** What clients ask their users for; a value that the file fixes is nothing to ask for. */
function withInputs(connection: Json, field: string, given: unknown): Json {
  const inputs = toObjects(given)
    .filter(({ value }) => value === undefined)
    .map(({ name, description = name, isRequired = false, isSecret = false }) => ({
      name,
      description,
      required: isRequired,
      secret: isSecret,
    }));
  return withoutUndefined({ ...connection, ...(inputs.length > 0 && { [field]: inputs }) });
}

function describeCard(card: Json): Json {
  const skills = toObjects(card.skills);
  const [first] = toObjects(card.supportedInterfaces);
  const given = String(first?.url ?? card.url);
  const address = URL.canParse(given) ? new URL(given) : undefined;
  return withoutUndefined({
    name: card.name,
    description: card.description,
    capabilities: skills.map(({ name }) => name),
    website: address ? `${address.origin}/` : undefined,
    connections: address ? [{ kind: 'a2a', card: `${address.origin}/.well-known/agent-card.json` }] : undefined,
    apiAccess: 'yes',
  });
}

function toObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}

function toObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.map(toObject) : [];
}

function withoutUndefined(json: Json): Json {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined));
}
