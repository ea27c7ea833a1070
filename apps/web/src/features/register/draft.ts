import { initialValues, type RegisterFormValues } from './form-values.ts';

const KEY = 'agent-registry.registration-draft';

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
    const texts = Object.keys(initialValues).filter((field) => typeof draft[field] === 'string');
    return { ...initialValues, ...Object.fromEntries(texts.map((field) => [field, draft[field]])) };
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
