import { escapeInJson, replaceHidden } from '@agent-registry/contracts';
import type { Agent, NewAgentInput } from '../contract.ts';

type Difference = { field: string; before: unknown; after: unknown };

/** Finds the fields of a file that the entry has otherwise. Fields that the file leaves out stay as they are. */
export function findDifferences(agent: Partial<Agent>, fields: Partial<NewAgentInput>): Difference[] {
  return Object.entries(fields).flatMap(([field, after]) => {
    const before = agent[field as keyof Agent];
    return JSON.stringify(normalize(before)) === JSON.stringify(normalize(after)) ? [] : [{ field, before, after }];
  });
}

export function describeDifferences(differences: readonly Difference[]): string {
  const write = (sign: string, field: string, value: unknown) =>
    isAbsent(value) ? [] : [toPlain(`${sign} ${field}: ${JSON.stringify(value)}`)];
  return differences
    .flatMap(({ field, before, after }) => [...write('-', field, before), ...write('+', field, after)])
    .join('\n');
}

export function toPlain(text: string): string {
  return replaceHidden(text, escapeInJson);
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A value as the registry stores it: trimmed, with defaults, and its members in one order. */
function normalize(value: unknown): unknown {
  if (isAbsent(value)) return null;
  if (typeof value === 'string') return toAddress(value.trim().replaceAll(/\r\n?/g, '\n'));
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object') return value;
  const isInput = 'name' in (value as object) && 'description' in (value as object);
  const entries = Object.entries({ ...(isInput && { required: true, secret: true }), ...(value as object) });
  return entries
    .filter(([, member]) => !isAbsent(member))
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([name, member]: [string, unknown]) => [name, normalize(member)]);
}

function toAddress(text: string): string {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text) ? new URL(text).href : text;
}
