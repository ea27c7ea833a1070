// What clients keep the MCP servers of an entry by. A stranger chooses names, headers and variables, so whatever a client
// looks up in the files or environment of its user also carries eight signs of the entry's id. Codex, Gemini CLI, VS Code and
// all files replace a server of the same name without a word, and Claude Code hides one of a wider scope.
import { inputsOf, type Connectable, type ConnectionInput } from './connection.ts';
import type { McpPackage, McpRemote } from './connection.ts';

export type NamedEntry = Connectable & { id: string; name: string; website: string | null };

export type NamedInput = ConnectionInput & {
  /** The id under which a client keeps what its user typed, such as `tides-3f2b8c1e-authorization`. */
  inputId: string;
  /** The environment variable that a client reads, such as `TIDES_3F2B8C1E_AUTHORIZATION`. */
  variable: string;
};

export type NamedServer = {
  connection: McpRemote | McpPackage;
  /** The name under which a client keeps it, such as `tides-3f2b8c1e`: at most 40 of `[a-z0-9-]`. */
  name: string;
  inputs: NamedInput[];
};

/** Longest slug in a local name: clients join the name with those of tools, which may have 64 characters together. */
const MAX_SLUG_LENGTH = 29;

/** The MCP servers of an entry with the names that only they have. The second one and later ones also carry their number. */
export function nameServers(entry: NamedEntry): NamedServer[] {
  // The first word of eight hexadecimal digits is always the id, so no name of one entry continues another's.
  const slug = toEntrySlug(entry, MAX_SLUG_LENGTH).replaceAll(/\b([\da-f]{7})[\da-f]\b/g, '$1');
  const first = `${slug}-${entry.id.slice(0, 8).toLowerCase()}`;
  return (entry.connections ?? [])
    .filter((connection) => connection.kind === 'mcp' || connection.kind === 'mcp-package')
    .map((connection, index) => {
      const name = index === 0 ? first : `${first}-${index + 1}`;
      return { connection, name, inputs: nameInputs(name, inputsOf(connection)) };
    });
}

function nameInputs(server: string, inputs: readonly ConnectionInput[]): NamedInput[] {
  const taken = new Set<string>();
  return inputs.map((input) => {
    const part = (variableOf(input) ?? input.name).toLowerCase().replaceAll(/[^a-z\d]/g, '-');
    // After a number that is the connection's there is a letter.
    let inputId = `${server}-${/^[a-z]/.test(part) ? part : `x${part}`}`;
    while (taken.has(inputId)) inputId += '-x';
    taken.add(inputId);
    const variable = inputId.replaceAll('-', '_').toUpperCase();
    return { ...input, inputId, variable: /^[A-Z]/.test(variable) ? variable : `MCP_${variable}` };
  });
}

/** The name of what the user gives for an input whose value is a template. */
export function variableOf({ value = '' }: Pick<ConnectionInput, 'value'>): string | undefined {
  return /^[^{}]*\{([^{}]*)\}[^{}]*$/.exec(value)?.[1];
}

/** Whether the value of an input is given, so that no client asks for it. */
export function isFixed(input: ConnectionInput): boolean {
  return input.value !== undefined && variableOf(input) === undefined;
}

/** The value of an input, with a text in the place of what its user gives. */
export function fillInput({ value }: ConnectionInput, given: string): string {
  return value?.replace(/\{[^{}]*\}/, () => given) ?? given;
}

/** The name of an entry in the letters that every client takes; of a name without them the label of the entry's host. */
export function toEntrySlug({ name, website, connections = [] }: Omit<NamedEntry, 'id'>, max: number): string {
  const address = connections.find((connection) => connection.kind === 'mcp')?.url ?? website ?? '';
  const labels = URL.parse(address)?.hostname.split('.') ?? [];
  const label = labels.find((each) => !/^(?:www|api|mcp)$/.test(each)) ?? '';
  return [name, label].map((text) => toSlug(text, max)).find((slug) => /[a-z]/.test(slug)) ?? 'agent';
}

/** A text as words of `[a-z0-9]` with hyphens between. */
function toSlug(text: string, max: number): string {
  const letters = text.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const slug = letters.replaceAll(/[^a-z\d]+/g, '-');
  return slug.replace(/^-/, '').slice(0, max).replace(/-$/, '');
}
