import { createRequiredContext } from '../../lib/required-context.ts';
import type { FilledFields } from './prefill-values.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was posted without scripts and refused, or filled in from an address. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  message: string;
  /** Whether the form was not refused: the message is no error. */
  isNote?: boolean | undefined;
  /** The fields that were filled in, and the address; undefined for a registration that was refused. */
  prefilled?: { filled: FilledFields; url: string } | undefined;
};

/** Holds the refused registration that a page responds to, until the form has shown it. */
export function createRefusedForm(refused: RefusedForm | undefined) {
  let held = refused;
  return { read: () => held, drop: () => void (held = undefined) };
}

export const [RefusedFormContext, useRefusedForm] =
  createRequiredContext<ReturnType<typeof createRefusedForm>>('RefusedFormContext');
