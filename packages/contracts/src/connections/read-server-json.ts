// The one reader of `server.json`, of every version since 2025-07. A bad part costs that part only.
import { cutText } from '../characters.ts';
import { textAt, toObject, valuesAt, type Json } from '../json-paths.ts';
import { findHiddenText } from '../plain-text.ts';
import {
  MAX_CONNECTIONS,
  MAX_INPUT_DESCRIPTION_LENGTH,
  type Connection,
  type ConnectionInput,
  type PackageArgument,
} from './connection.ts';
import { variableOf } from './connection-values.ts';
import { findValueFault } from './connection-faults.ts';
import { toImage } from './pasted/package-references.ts';
import { readConnections } from './read-connections.ts';

/** A part of a description that is not taken, and why, as a sentence about it without its end. */
export type LeftPart = {
  path: readonly (string | number)[];
  why: string;
  /** Whether it is taken, but shorter. */
  isCut?: true;
};
/** The connections that are taken, and what is not. */
export type TakenConnections = { connections: Connection[]; left: LeftPart[] };

/** A part that is read, its path, and where it notes what is not taken. */
type Part = { given: Json; path: LeftPart['path']; left: LeftPart[] };
type Input = { input: ConnectionInput; path: LeftPart['path'] };
/** A connection that is not validated, with its headers or variables. */
type Candidate = Json & { inputs?: Input[] };

/** A sentence without its period about what is not taken; for counts over many files without the numbers of parts. */
export function describeLeft({ path, why }: LeftPart, isCounted = false): string {
  const where = path.map((key) => (typeof key === 'string' ? `.${key}` : isCounted ? '' : `[${key}]`)).join('');
  return `${where.slice(1)}: ${why}`;
}

/** Most parts of a list that are read. */
const MAX_PARTS = 100;
const MAX_DEPTH = 32;

const namesOf = (text: string) => new Set(text.split(' '));
const inputNames = 'description isRequired isSecret format value default placeholder choices';
/** The members of each kind of part. */
const known = {
  remotes: namesOf('type transportType url headers variables'),
  packages: namesOf(
    'registryType registryName registryBaseUrl identifier name version fileSha256 runtimeHint runtimeArguments packageArguments environmentVariables transport',
  ),
  transport: namesOf('type'),
  inputs: namesOf(`${inputNames} name variables`),
  variables: namesOf(inputNames),
  arguments: namesOf(`${inputNames} name variables type valueHint isRepeated`),
};

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
      if (findHiddenText(found, false) !== undefined) return 'has invisible characters';
    } else if (typeof found === 'object' && found !== null) {
      for (const each of Array.isArray(found) ? found : Object.entries(found).flat()) rest.push([each, depth + 1]);
    }
  }
  return undefined;
}

function leave({ path, left }: Omit<Part, 'given'>, why: string): undefined {
  left.push({ path, why });
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
    const isValueOnly = own.length > 0 && own.every(({ path: [, , , field] }) => field === 'value');
    if (isValueOnly) leave({ ...part, path: [...path, 'value'] }, `it ${own[0]?.fault}`);
    else if (own[0]) return leave({ ...part, path }, `its ${own[0].path[3]} ${own[0].fault}`) ?? [];
    return [{ input: isValueOnly || value === undefined ? input : { ...input, value }, path }];
  });
  return keep({ ...rest, inputs: kept }, part);
}

/**
 * The known members of a part, those of before September 2025 under their present names. Others are left out, since a
 * client could run what no page shows.
 */
function membersOf({ given, path, left }: Part, names: ReadonlySet<string>): Json {
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => [
    name.replaceAll(/(?<=[a-z\d])_[a-z]/g, (mark) => mark.slice(1).toUpperCase()),
    value,
  ]);
  const isKnown = ([name, value]: [string, unknown]) => names.has(name) && isOfType(name, value);
  for (const entry of entries) if (!isKnown(entry)) leave({ path: [...path, entry[0]], left }, 'it is not known here');
  return Object.fromEntries(entries.filter(isKnown));
}

function isOfType(name: string, value: unknown): boolean {
  if (name.startsWith('is')) return typeof value === 'boolean';
  if (/^(?:headers|choices|.*(?:Arguments|Variables))$/.test(name)) return Array.isArray(value);
  return typeof value === (/^(?:variables|transport)$/.test(name) ? 'object' : 'string');
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
  if (hint !== undefined && !/^(?:npx|uvx|docker|dnx)$/.test(String(hint)))
    leave({ path: [...path, 'runtimeHint'], left }, 'it is none of npx, uvx, docker and dnx');
  const inputs = readInputs(part, 'environmentVariables', given.environmentVariables);
  const identifier = String(given.identifier ?? given.name ?? '');
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
  const hasHost = host === undefined || /^[^/]*[.:][^/]*\//.test(identifier);
  const image = toImage(hasHost ? identifier : `${host}/${identifier}`);
  return typeof version !== 'string' || /:[^/]*$|@/.test(image) ? image : `${image}:${version}`;
}

