import {
  editableFields,
  rowOf,
  fold,
  listCategoryIds,
  listFields,
  MAX_CAPABILITY_LENGTH,
  newAgentSchema,
  normalizeLineEndings,
  addScheme,
  optionFields,
  readList,
  readPasted,
  toMaxUnits,
  valuesOf,
  writeList,
  type Agent,
  type Category,
  type EditableField,
  type NewAgentInput,
  type OptionField,
  type OptionValue,
} from '@agent-registry/contracts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** The values of the registration form: texts, with lists separated as people write them. */
export type RegisterFormValues = { [Name in EditableField]: Name extends OptionField ? OptionValue<Name> : string };

export type RegisterFormErrors = Partial<Record<keyof RegisterFormValues, string>>;

export const TERMS_FIELD = 'terms';
export const MAX_SHOWN_FAULTS = 3;

export const initialValues = Object.fromEntries(
  editableFields.map((name) => {
    const row = rowOf(name);
    return [name, row?.kind === 'options' ? row.default : ''];
  }),
) as RegisterFormValues;

export function isEmpty(values: RegisterFormValues): boolean {
  return JSON.stringify(values) === JSON.stringify(initialValues);
}

/** Picks the valid fields of a form from parsed JSON, such as a draft; undefined if it is no object. */
export function parseFormValues(
  json: unknown,
  categories: readonly Category[],
): Partial<RegisterFormValues> | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const options: Partial<Record<string, readonly string[]>> = {
    category: ['', ...listCategoryIds(categories)],
    ...Object.fromEntries(optionFields.map((name) => [name, valuesOf(name)])),
  };
  const valid = Object.entries(json).filter(
    ([field, value]) =>
      Object.hasOwn(initialValues, field) && typeof value === 'string' && (options[field]?.includes(value) ?? true),
  );
  return Object.fromEntries(valid.map(([field, value]) => [field, withoutSecrets(field, value as string)]));
}

function withoutSecrets(field: string, text: string): string {
  return field === 'connections' ? readPasted(text).text : text;
}

/** Reads the values of a submitted form, with line feeds; a missing field has its earlier value. */
export function readFormData<Values extends RegisterFormValues = RegisterFormValues>(
  data: URLSearchParams | FormData,
  earlier: Values = initialValues as Values,
): Values {
  const entries = Object.entries(earlier).map(([field, value]) => {
    const submitted = data.get(field);
    return [
      field,
      typeof submitted === 'string' ? withoutSecrets(field, normalizeLineEndings(submitted)) : value,
    ] as const;
  });
  return Object.fromEntries(entries) as Values;
}

/** Between capabilities: the comma, and the semicolon, which other lists have. */
const SEPARATOR = /[,;]/;

/** Splits capabilities, trims each, and drops empty and repeated ones; those in `whole` may contain separators. */
export function parseCapabilities(text: string, whole: readonly string[] = []): string[] {
  const byFolded = new Map<string, string>();
  for (const entry of new Set(splitCapabilities(text, whole))) {
    // A longer one is refused.
    const folded = fold(entry.slice(0, toMaxUnits(MAX_CAPABILITY_LENGTH) + 1));
    if (entry && !byFolded.has(folded)) byFolded.set(folded, entry);
  }
  return [...byFolded.values()];
}

function splitCapabilities(text: string, whole: readonly string[]): string[] {
  const parts = text.split(SEPARATOR).map((part) => part.trim());
  const longestFirst = whole
    .map((capability) => ({ capability, pieces: capability.split(SEPARATOR).map((piece) => piece.trim()) }))
    .toSorted((one, other) => other.pieces.length - one.pieces.length);
  const entries: string[] = [];
  for (let at = 0; at < parts.length;) {
    const kept = longestFirst.find(({ pieces }) => pieces.every((piece, index) => piece === parts[at + index]));
    entries.push(kept?.capability ?? (parts[at] as string));
    at += kept?.pieces.length ?? 1;
  }
  return entries;
}

