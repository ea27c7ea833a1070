// Fixed values, templates and arguments of connections.
import type { Connection, ConnectionInput, PackageArgument } from './connection.ts';

/** The name of what the user gives for an input whose value is a template. */
export function variableOf({ value = '' }: Pick<ConnectionInput, 'value'>): string | undefined {
  return /^[^{}]*\{([^{}]*)\}[^{}]*$/.exec(value)?.[1];
}

/** Whether the value of an input is given, so that no client asks for it. */
export function isFixed(input: ConnectionInput): boolean {
  return input.value !== undefined && variableOf(input) === undefined;
}

const GIVEN = new Set(['value', 'runtimeArguments', 'packageArguments']);

/** A connection without fixed values and arguments, as people write it. */
export function withoutValues(connection: Connection): Connection {
  const json = JSON.stringify(connection, (name, member: unknown) => (GIVEN.has(name) ? undefined : member));
  return JSON.parse(json) as Connection;
}

/** The arguments of a package, those of the program that runs it first. */
export function argumentsOf(connection: Connection): readonly PackageArgument[] {
  if (connection.kind !== 'mcp-package') return [];
  return [...(connection.runtimeArguments ?? []), ...(connection.packageArguments ?? [])];
}

/** The arguments of a package as they are written. */
export function describeArguments(connection: Connection): string[] {
  return argumentsOf(connection).map(({ name, value, valueHint, isRequired }) => {
    const text = [name, value ?? (valueHint === undefined ? undefined : `<${valueHint}>`)].filter(Boolean).join(' ');
    return isRequired || value !== undefined ? text : `[${text}]`;
  });
}
