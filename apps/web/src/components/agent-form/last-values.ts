import type { Category } from '@agent-registry/contracts';
import { parseFormValues, type RegisterFormValues } from './form-values.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

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
