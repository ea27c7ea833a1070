import { createRequiredContext } from '../../components/required-context.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was posted without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  message: string;
};

/** The form state that outlives the form while the visitor is on another page. It is mutable and renders nothing. */
export type FormState = {
  /** Values that are not registered yet. */
  values?: RegisterFormValues | undefined;
  /** The refused registration that this page responds to. */
  refused?: RefusedForm | undefined;
};

/** Provides the form state to the form. */
export const [FormStateContext, useFormState] = createRequiredContext<FormState>('FormStateContext');
