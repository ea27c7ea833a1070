// What a list of connections may be. Plain functions, so that the command of the client needs no library of schemas.
import { toObject, type Json } from '../json-paths.ts';
import { findTextFault } from '../plain-text.ts';
import { addressOf, MAX_CONNECTIONS, MAX_INPUT_DESCRIPTION_LENGTH, type Connection } from './connection.ts';
import {
  findAddressFault,
  findChecksumFault,
  findHeaderFault,
  findIdentifierFault,
  findInputValueFault,
  findValueFault,
  findVariableFault,
  findVersionFault,
} from './connection-faults.ts';
import { argumentTypes, connectionKinds, mcpTransports, packageRegistries, skillFormats } from './kinds.ts';
import type { PackageRegistry } from './kinds.ts';

/** Largest list of connections, in bytes of its JSON. */
const MAX_BYTES = 16_384;
/** Most headers of a connection, variables, and arguments of a package or of its program; longest hint of an argument. */
const [MAX_HEADERS, MAX_VARIABLES, MAX_ARGUMENTS, MAX_HINT_LENGTH] = [8, 16, 16, 100] as const;

type Path = readonly (string | number)[];

/** What is wrong with a part of connections: `fault` is the end of the sentence that `message` is. */
type ConnectionFault = { path: Path; fault: string; message: string };

/** Where a value is: its path, the object that has it, and where faults go. */
type Place = { path: Path; of: Json; faults: ConnectionFault[] };
/** Reads a value as it is stored; undefined is left out. */
type Rule = (given: unknown, place: Place) => unknown;

function report({ path, faults }: Place, fault: string): undefined {
  const where = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
  faults.push({ path, fault, message: `connections${where} ${fault}` });
}

const mustBe = (given: unknown, like: string) => (given === undefined ? 'is required' : `must be ${like}`);

/** A text in which a function finds no fault. */
function text(findFault: (value: string, of: Json) => string | undefined): Rule {
  return (given, place) => {
    if (typeof given !== 'string') return report(place, mustBe(given, 'text'));
    const value = given.trim();
    const fault = findFault(value, place.of);
    return fault === undefined ? value : report(place, fault);
  };
}

function optional(rule: Rule, isOptional: (of: Json) => boolean = () => true): Rule {
  return (given, place) => (given === undefined && isOptional(place.of) ? undefined : rule(given, place));
}

/** A text of a package, whose rule depends on its registry. */
function ofPackage(findFault: (registry: PackageRegistry, value: string | undefined) => string | undefined): Rule {
  return (given, place) => {
    const registry = packageRegistries.find((known) => known === place.of.registry);
    if (given !== undefined && typeof given !== 'string') return report(place, 'must be text');
    const value = given?.trim();
    const fault = registry && findFault(registry, value);
    if (fault !== undefined) return report(place, fault);
    return registry === 'mcpb' ? toHref(value) : value;
  };
}

function oneOf(values: readonly string[]): Rule {
  return (given, place) =>
    values.includes(given as string) ? given : report(place, mustBe(given, `one of ${values.join(', ')}`));
}

const flag: Rule = (given, place) => (typeof given === 'boolean' ? given : report(place, 'must be true or false'));

/** An address as the URL parser writes it. */
const address: Rule = (given, place) => toHref(text(findAddressFault)(given, place));

function toHref(given: unknown): unknown {
  return typeof given === 'string' ? (URL.parse(given)?.href ?? given) : given;
}

const line = (max: number) =>
  text((value) => {
    if (value === '') return 'is required';
    return value.includes('${') ? 'must not have ${' : findTextFault(value, { max, isLine: true });
  });

/** A list that is left out where it is empty. Its entries are counted before any is read. */
function list(rule: Rule, max: number, keyOf?: (entry: unknown) => string): Rule {
  return optional((given, place) => {
    if (!Array.isArray(given)) return report(place, 'must be a list');
    if (given.length > max) return report(place, `can have at most ${max} entries`);
    const before = place.faults.length;
    const entries = given.map((entry, index) => rule(entry, { ...place, path: [...place.path, index] }));
    if (place.faults.length === before && keyOf && new Set(entries.map(keyOf)).size < entries.length)
      return report(place, 'must not have the same entry twice');
    return entries.length > 0 ? entries : undefined;
  });
}

