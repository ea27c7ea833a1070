// The one reader of `server.json`, of every version since 2025-07. A bad part costs that part only.
import { textAt, textsAt, toObject, valuesAt, type Json } from '../json-paths.ts';
import { findHiddenText } from '../plain-text.ts';
import { MAX_CONNECTIONS, type Connection } from './connection.ts';
import { toImage } from './pasted/package-references.ts';
import { runtimes } from './package-command.ts';
import { readConnections } from './read-connections.ts';
import { known, leave, membersOf, readArguments, readInputs, type LeftPart, type Part } from './server-parts.ts';

export type TakenConnections = { connections: Connection[]; left: LeftPart[] };

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

/** @param lists the names of lists, and what makes connections, which are not validated, of their parts */
function take(from: Json, lists: readonly [string, (part: Part) => Json | undefined][]): TakenConnections {
  const left: LeftPart[] = [];
  const connections: Connection[] = [];
  for (const [list, read] of lists) {
    for (const [index, each] of (Array.isArray(from[list]) ? from[list] : []).entries()) {
      const part: Part = { given: toObject(each), path: [list, index], left };
      const isBeyond = index >= MAX_PARTS || connections.length === MAX_CONNECTIONS;
      const fault = isBeyond ? `comes after ${MAX_CONNECTIONS} others` : findTextsFault(each);
      const connection = fault === undefined ? validate(read(part), part) : leave(part, `it ${fault}`);
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

function validate(candidate: Json | undefined, part: Part): Connection | undefined {
  if (!candidate) return undefined;
  const { connections, faults } = readConnections([candidate]);
  const [fault] = faults;
  return fault ? leave(part, `its ${fault.path.slice(1).join('.') || 'form'} ${fault.fault}`) : connections[0];
}

function readRemote(part: Part): Json | undefined {
  const { type, transportType, url, headers } = membersOf(part, known.remotes);
  if (/[{}]/.test(String(url))) return leave(part, 'its url has a place for what the user gives');
  return { kind: 'mcp', transport: type ?? transportType, url, headers: readInputs(part, 'headers', headers) };
}

/** The registries from which clients fetch packages without being told otherwise. */
const defaultHosts: Readonly<Record<string, readonly string[]>> = {
  npm: ['registry.npmjs.org'],
  pypi: ['pypi.org'],
  nuget: ['api.nuget.org', 'www.nuget.org', 'nuget.org'],
};

function readPackage(part: Part): Json | undefined {
  const given = membersOf(part, known.packages);
  const { path, left } = part;
  const { version, fileSha256: sha256, runtimeHint: hint, transport = { type: 'stdio' } } = given;
  const registry = String(given.registryType ?? given.registryName);
  if (toObject(transport).type !== 'stdio') return leave(part, 'its transport is not stdio');
  if (valuesAt(given, 'runtimeArguments').some(readsVariables))
    return leave(part, 'its runtimeArguments pass on variables or files of who runs it');
  membersOf({ given: toObject(transport), path: [...path, 'transport'], left }, known.transport);
  const base = textAt(given, 'registryBaseUrl');
  const host = base === undefined ? undefined : (URL.parse(base)?.hostname ?? '');
  if (host !== undefined && defaultHosts[registry]?.includes(host) === false)
    return leave(part, `it comes from another place than ${registry}`);
  if (hint !== undefined && hint !== (runtimes as Json)[registry])
    leave({ path: [...path, 'runtimeHint'], left }, 'it is not the program that runs packages of its registry');
  const environment = readInputs(part, 'environmentVariables', given.environmentVariables);
  const identifier = textAt(given, 'identifier', 'name') ?? '';
  const isImage = registry === 'oci';
  return {
    kind: 'mcp-package',
    registry,
    identifier: isImage ? toTagged(identifier, host, version) : identifier,
    version: isImage ? undefined : version,
    sha256,
    runtimeArguments: readArguments(part, 'runtimeArguments', given.runtimeArguments, environment),
    packageArguments: readArguments(part, 'packageArguments', given.packageArguments),
    environment,
  };
}

/** Whether an argument of `docker run` takes variables in another way than as `-e NAME`, or from a file. */
function readsVariables(argument: unknown): boolean {
  const text = textsAt(argument, 'name', 'value').join(' ');
  return /^-(?:[itd]*e|-env)/.test(text) && !/^(?:-e|--env) (?:\w+(?:=|$)|\{)/.test(text);
}

/** An image with its host, and with the tag that was beside it before October 2025. */
function toTagged(identifier: string, host: string | undefined, version: unknown): string {
  const hasHost = host === undefined || (/^[^/]+\//.test(identifier) && /[.:]/.test(identifier.split('/', 1).join()));
  const image = toImage(hasHost ? identifier : `${host}/${identifier}`);
  return typeof version !== 'string' || /[:@]/.test(image.split('/').at(-1) ?? '') ? image : `${image}:${version}`;
}
