// The parts of a `server.json` below remotes and packages: headers, variables and arguments.
import { cutText } from '../characters.ts';
import { textAt, textsAt, toObject, valuesAt, type Json } from '../json-paths.ts';
import { findValueFault } from './connection-faults.ts';
import { MAX_INPUT_DESCRIPTION_LENGTH, type ConnectionInput, type PackageArgument } from './connection.ts';
import { variableOf } from './connection-values.ts';

/** A part of a description that is not taken, and why, as a sentence about it without its end. */
export type LeftPart = {
  path: readonly (string | number)[];
  why: string;
  /** Whether it is taken, but shorter. */
  isCut?: true;
};
/** A part that is read, its path, and where it notes what is not taken. */
export type Part = { given: Json; path: LeftPart['path']; left: LeftPart[] };
/** A header or variable, and its path. */
export type Input = { input: ConnectionInput; path: LeftPart['path'] };

/** A sentence without its period about what is not taken; for counts over many files without the numbers of parts. */
export function describeLeft({ path, why }: LeftPart, isCounted = false): string {
  const toWord = (name: string) => `.${name.replaceAll(/[^!-~]/gu, '?').slice(0, 40)}`;
  const where = path.map((key) => (typeof key === 'string' ? toWord(key) : isCounted ? '' : `[${key}]`)).join('');
  return `${where.slice(1)}: ${why}`;
}

const namesOf = (text: string) => new Set(text.split(' '));
const inputNames = 'description isRequired isSecret format value default placeholder choices';
/** The members of each kind of part. */
export const known = {
  remotes: namesOf('type transportType url headers variables'),
  packages: namesOf(
    'registryType registryName registryBaseUrl identifier name version fileSha256 runtimeHint runtimeArguments packageArguments environmentVariables transport',
  ),
  transport: namesOf('type'),
  inputs: namesOf(`${inputNames} name variables`),
  variables: namesOf(inputNames),
  arguments: namesOf(`${inputNames} name variables type valueHint isRepeated`),
};

export function leave({ path, left }: Omit<Part, 'given'>, why: string): undefined {
  left.push({ path, why });
}

/**
 * The known members of a part, those of before September 2025 under their present names. Others are left out, since a
 * client could run what no page shows.
 */
export function membersOf({ given, path, left }: Part, names: ReadonlySet<string>): Json {
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

export function readInputs({ path, left }: Part, list: string, given: unknown = []): Input[] {
  const taken = new Set<string>();
  return valuesAt({ given }, 'given').flatMap((each, index) => {
    const own = { given: toObject(each), path: [...path, list, index], left };
    const input = readInput(own);
    if (taken.has(input.name.toLowerCase())) return leave(own, 'its name is that of an earlier one') ?? [];
    taken.add(input.name.toLowerCase());
    return [{ input, path: own.path }];
  });
}

/** Reads a header or variable. In a template, the variable describes the value that the user gives. */
function readInput(part: Part, name?: string): ConnectionInput {
  const given = membersOf(part, name === undefined ? known.inputs : known.arguments);
  const variables = readVariables(part, given);
  const value = fill(given.value, variables, 'value');
  const own = name === undefined ? (textAt(given, 'name') ?? '') : name;
  const variable = value === undefined ? undefined : variableOf({ value });
  const asked = variable === undefined ? given : { ...given, ...toObject(variables[variable]) };
  const usual = readDefault(part, given, asked === given ? undefined : variable, variables);
  const description = textAt(asked, 'description') ?? variable ?? own;
  return {
    name: own,
    description: toLine(usual === undefined ? description : `${description} (default: ${usual})`, part),
    required: asked.isRequired === true,
    secret: asked.isSecret === true,
    // A variable alone is what its user gives.
    ...(value !== undefined && value !== `{${variable}}` && { value }),
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

/** Reads arguments, without those of every command. One that sets a variable of a container is a variable. */
export function readArguments({ path, left }: Part, list: string, given: unknown = [], inputs?: Input[]) {
  const found = valuesAt({ given }, 'given').flatMap((each, index) => {
    const own: Part = { given: toObject(each), path: [...path, list, index], left };
    // Every command has these.
    if (inputs && /^(?:-y|--yes|-i|--rm|run)$/.test(textsAt(each, 'name', 'value').join(''))) return [];
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
