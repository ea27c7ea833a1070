import type { Category } from '@agent-registry/contracts';
import type { RegisterFormValues } from './form-values.ts';
import { parseFormValues } from './parse-form-values.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';

/** The fields of an entry that its owner has edited and not saved, or the last values of an entry that was withdrawn. */
type EntryDraft = Partial<RegisterFormValues>;

const toStorageKey = (id: string) => `agent-registry.entry-draft.${id}`;

/** Keeps the draft of an entry in this browser, if it allows that; an empty one removes it. */
export function keepEntryDraft(id: string, draft: EntryDraft): void {
  if (Object.keys(draft).length === 0) removeEntryDraft(id);
  else writeStored(toStorageKey(id), draft);
}

/** Reads the draft of an entry; undefined if there is none. Invalid fields are left out. */
export function readEntryDraft(id: string, categories: readonly Category[]): EntryDraft | undefined {
  return readStored(toStorageKey(id), (json) => parseFormValues(json, categories));
}

/** Removes the draft of an entry. */
export function removeEntryDraft(id: string): void {
  removeStored(toStorageKey(id));
}