export function joinPastedLines(text: string): string {
  return text
    .split(/[;\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ');
}

/** Converts form values to the input of `agents.register`, without validating them; an edit names its agent. */
export function toNewAgentInput(values: RegisterFormValues, agent?: Agent): NewAgentInput {
  const lists = listFields.map((name) => [
    name,
    name === 'capabilities' ? parseCapabilities(values[name], agent?.[name]) : readList(name, values[name]),
  ]);
  const connections = readPasted(values.connections).ways.map(({ connection }) => connection);
  return { ...values, ...Object.fromEntries(lists), connections, website: addScheme(values.website) };
}

export function toFormErrors(errors: readonly { field: string; message: string }[]): RegisterFormErrors {
  const firstMessages = new Map<string, string>();
  for (const { field, message } of errors) {
    const [name = ''] = field.split('.');
    if (name in initialValues && !firstMessages.has(name)) firstMessages.set(name, toSentence(message));
  }
  return Object.fromEntries(firstMessages);
}

/** A message of the schema of connections without its paths: forms number connections from one. */
function toSentence(message: string): string {
  const [, index, path = '', fault = ''] = /^connections\[(\d+)\](\S*)\s(.*)$/s.exec(message) ?? [];
  if (index === undefined) return message.replace(/^connections /, 'The connections ');
  const [, list, at, part] = /^\.(headers|environment)\[(\d+)\]\.?(\w*)/.exec(path) ?? [];
  const input = list && `${part || 'entry'} of ${list === 'headers' ? 'header' : 'variable'} ${Number(at) + 1}`;
  const field = input ?? path.slice(1);
  return `Connection ${Number(index) + 1}: ${field === '' ? 'it' : `the ${field}`} ${fault}`;
}

export function validate(values: RegisterFormValues, agent?: Agent): RegisterFormErrors {
  const { error } = newAgentSchema.safeParse(toNewAgentInput(values, agent));
  const issues = (error?.issues ?? []).map(({ path, message }) => ({ field: path.join('.'), message }));
  return { ...toFormErrors(issues), ...findPastedErrors(values) };
}

export function findPastedErrors({ connections }: RegisterFormValues): RegisterFormErrors {
  const { faults } = readPasted(connections);
  return faults.length > 0 ? { connections: faults.slice(0, MAX_SHOWN_FAULTS).join('. ') } : {};
}

/** Validates the fields that a form changes. The others stay as they are, also if the rules for them have changed. */
export function validateEdit(agent: Agent, values: RegisterFormValues): RegisterFormErrors {
  const patch = toPatch(agent, values);
  return Object.fromEntries(Object.entries(validate(values, agent)).filter(([field]) => field in patch));
}

export function toFormValues(agent: Agent): RegisterFormValues {
  const texts = editableFields.map((name) => {
    const value = agent[name] ?? '';
    return [name, Array.isArray(value) ? writeList(name, value) : normalizeLineEndings(value)];
  });
  return Object.fromEntries(texts) as RegisterFormValues;
}

export function toPatch(agent: Agent, values: RegisterFormValues): Partial<NewAgentInput> {
  const before = toFormValues(agent);
  const changed = Object.entries(toNewAgentInput(values, agent)).filter(
    // The form has the management key as well, which is no field of the agent.
    ([field]) =>
      field in before && values[field as keyof RegisterFormValues] !== before[field as keyof RegisterFormValues],
  );
  return Object.fromEntries(changed);
}

/** Takes new values over into a form, except for fields that were edited since the form got its earlier values. */
export function mergeValues(
  earlier: RegisterFormValues,
  edited: RegisterFormValues,
  latest: RegisterFormValues,
): RegisterFormValues {
  const entries = Object.entries(edited).map(([name, value]) => {
    const field = name as keyof RegisterFormValues;
    return [field, value === earlier[field] && field in latest ? latest[field] : value] as const;
  });
  return Object.fromEntries(entries) as RegisterFormValues;
}

const toLastValuesKey = (id: string) => `agent-registry.last-values.${id}`;

export function keepLastValues(id: string, values: RegisterFormValues): void {
  writeStored(toLastValuesKey(id), values);
}

export function readLastValues(id: string, categories: readonly Category[]): Partial<RegisterFormValues> | undefined {
  return readStored(toLastValuesKey(id), (json) => parseFormValues(json, categories));
}

export function removeLastValues(id: string): void {
  removeStored(toLastValuesKey(id));
}
