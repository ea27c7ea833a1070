import { apiAccessOptions, categoryIds, pricingModels } from '@agent-registry/contracts';
import { initialValues, type RegisterFormValues } from './form-values.ts';

const KEY = 'agent-registry.registration-draft';

// What a draft may hold in the fields that are chosen, not typed.
const choices: Partial<Record<string, readonly string[]>> = {
  category: ['', ...categoryIds],
  pricingModel: pricingModels.map(({ value }) => value),
  apiAccess: apiAccessOptions.map(({ value }) => value),
};

/** Keeps the form in this browser; false when the browser does not allow it. */
export function saveDraft(values: RegisterFormValues): boolean {
  try {
    window.localStorage.setItem(KEY, JSON.stringify(values));
    return true;
  } catch {
    return false;
  }
}

/** The form as it was last kept; undefined when there is none that can be read. */
export function readDraft(): RegisterFormValues | undefined {
  try {
    const draft = JSON.parse(window.localStorage.getItem(KEY) ?? 'null') as Record<string, unknown> | null;
    if (!draft) return undefined;
    const usable = Object.keys(initialValues).filter((field) => {
      const value = draft[field];
      return typeof value === 'string' && (choices[field]?.includes(value) ?? true);
    });
    return { ...initialValues, ...Object.fromEntries(usable.map((field) => [field, draft[field]])) };
  } catch {
    return undefined;
  }
}

/** Forgets what was kept. */
export function removeDraft(): void {
  try {
    window.localStorage.removeItem(KEY);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
