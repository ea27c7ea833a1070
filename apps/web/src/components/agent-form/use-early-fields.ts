import { useState } from 'react';

// By form: React resets text areas as it hydrates them, and reads the form anew if hydration has to start once more.
const earlyFields = new WeakMap<HTMLFormElement, FormData>();

/** The fields of a form as a visitor has filled them in before hydration; undefined if the server has not rendered it. */
export function useEarlyFields(action: string): FormData | undefined {
  const [fields] = useState(() => {
    if (typeof document === 'undefined') return undefined;
    const form = Array.from(document.forms).find((found) => found.getAttribute('action') === action);
    if (form && !earlyFields.has(form)) earlyFields.set(form, new FormData(form));
    return form && earlyFields.get(form);
  });
  return fields;
}

export function useEarlyText(action: string, field: string): string {
  const text = useEarlyFields(action)?.get(field);
  return typeof text === 'string' ? text : '';
}