function readInputs({ path, left }: Part, list: string, given: unknown = []): Input[] {
  const taken = new Set<string>();
  return valuesAt({ given }, 'given').flatMap((each, index) => {
    const own = { given: toObject(each), path: [...path, list, index], left };
    const input = readInput(own);
    if (taken.has(input.name.toLowerCase())) return leave(own, 'its name is that of an earlier one') ?? [];
    taken.add(input.name.toLowerCase());
    return [{ input, path: own.path }];
  });
}

/** Reads a header or variable. What the user gives in a template is described by its variable. */
function readInput(part: Part, name?: string): ConnectionInput {
  const given = membersOf(part, name === undefined ? known.inputs : known.arguments);
  const variables = readVariables(part, given);
  const value = fill(given.value, variables, 'value');
  const own = name === undefined ? String(given.name ?? '') : name;
  const variable = value === undefined ? undefined : variableOf({ value });
  const asked = variable === undefined ? given : { ...given, ...toObject(variables[variable]) };
  const usual = readDefault(part, given, asked === given ? undefined : variable, variables);
  const description = textAt(asked, 'description') ?? variable ?? own;
  return {
    name: own,
    description: toLine(usual === undefined ? description : `${description} (default: ${usual})`, part),
    required: asked.isRequired === true,
    secret: asked.isSecret === true,
    ...(value !== undefined && { value }),
  };
}

/** The default of an input or of its variable, which clients put into what they ask. */
function readDefault({ path, left }: Part, given: Json, variable?: string, variables: Json = {}): string | undefined {
  const own = variable === undefined ? undefined : textAt(variables[variable], 'default');
  const usual = own ?? textAt(given, 'default');
  if (usual === undefined || findValueFault(usual) === undefined) return usual;
  const place = own === undefined ? [] : ['variables', String(variable)];
  return leave({ path: [...path, ...place, 'default'], left }, 'it cannot be shown');
}

function readVariables({ path, left }: Part, { variables }: Json): Json {
  const entries = Object.entries(toObject(variables)).map(([name, each]) => [
    name,
    membersOf({ given: toObject(each), path: [...path, 'variables', name], left }, known.variables),
  ]);
  return Object.fromEntries(entries) as Json;
}

/** A description in one line, cut at the length that is stored. */
function toLine(text: string, { path, left }: Part): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const cut = cutText(line, MAX_INPUT_DESCRIPTION_LENGTH).trim();
  if (cut !== line) left.push({ path: [...path, 'description'], why: 'it is cut', isCut: true });
  return cut;
}

/** A template with what is known of its variables. */
function fill(template: unknown, variables: Json, ...members: readonly string[]): string | undefined {
  if (typeof template !== 'string') return undefined;
  return template.replaceAll(/\{([^{}]*)\}/g, (place, name: string) => textAt(variables[name], ...members) ?? place);
}

/** Reads arguments. One that sets a variable of a container is a variable. */
function readArguments({ path, left }: Part, list: string, given: unknown = [], inputs?: Input[]) {
  const found = valuesAt({ given }, 'given').flatMap((each, index) => {
    const own: Part = { given: toObject(each), path: [...path, list, index], left };
    const [, name, value] = /^(\w+)(?:=(.*))?$/s.exec(textAt(each, 'value') ?? '') ?? [];
    if (!inputs || name === undefined || !/^(?:-e|--env)$/.test(String(own.given.name))) return [readArgument(own)];
    const isKnown = inputs.some(({ input }) => input.name === name);
    if (!isKnown) inputs.push({ input: readInput({ ...own, given: { ...own.given, value } }, name), path: own.path });
    return [];
  });
  return found.length > 0 ? found : undefined;
}

function readArgument(part: Part): PackageArgument {
  const given = membersOf(part, known.arguments);
  const { type, name, isRequired = false, description, format, choices, placeholder } = given;
  const usual = readDefault(part, given);
  const value = fill(given.value ?? (isRequired ? usual : undefined), readVariables(part, given), 'value', 'default');
  const isFixed = value !== undefined && !/[{}]/.test(value);
  // A named one of which nothing says that it has a value is a switch.
  const isAsked = type === 'named' && (usual ?? choices ?? placeholder ?? (format === 'boolean' ? undefined : format));
  const hint =
    value?.replaceAll(/[{}]/g, '') ?? given.valueHint ?? usual ?? (isAsked && String(name).replace(/^-+/, ''));
  return {
    type: type as PackageArgument['type'],
    ...(name !== undefined && { name: name as string }),
    ...(isFixed ? { value } : hint !== undefined && hint !== false && { valueHint: hint as string }),
    ...(typeof description === 'string' && description.trim() !== '' && { description: toLine(description, part) }),
    ...((isRequired || (value !== undefined && !isFixed)) && { isRequired: true }),
  };
}
