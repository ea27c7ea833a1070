// The command that runs a package, and what stands in it for the values that its user gives.
import type { Connection, ConnectionInput, McpPackage, PackageArgument } from './connection.ts';
import { variableOf } from './named-servers.ts';

/** The programs that run packages of a registry. */
export const runtimes = { npm: 'npx', pypi: 'uvx', oci: 'docker', nuget: 'dnx', mcpb: undefined };

/** What runs a package, with its arguments; empty where it has some that no command can have. */
export function toCommand(given: McpPackage, inputs: readonly ConnectionInput[]): string[] {
  const { registry, identifier, version = '', runtimeArguments = [], packageArguments = [] } = given;
  // Passed on from the environment that the snippet sets.
  const variables = inputs.flatMap(({ name }) => ['-e', name]);
  const isUsual = ({ name, value }: PackageArgument) =>
    /^(?:-y|-i|--rm)$/.test([name, value].join('')) || (name === '-e' && variables.includes(value ?? ''));
  const args = packageArguments.flatMap(toWords);
  // PowerShell and scripts of npm hand & on bare.
  if (!runtimeArguments.every(isUsual) || args.some((word) => word.includes('&'))) return [];
  const program = runtimes[registry];
  const words = {
    npm: ['-y', `${identifier}@${version}`, ...args],
    pypi: [`${identifier}==${version}`, ...args],
    nuget: [`${identifier}@${version}`, '--yes', ...(args.length > 0 ? ['--', ...args] : [])],
    oci: ['run', '-i', '--rm', ...variables, identifier, ...args],
    mcpb: [],
  };
  return program === undefined ? [] : [program, ...words[registry]];
}

/** The words of an argument that a command needs; a placeholder for what the user gives. */
function toWords({ name, value, valueHint, isRequired = false }: PackageArgument): string[] {
  if (!isRequired && value === undefined && valueHint !== undefined) return [];
  const given = value ?? (valueHint === undefined ? undefined : toPlaceholder(valueHint));
  return [name, given].filter((word) => word !== undefined);
}

/** A placeholder for what the user gives for an input, which no client looks up. */
export function placeholder(input: ConnectionInput): string {
  return toPlaceholder(variableOf(input) ?? input.name);
}

function toPlaceholder(name: string): string {
  return `YOUR_${name.replaceAll(/\W+/g, '_').toUpperCase()}`;
}

/** The arguments of a package, those of the program that runs it first. */
export function argumentsOf(connection: Connection): readonly PackageArgument[] {
  if (connection.kind !== 'mcp-package') return [];
  return [...(connection.runtimeArguments ?? []), ...(connection.packageArguments ?? [])];
}

export function describeArguments(connection: Connection): string[] {
  return argumentsOf(connection).map(({ name, value, valueHint, isRequired }) => {
    const text = [name, value ?? (valueHint === undefined ? undefined : `<${valueHint}>`)].filter(Boolean).join(' ');
    return isRequired || value !== undefined ? text : `[${text}]`;
  });
}
