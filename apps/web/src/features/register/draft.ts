import { apiAccessValues, listCategoryIds, pricingModelValues } from '@agent-registry/contracts';
import { initialValues, isEmpty, type RegisterFormValues } from './form-values.ts';

const STORAGE_KEY = 'agent-registry.registration-draft';

/** Saves the draft in localStorage, or removes it if nothing was entered. @returns whether the browser allowed it */
export function saveDraft(values: RegisterFormValues): boolean {
  try {
    if (isEmpty(values)) window.localStorage.removeItem(STORAGE_KEY);
    else window.localStorage.setItem(STORAGE_KEY, JSON.stringify(values));
    return true;
  } catch {
    return false;
  }
}

/** Reads the draft; undefined if there is none. Invalid fields have their initial values. */
export function readDraft(): RegisterFormValues | undefined {
  try {
    const draft = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? 'null') as Record<string, unknown> | null;
    if (!draft) return undefined;
    const options: Partial<Record<string, readonly string[]>> = {
      category: ['', ...listCategoryIds()],
      pricingModel: pricingModelValues,
      apiAccess: apiAccessValues,
    };
    const entries = Object.entries(initialValues).map(([field, initialValue]) => {
      const value = draft[field];
      const isValid = typeof value === 'string' && (options[field]?.includes(value) ?? true);
      return [field, isValid ? value : initialValue] as const;
    });
    return Object.fromEntries(entries) as RegisterFormValues;
  } catch {
    return undefined;
  }
}

/** Removes the draft. */
export function removeDraft(): void {
  try {
    window.localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage there is no draft.
  }
}
