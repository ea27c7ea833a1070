import type { Category } from '@agent-registry/contracts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import {
  initialValues,
  isEmpty,
  parseFormValues,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';

const STORAGE_KEY = 'agent-registry.registration-draft';

/** Saves the draft in the browser, or removes it if nothing was entered. @returns whether the browser allowed it */
export function saveDraft(values: RegisterFormValues): boolean {
  return isEmpty(values) ? removeDraft() : writeStored(STORAGE_KEY, values);
}

/** Reads the draft; undefined if there is none. Invalid fields have their initial values. */
export function readDraft(categories: readonly Category[]): RegisterFormValues | undefined {
  return readStored(STORAGE_KEY, (json) => parseDraft(json, categories));
}

/** Removes the draft. @returns whether the browser allowed it */
export function removeDraft(): boolean {
  return removeStored(STORAGE_KEY);
}

function parseDraft(json: unknown, categories: readonly Category[]): RegisterFormValues | undefined {
  const fields = parseFormValues(json, categories);
  return fields && { ...initialValues, ...fields };
}
