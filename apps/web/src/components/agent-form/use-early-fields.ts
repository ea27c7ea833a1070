import { useState } from 'react';

/**
 * Returns the fields of a form as a visitor has filled them in before hydration; undefined if the server has not rendered
 * the form. They are read before React takes the form over, because hydration resets a textarea.
 * @param action the attribute of the form
 */
export function useEarlyFields(action: string): FormData | undefined {
  const [fields] = useState(() => {
    if (typeof document === 'undefined') return undefined;
    const form = Array.from(document.forms).find((found) => found.getAttribute('action') === action);
    return form && new FormData(form);
  });
  return fields;
}
