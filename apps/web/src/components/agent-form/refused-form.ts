import { useEffect, useState } from 'react';
import { createRequiredContext } from '../../lib/required-context.ts';
import type { FilledFields } from './prefill-values.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A form that was posted without scripts and refused, or filled in from an address. */
export type RefusedForm = {
  message: string;
  values?: RegisterFormValues | undefined;
  errors?: RegisterFormErrors | undefined;
  /** Whether the form was not refused: the message is no error. */
  isNote?: boolean | undefined;
  /** The fields that were filled in, and the address; undefined for a registration that was refused. */
  prefilled?: { filled: FilledFields; url: string } | undefined;
};

/** Holds the refused form that a page responds to, until a form has shown it. */
export function createRefusedForm(refused: RefusedForm | undefined) {
  let held = refused;
  return { read: () => held, drop: () => void (held = undefined) };
}

const [RefusedFormContext, useHeldForm] =
  createRequiredContext<ReturnType<typeof createRefusedForm>>('RefusedFormContext');
export { RefusedFormContext };

export function useRefusedForm(): RefusedForm | undefined {
  const held = useHeldForm();
  const [refused] = useState(held.read);
  useEffect(() => held.drop(), [held]);
  return refused;
}

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
