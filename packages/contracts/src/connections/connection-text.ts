// Connections as text: one a line, and below it, after a hyphen, the headers or variables that clients ask their users for.
import { inputsOf, type Connection, type ConnectionInput } from './connection.ts';
import { describeArguments } from './package-command.ts';

/** Between the name of an input and its description. */
export const ASKS_FOR = ' asks for ';

const GIVEN = new Set(['value', 'runtimeArguments', 'packageArguments']);

/** A connection without fixed values and arguments, as people write it. */
export function withoutValues<Given extends object>(connection: Given): Given {
  const json = JSON.stringify(connection, (name, member: unknown) => (GIVEN.has(name) ? undefined : member));
  return JSON.parse(json) as Given;
}

/** Writes connections as people write them, without fixed values and arguments. */
export function writeConnections(connections: readonly Connection[] = []): string {
  return listConnections(connections.map(withoutValues)).join('\n');
}

/** The lines of connections, with all that clients run and send. */
export function listConnections(connections: readonly Connection[]): string[] {
  return connections.flatMap((connection) => [
    [writeConnection(connection), ...describeArguments(connection)].join(' '),
    ...inputsOf(connection).map((input) => writeInput(input) + (input.value === undefined ? '' : ` = ${input.value}`)),
  ]);
}

export function writeConnection(connection: Connection): string {
  switch (connection.kind) {
    case 'mcp':
      return `${connection.transport === 'sse' ? 'mcp sse' : 'mcp'} ${connection.url}`;
    case 'mcp-package': {
      const { registry, identifier, version, sha256 } = connection;
      const joined = registry !== 'mcpb' && version !== undefined ? `${identifier}@${version}` : identifier;
      const rest = registry === 'mcpb' ? [version, sha256] : [sha256];
      return [registry, joined, ...rest.filter((part) => part !== undefined)].join(' ');
    }
    case 'a2a':
      return `a2a ${connection.card}`;
    case 'skill':
      return `skill ${connection.format === 'md' ? '' : `${connection.format} `}${connection.url}`;
    case 'openapi':
      return `openapi ${connection.url}`;
  }
}

export function writeInput({ name, description, required, secret }: ConnectionInput): string {
  const marks = [...(required ? [] : ['optional']), ...(secret ? [] : ['public'])];
  const what = description === name ? '' : `${ASKS_FOR}${description}`;
  return `- ${name}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}${what}`;
}
