// The parts of a `server.json` below remotes and packages: headers, variables and arguments.
import { cutText } from '../characters.ts';
import { textAt, textsAt, toObject, valuesAt, type Json } from '../json-paths.ts';
import { findTextFault } from '../plain-text.ts';
import { findHeaderFault, findInputValueFault, findValueFault, findVariableFault } from './connection-faults.ts';
import { MAX_INPUT_DESCRIPTION_LENGTH, type ConnectionInput, type PackageArgument } from './connection.ts';
import { variableOf } from './named-servers.ts';

/** A part of a description that is not taken, and why, as a sentence about it without its end. */
export type LeftPart = {
  path: readonly (string | number)[];
  why: string;
  /** Whether it is taken, but shorter. */
  isCut?: true;
};
/** A part that is read, its path, and where it notes what is not taken. */
export type Part = { given: Json; path: LeftPart['path']; left: LeftPart[] };

/** A sentence without its period about what is not taken; for counts over many files without the numbers of parts. */
export function describeLeft({ path, why }: LeftPart, isCounted = false): string {
  const toWord = (name: string) => `.${name.replaceAll(/[^!-~]/gu, '?').slice(0, 40)}`;
  const where = path.map((key) => (typeof key === 'string' ? toWord(key) : isCounted ? '' : `[${key}]`)).join('');
  return `${where.slice(1)}: ${why}`;
}

const namesOf = (text: string) => new Set(text.split(' '));
const inputNames = 'description isRequired isSecret format value default placeholder choices';
/** The members of each kind of part; inputs are headers, variables and arguments. */
export const known = {
  remotes: namesOf('type transportType url headers variables'),
  packages: namesOf(
    'registryType registryName registryBaseUrl identifier name version fileSha256 runtimeHint runtimeArguments packageArguments environmentVariables transport',
  ),
  transport: namesOf('type'),
  inputs: namesOf(`${inputNames} name variables type valueHint isRepeated`),
  variables: namesOf(inputNames),
};

export function leave({ path, left }: Omit<Part, 'given'>, why: string): undefined {
  left.push({ path, why });
}

/**
 * The known members of a part, those of before September 2025 under their present names. Others are left out, since a
 * client could run what no page shows; so are defaults with other signs than values have.
 */
export function membersOf({ given, path, left }: Part, names: ReadonlySet<string>): Json {
  const entries = Object.entries(given).flatMap(([former, value]): [string, unknown][] => {
    const name = former.replaceAll(/(?<=[a-z\d])_[a-z]/g, (mark) => mark.slice(1).toUpperCase());
    const isKnown = names.has(name) && isOfType(name, value);
    const isShown = name !== 'default' || value === '' || findValueFault(String(value)) === undefined;
    if (isKnown && isShown) return [[name, value]];
    return leave({ path: [...path, name], left }, isKnown ? 'it cannot be shown' : 'it is not known here') ?? [];
  });
  return Object.fromEntries(entries);
}

function isOfType(name: string, value: unknown): boolean {
  if (name.startsWith('is')) return typeof value === 'boolean';
  if (/^(?:headers|choices|.*(?:Arguments|Variables))$/.test(name)) return Array.isArray(value);
  return typeof value === (/^(?:variables|transport)$/.test(name) ? 'object' : 'string');
}

/** Reads headers or variables without those, and without the values, that cannot be taken. */
export function readInputs({ path, left }: Part, list: string, given: unknown = []): ConnectionInput[] {
  const taken = new Set<string>();
  return valuesAt({ given }, 'given').flatMap((each, index) => {
    const own = { given: toObject(each), path: [...path, list, index], left };
    const { value, ...input } = readInput(own);
    const key = input.name.toLowerCase();
    const fault = taken.has(key) ? 'its name is that of an earlier one' : findInputFault(input, list === 'headers');
    taken.add(key);
    if (fault !== undefined) return leave(own, fault) ?? [];
    const valueFault = value === undefined ? undefined : findInputValueFault(input.name, value);
    if (valueFault !== undefined) leave({ path: [...own.path, 'value'], left }, `it ${valueFault}`);
    return [value === undefined || valueFault !== undefined ? input : { ...input, value }];
  });
}

function findInputFault({ name, description }: ConnectionInput, isHeader: boolean): string | undefined {
  const fault = isHeader ? findHeaderFault(name) : findVariableFault(name);
  const other = findTextFault(description, { max: MAX_INPUT_DESCRIPTION_LENGTH, isLine: true });
  return fault === undefined ? other && `its description ${other}` : `its name ${fault}`;
}

/** Reads a header or variable. In a template, the variable describes the value that the user gives. */
function readInput(part: Part, name = textAt(part.given, 'name') ?? ''): ConnectionInput {
  const given = membersOf(part, known.inputs);
  const variables = readVariables(part, given);
  const value = fill(given.value, variables, 'value');
  const variable = variableOf({ value });
  const asked = variable === undefined ? given : { ...given, ...toObject(variables[variable]) };
  const usual = textAt(asked, 'default');
  const description = textAt(asked, 'description') ?? variable ?? name;
  return {
    name,
    description: toLine(usual === undefined ? description : `${description} (default: ${usual})`, part),
    required: asked.isRequired === true,
    secret: asked.isSecret === true,
    // A variable alone is what its user gives.
    ...(value !== undefined && value !== `{${variable}}` && { value }),
  };
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
export function readArguments({ path, left }: Part, list: string, given: unknown = [], inputs?: ConnectionInput[]) {
  const declared = new Set(inputs?.map((input) => input.name));
  const found = valuesAt({ given }, 'given').flatMap((each, index) => {
    const own: Part = { given: toObject(each), path: [...path, list, index], left };
    // Every command has these.
    if (inputs && /^(?:-y|--yes|-i|--rm|run)$/.test(textsAt(each, 'name', 'value').join(''))) return [];
    const [, name, value] = /^(\w+)(?:=(.*))?$/s.exec(textAt(each, 'value') ?? '') ?? [];
    if (!inputs || name === undefined || !/^(?:-e|--env)$/.test(String(own.given.name))) return [readArgument(own)];
    const { value: _, ...rest } = own.given;
    const input = readInput({ ...own, given: value === undefined ? rest : { ...rest, value } }, name);
    const valueFault = input.value === undefined ? undefined : findInputValueFault(name, input.value);
    // An option without its value would take the next word.
    const fault = findInputFault(input, false) ?? (valueFault && `its value ${valueFault}`);
    if (fault === undefined && !inputs.some((known) => known.name === name)) inputs.push(input);
    if (fault !== undefined) leave(own, fault);
    else if (value === undefined && !declared.has(name)) leave(own, 'it passes on a variable that nothing sets');
    return [];
  });
  return found.length > 0 ? found : undefined;
}

function readArgument(part: Part): PackageArgument {
  const given = membersOf(part, known.inputs);
  const { type, name, isRequired = false, description, format, choices, placeholder } = given;
  const usual = textAt(given, 'default');
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