/** An object with these members and no others, in their order. */
function object(rules: Readonly<Record<string, Rule>>): Rule {
  return (given, place) => {
    const entries = toObject(given);
    if (entries !== given) return report(place, 'must be an object');
    const others = Object.keys(entries).filter((name) => !Object.hasOwn(rules, name));
    const names = others.slice(0, 5).map((name) => name.replaceAll(/[^!-~]/gu, '?').slice(0, 40));
    if (names.length > 0) report(place, `must not have the fields ${names.join(', ')}`);
    const members = Object.entries(rules).map(([name, rule]) => [
      name,
      rule(entries[name], { ...place, of: entries, path: [...place.path, name] }),
    ]);
    // As JSON has them, so that equal ones compare equal.
    return Object.fromEntries(members.filter(([, value]) => value !== undefined));
  };
}

const isTrueByDefault: Rule = (given = true, place) => flag(given, place);
const keyOfInput = (input: unknown) => String((input as Json).name).toLowerCase();

function inputs(findNameFault: (name: string) => string | undefined, max: number): Rule {
  const input = object({
    name: text(findNameFault),
    description: line(MAX_INPUT_DESCRIPTION_LENGTH),
    required: isTrueByDefault,
    secret: isTrueByDefault,
    value: optional(text((value, { name }) => findInputValueFault(String(name), value))),
  });
  return list(input, max, keyOfInput);
}

const argument = object({
  type: oneOf(argumentTypes),
  name: optional(text(findValueFault), ({ type }) => type === 'positional'),
  value: optional(text(findValueFault), ({ type, valueHint }) => type !== 'positional' || valueHint !== undefined),
  valueHint: optional(line(MAX_HINT_LENGTH)),
  description: optional(line(MAX_INPUT_DESCRIPTION_LENGTH)),
  isRequired: optional(flag),
});
const packageArguments = list(argument, MAX_ARGUMENTS);

const kind = oneOf(connectionKinds);
const members: Record<Connection['kind'], Rule> = {
  mcp: object({
    kind,
    transport: oneOf(mcpTransports),
    url: address,
    headers: inputs(findHeaderFault, MAX_HEADERS),
    // The registry sets it.
    tools: () => undefined,
  }),
  'mcp-package': object({
    kind,
    registry: oneOf(packageRegistries),
    identifier: ofPackage((registry, value) =>
      value === undefined ? 'is required' : findIdentifierFault(registry, value),
    ),
    version: ofPackage(findVersionFault),
    sha256: ofPackage(findChecksumFault),
    environment: inputs(findVariableFault, MAX_VARIABLES),
    runtimeArguments: packageArguments,
    packageArguments,
  }),
  a2a: object({ kind, card: address }),
  skill: object({ kind, url: address, format: oneOf(skillFormats) }),
  openapi: object({ kind, url: address }),
};

const connection: Rule = (given, place) => {
  const { kind: name } = toObject(given);
  if (toObject(given) !== given) return report(place, 'must be an object');
  if (typeof name === 'string' && Object.hasOwn(members, name))
    return members[name as Connection['kind']](given, place);
  return report({ ...place, path: [...place.path, 'kind'] }, `must be one of ${connectionKinds.join(', ')}`);
};

/** Connections of one kind and address, or packages of one name, are the same. */
export function identityOf(given: Connection): string {
  if (given.kind !== 'mcp-package') return `${given.kind} ${addressOf(given)}`;
  return `${given.registry} ${given.identifier.toLowerCase()}`;
}

const connectionList = list(connection, MAX_CONNECTIONS, (each) => identityOf(each as Connection));

/** Reads the connections of an agent in canonical form, or says what is wrong with them; then the list is empty. */
export function readConnections(given: unknown): { connections: Connection[]; faults: ConnectionFault[] } {
  const faults: ConnectionFault[] = [];
  const place: Place = { path: [], of: {}, faults };
  const connections = (connectionList(given, place) ?? []) as Connection[];
  const size = new TextEncoder().encode(JSON.stringify(connections)).length;
  if (faults.length === 0 && size > MAX_BYTES) report(place, 'can have at most 16 KiB as JSON');
  return { connections: faults.length > 0 ? [] : connections, faults };
}
