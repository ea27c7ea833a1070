import type { Category } from '@agent-registry/contracts';
import { parseFormValues, type RegisterFormValues } from './form-values.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** The fields of an entry that its owner has edited and not saved. */
type EntryDraft = Partial<RegisterFormValues>;

const toDraftKey = (id: string) => `agent-registry.entry-draft.${id}`;
const toLastValuesKey = (id: string) => `agent-registry.last-values.${id}`;

/** Keeps the draft of an entry in this browser, if it allows that; an empty one removes it. */
export function keepEntryDraft(id: string, draft: EntryDraft): void {
  if (Object.keys(draft).length === 0) removeEntryDraft(id);
  else writeStored(toDraftKey(id), draft);
}

/** Reads the draft of an entry; undefined if there is none. Invalid fields are left out. */
export function readEntryDraft(id: string, categories: readonly Category[]): EntryDraft | undefined {
  return readStored(toDraftKey(id), (json) => parseFormValues(json, categories));
}

export function removeEntryDraft(id: string): void {
  removeStored(toDraftKey(id));
}

/** Keeps the values of an entry that was withdrawn in this browser, if it allows that; they replace its draft. */
export function keepLastValues(id: string, values: RegisterFormValues): void {
  removeEntryDraft(id);
  writeStored(toLastValuesKey(id), values);
}

/** Reads the values of an entry that was withdrawn in this browser; undefined in other ones. Invalid fields are left out. */
export function readLastValues(id: string, categories: readonly Category[]): Partial<RegisterFormValues> | undefined {
  return readStored(toLastValuesKey(id), (json) => parseFormValues(json, categories));
}

export function removeLastValues(id: string): void {
  removeStored(toLastValuesKey(id));
}
