import type { Category } from '@agent-registry/contracts';
import { parseFormValues, type RegisterFormValues } from './form-values.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

const toLastValuesKey = (id: string) => `agent-registry.last-values.${id}`;

/** Keeps the values of an entry that was withdrawn in this browser, if it allows that. */
export function keepLastValues(id: string, values: RegisterFormValues): void {
  writeStored(toLastValuesKey(id), values);
}

/** Reads the values of an entry that was withdrawn in this browser; undefined in other ones. Invalid fields are left out. */
export function readLastValues(id: string, categories: readonly Category[]): Partial<RegisterFormValues> | undefined {
  return readStored(toLastValuesKey(id), (json) => parseFormValues(json, categories));
}

export function removeLastValues(id: string): void {
  removeStored(toLastValuesKey(id));
}
