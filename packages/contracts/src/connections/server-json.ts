// Agents as `server.json` of the MCP registry describes servers, version 2025-12-11.
import { cutPoints } from '../characters.ts';
import type { PackageArgument } from './connection.ts';
import { fillInput, isFixed, nameServers } from './named-servers.ts';
import type { NamedEntry, NamedInput, NamedServer } from './named-servers.ts';
import { runtimes } from './package-command.ts';

export const SERVER_JSON_SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';
/** Longest title and description of a server, in code points. */
const MAX_TEXT_LENGTH = 100;

/** Describes an agent as a server with a name of its own. Its connections that are no MCP servers are left out. */
export function toServerJson(
  agent: NamedEntry & { description: string },
  { name, version }: { name: string; version: string },
) {
  const servers = nameServers(agent);
  const remotes = servers.flatMap(toRemote);
  const packages = servers.flatMap(toPackage);
  return {
    $schema: SERVER_JSON_SCHEMA,
    name,
    title: cut(agent.name),
    description: cut(agent.description),
    version,
    ...(agent.website !== null && { websiteUrl: agent.website }),
    // Some clients take the first one only.
    ...(remotes.length > 0 && { remotes: remotes.toSorted((one, other) => isSse(one) - isSse(other)) }),
    ...(packages.length > 0 && { packages }),
  };
}

/** A text as one line of at most 100 code points. */
function cut(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ');
  return cutPoints(line, MAX_TEXT_LENGTH) === line ? line : `${cutPoints(line, MAX_TEXT_LENGTH - 1).trimEnd()}…`;
}

const isSse = ({ type }: { type: string }) => Number(type === 'sse');

function toRemote({ connection, inputs }: NamedServer) {
  if (connection.kind !== 'mcp') return [];
  const { transport: type, url } = connection;
  return [{ type, url, ...(inputs.length > 0 && { headers: inputs.map(toInput) }) }];
}

function toPackage({ connection, inputs }: NamedServer) {
  if (connection.kind === 'mcp') return [];
  const { registry, identifier, version, sha256, runtimeArguments = [], packageArguments } = connection;
  // Clients add no -y, without which npx asks.
  const yes: PackageArgument[] = registry === 'npm' ? [{ type: 'positional', value: '-y' }] : [];
  const runtime = [...yes, ...runtimeArguments.filter(({ value }) => value !== '-y')];
  const runtimeHint = runtimes[registry];
  const described = {
    registryType: registry,
    identifier,
    ...(version !== undefined && { version }),
    ...(sha256 !== undefined && { fileSha256: sha256 }),
    ...(runtimeHint !== undefined && { runtimeHint }),
    ...(runtime.length > 0 && { runtimeArguments: runtime }),
    ...(packageArguments && { packageArguments }),
    transport: { type: 'stdio' },
    ...(inputs.length > 0 && { environmentVariables: inputs.map(toInput) }),
  };
  return [described];
}

/** An input whose value has a name of its own: otherwise clients keep it by that of the header or variable, which others share. */
function toInput(input: NamedInput) {
  const { name, inputId, description, required, secret } = input;
  const asked = { description, isRequired: required, isSecret: secret };
  const value = fillInput(input, `{${inputId}}`);
  return { name, ...asked, value, ...(!isFixed(input) && { variables: { [inputId]: asked } }) };
}
