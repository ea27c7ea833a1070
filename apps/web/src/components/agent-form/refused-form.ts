import { createRequiredContext } from '../../lib/required-context.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was posted without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  message: string;
};

/** Holds the refused registration that a page responds to, until the form has shown it. */
export function createRefusedForm(refused: RefusedForm | undefined) {
  let held = refused;
  return { read: () => held, drop: () => void (held = undefined) };
}

/** Provides the refused registration to the form. */
export const [RefusedFormContext, useRefusedForm] =
  createRequiredContext<ReturnType<typeof createRefusedForm>>('RefusedFormContext');
