// Sentences about pasted connections, which name what is wrong in the words of the person.
import { readConnections } from '../read-connections.ts';
import type { ConnectionInput } from '../connection.ts';
import { findHeaderFault, findVariableFault, findVersionFault } from '../connection-faults.ts';
import type { PackageRegistry } from '../kinds.ts';
import { suggestVersion } from './package-references.ts';
import type { GivenConnection } from './read-command.ts';

/** The names of kinds of connections and of registries. */
const kindNames: Readonly<Record<string, string>> = {
  mcp: 'MCP address',
  a2a: 'agent card',
  skill: 'skill',
  openapi: 'OpenAPI description',
  npm: 'npm package',
  pypi: 'PyPI package',
  oci: 'image',
  nuget: 'NuGet package',
  mcpb: 'MCPB file',
};

const fieldNames: Readonly<Record<string, string>> = { sha256: 'SHA-256', environment: 'variables' };

/** A sentence without a period about a connection, from the first fault that the schema found. */
function describe(candidate: GivenConnection, fault: string, path: readonly PropertyKey[]): string {
  const { kind, identifier, sha256 } = candidate;
  const registry = candidate.registry as PackageRegistry;
  const subject = `this ${kindNames[kind === 'mcp-package' ? registry : kind] ?? 'connection'}`;
  if (kind === 'mcp-package' && isUnversioned(candidate))
    return `${subject} has no exact version: write ${suggestVersion(registry, String(identifier))}`;
  const [field = '', index] = path.map(String);
  if (field === 'sha256' && sha256 === undefined)
    return `${subject} has no SHA-256: write mcpb ${String(identifier)} and the 64 digits of its checksum`;
  if (/^must not have the fields (?:headers|environment)/.test(fault))
    return `${subject} cannot have headers or variables`;
  const inputs = candidate[field];
  if (index !== undefined && Array.isArray(inputs))
    return `the description of ${(inputs[Number(index)] as ConnectionInput).name} ${fault}`;
  // The connection is called by these.
  if (/^(?:identifier|url|card)?$/.test(field)) return `${subject} ${fault}`;
  return `the ${fieldNames[field] ?? field} of ${subject} ${fault}`;
}

function isUnversioned({ registry, identifier, version }: GivenConnection): boolean {
  if (registry === 'mcpb') return false;
  if (registry === 'oci') return !/:(?!latest$)[^/:]+$|@sha256:/.test(String(identifier));
  return findVersionFault(registry as PackageRegistry, version as string | undefined) !== undefined;
}

/** Validates a connection. Names that the registry refuses are left out and returned. */
export function validateConnection(candidate: GivenConnection, inputs: readonly ConnectionInput[]) {
  const isPackage = candidate.kind === 'mcp-package';
  const findNameFault = isPackage ? findVariableFault : findHeaderFault;
  const left = inputs.filter(({ name }) => findNameFault(name) !== undefined).map(({ name }) => name);
  const kept = inputs.filter(({ name }) => findNameFault(name) === undefined);
  const byName = Map.groupBy(kept, ({ name }) => name.toLowerCase());
  const once = Array.from(byName.values(), ([first]) => first);
  const given = once.length > 0 ? { ...candidate, [isPackage ? 'environment' : 'headers']: once } : candidate;
  const { connections, faults } = readConnections([given]);
  const fault = faults[0] && describe(given, faults[0].fault, faults[0].path.slice(1));
  return { connection: connections[0], fault, left };
}
