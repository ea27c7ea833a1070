// Sentences about pasted connections, which name what is wrong in the words of the person.
import { readConnections } from '../read-connections.ts';
import type { ConnectionInput, PackageRegistry } from '../connection.ts';
import { findHeaderFault, findVariableFault, findVersionFault } from '../connection-faults.ts';
import { withInputs } from '../connection-text.ts';
import { suggestVersion } from './package-references.ts';

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

type Candidate = Record<string, unknown> & { kind?: unknown };

function nameOf({ kind, registry }: Candidate): string {
  return kindNames[String(kind === 'mcp-package' ? registry : kind)] ?? 'connection';
}

/** What a person reads for a field of a connection. */
const fieldNames: Readonly<Record<string, string>> = {
  identifier: '',
  url: '',
  card: '',
  sha256: 'SHA-256',
  environment: 'variables',
};

/** A sentence without a period about a connection, from the first fault that the schema found. */
function describe(candidate: Candidate, fault: string, path: readonly PropertyKey[]): string {
  const subject = nameOf(candidate);
  if (candidate.kind === 'mcp-package') {
    const registry = candidate.registry as PackageRegistry;
    const identifier = String(candidate.identifier);
    const version = typeof candidate.version === 'string' ? candidate.version : undefined;
    const isUnversioned =
      registry === 'oci'
        ? !/:(?!latest$)[^/:]+$|@sha256:/.test(identifier)
        : registry !== 'mcpb' && findVersionFault(registry, version) !== undefined;
    if (isUnversioned) return `this ${subject} has no exact version: write ${suggestVersion(registry, identifier)}`;
    if (path[0] === 'sha256' && candidate.sha256 === undefined)
      return `this ${subject} has no SHA-256: write mcpb ${identifier} and the 64 digits of its checksum`;
  }
  const [field, index, part] = path.map(String);
  if (field === undefined) {
    const hasInputs = /^must not have the fields (?:headers|environment)/.test(fault);
    return hasInputs ? `this ${subject} cannot have headers or variables` : `this ${subject} ${fault}`;
  }
  const inputs = candidate[field];
  if (index !== undefined && Array.isArray(inputs)) {
    const { name } = inputs[Number(index)] as ConnectionInput;
    return `the ${part === 'description' ? 'description' : 'name'} of ${name} ${fault}`;
  }
  const name = fieldNames[field] ?? field;
  return name === '' ? `this ${subject} ${fault}` : `the ${name} of this ${subject} ${fault}`;
}

/** Validates a connection. Names that the registry refuses are left out and returned. */
export function validateConnection(candidate: Candidate, inputs: readonly ConnectionInput[]) {
  const findNameFault = candidate.kind === 'mcp-package' ? findVariableFault : findHeaderFault;
  const left = inputs.filter(({ name }) => findNameFault(name) !== undefined).map(({ name }) => name);
  const byName = new Map<string, ConnectionInput>();
  for (const input of inputs) {
    const key = input.name.toLowerCase();
    if (!left.includes(input.name) && !byName.has(key)) byName.set(key, input);
  }
  const given = withInputs(candidate, [...byName.values()]);
  const { connections, faults } = readConnections([given]);
  const fault = faults[0] && describe(given, faults[0].fault, faults[0].path.slice(1));
  return { connection: connections[0], fault, left };
}
