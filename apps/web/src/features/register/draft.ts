import { apiAccessValues, listCategoryIds, pricingModelValues, type Category } from '@agent-registry/contracts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import { initialValues, isEmpty, type RegisterFormValues } from '../../components/agent-form/form-values.ts';

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
  if (typeof json !== 'object' || json === null) return undefined;
  const draft: Partial<Record<string, unknown>> = { ...json };
  const options: Partial<Record<string, readonly string[]>> = {
    category: ['', ...listCategoryIds(categories)],
    pricingModel: pricingModelValues,
    apiAccess: apiAccessValues,
  };
  const entries = Object.entries(initialValues).map(([field, initialValue]) => {
    const value = draft[field];
    const isValid = typeof value === 'string' && (options[field]?.includes(value) ?? true);
    return [field, isValid ? value : initialValue] as const;
  });
  return Object.fromEntries(entries) as RegisterFormValues;
}
