// The one reader of `server.json`, of every version since 2025-07. A bad part costs that part only.
import { textAt, toObject, type Json } from '../json-paths.ts';
import { findHiddenText } from '../plain-text.ts';
import { MAX_CONNECTIONS, type Connection } from './connection.ts';
import { toImage } from './pasted/package-references.ts';
import { readConnections } from './read-connections.ts';
import {
  known,
  leave,
  membersOf,
  readArguments,
  readInputs,
  type Input,
  type LeftPart,
  type Part,
} from './server-parts.ts';

/** The connections that are taken, and what is not. */
export type TakenConnections = { connections: Connection[]; left: LeftPart[] };

/** A connection that is not validated, with its headers or variables. */
type Candidate = Json & { inputs?: Input[] };

/** Most parts of a list that are read. */
const MAX_PARTS = 100;
const MAX_DEPTH = 32;

/** The connections of a `server.json`, and what of it is not taken. */
export function readServerJson(server: Json): TakenConnections {
  return take(server, [
    ['remotes', readRemote],
    ['packages', readPackage],
  ]);
}

/** The connections of a list that are valid, and why others are not taken. */
export function takeConnections(connections: readonly unknown[]): TakenConnections {
  return take({ connections }, [['connections', ({ given }) => given]]);
}

function take(from: Json, lists: readonly [string, (part: Part) => Candidate | undefined][]): TakenConnections {
  const left: LeftPart[] = [];
  const connections: Connection[] = [];
  for (const [list, read] of lists) {
    for (const [index, each] of (Array.isArray(from[list]) ? from[list] : []).entries()) {
      const part: Part = { given: toObject(each), path: [list, index], left };
      const isBeyond = index >= MAX_PARTS || connections.length === MAX_CONNECTIONS;
      const fault = isBeyond ? `comes after ${MAX_CONNECTIONS} others` : findTextsFault(each);
      const connection = fault === undefined ? keep(read(part), part) : leave(part, `it ${fault}`);
      const [together] = connection ? readConnections([...connections, connection]).faults : [];
      if (together) leave(part, `with it, the connections ${together.fault}`);
      else if (connection) connections.push(connection);
    }
  }
  return { connections, left };
}

/** Why the texts in a value are not taken, as the end of a sentence; undefined if they are. */
export function findTextsFault(value: unknown): string | undefined {
  const rest: [unknown, number][] = [[value, 0]];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const [found, depth] = next;
    if (depth > MAX_DEPTH) return 'is nested too deeply';
    if (typeof found === 'string') {
      if (found.includes('${')) return 'has ${, which clients expand';
      if (!/^[\n -~]*$/.test(found) && findHiddenText(found, false) !== undefined) return 'has invisible characters';
    } else if (typeof found === 'object' && found !== null) {
      for (const each of Array.isArray(found) ? found : Object.entries(found).flat()) rest.push([each, depth + 1]);
    }
  }
  return undefined;
}

/** Validates a connection without the headers, variables and values that cannot be taken. */
function keep(candidate: Candidate | undefined, part: Part): Connection | undefined {
  if (!candidate) return undefined;
  const { inputs = [], ...rest } = candidate;
  const list = rest.kind === 'mcp' ? 'headers' : 'environment';
  const given = inputs.length > 0 ? { [list]: inputs.map(({ input }) => input) } : {};
  const { connections, faults } = readConnections([{ ...rest, ...given }]);
  if (faults.length === 0) return connections[0];
  const other = faults.find(({ path: [, name], path }) => name !== list || inputs.length === 0 || path.length === 2);
  if (other) return leave(part, `its ${other.path.slice(1).join('.') || 'form'} ${other.fault}`);
  const kept = inputs.flatMap(({ input: { value, ...input }, path }, index): Input[] => {
    const own = faults.filter(({ path: [, , at] }) => at === index);
    // An option without its value would take the next word.
    const isValueOnly =
      own.length > 0 && own.every(({ path: [, , , field] }) => field === 'value') && path[2] !== 'runtimeArguments';
    if (isValueOnly) leave({ ...part, path: [...path, 'value'] }, `it ${own[0]?.fault}`);
    else if (own[0]) return leave({ ...part, path }, `its ${own[0].path[3]} ${own[0].fault}`) ?? [];
    return [{ input: isValueOnly || value === undefined ? input : { ...input, value }, path }];
  });
  return keep({ ...rest, inputs: kept }, part);
}

function readRemote(part: Part): Candidate | undefined {
  const { type, transportType, url, headers } = membersOf(part, known.remotes);
  if (/[{}]/.test(String(url))) return leave(part, 'its url has a place for what the user gives');
  return { kind: 'mcp', transport: type ?? transportType, url, inputs: readInputs(part, 'headers', headers) };
}

/** The registries from which clients fetch packages without being told otherwise. */
const defaultHosts: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  pypi: ['pypi.org'],
  nuget: ['api.nuget.org', 'www.nuget.org', 'nuget.org'],
};

function readPackage(part: Part): Candidate | undefined {
  const given = membersOf(part, known.packages);
  const { path, left } = part;
  const { version, fileSha256: sha256, runtimeHint: hint, transport = { type: 'stdio' } } = given;
  const registry = String(given.registryType ?? given.registryName);
  if (toObject(transport).type !== 'stdio') return leave(part, 'its transport is not stdio');
  membersOf({ given: toObject(transport), path: [...path, 'transport'], left }, known.transport);
  const base = textAt(given, 'registryBaseUrl');
  const host = base === undefined ? undefined : (URL.parse(base)?.hostname ?? '');
  if (host !== undefined && defaultHosts[registry]?.includes(host) === false)
    return leave(part, `it comes from another place than ${registry}`);
  if (hint !== undefined && !['npx', 'uvx', 'docker', 'dnx'].includes(hint as string))
    leave({ path: [...path, 'runtimeHint'], left }, 'it is none of npx, uvx, docker and dnx');
  const inputs = readInputs(part, 'environmentVariables', given.environmentVariables);
  const identifier = textAt(given, 'identifier', 'name') ?? '';
  const isImage = registry === 'oci';
  const shared = {
    kind: 'mcp-package',
    registry,
    identifier: isImage ? toTagged(identifier, host, version) : identifier,
  };
  return {
    ...shared,
    ...(!isImage && version !== undefined && { version }),
    ...(sha256 !== undefined && { sha256 }),
    runtimeArguments: readArguments(part, 'runtimeArguments', given.runtimeArguments, inputs),
    packageArguments: readArguments(part, 'packageArguments', given.packageArguments),
    inputs,
  };
}

/** An image with its host, and with the tag that was beside it before October 2025. */
function toTagged(identifier: string, host: string | undefined, version: unknown): string {
  const hasHost = host === undefined || (/^[^/]+\//.test(identifier) && /[.:]/.test(identifier.split('/', 1).join()));
  const image = toImage(hasHost ? identifier : `${host}/${identifier}`);
  return typeof version !== 'string' || /[:@]/.test(image.split('/').at(-1) ?? '') ? image : `${image}:${version}`;
}
