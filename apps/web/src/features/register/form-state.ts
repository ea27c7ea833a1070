import { createRequiredContext } from '../../components/required-context.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was sent without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  /** What is wrong besides the fields. */
  message?: string | undefined;
};

/** What is kept of the registration form while the visitor is on another page. */
export type KeptForm = {
  /** What stands in the form and is not registered yet, if anything. */
  values?: RegisterFormValues | undefined;
  /** The registration that the page was opened with, if it is the answer to one that was refused. */
  refused?: RefusedForm | undefined;
  /** Empties the form that is there, if one is. */
  empty?: (() => void) | undefined;
};

/** Keeps what there is of the registration form. */
export type FormState = {
  read(): KeptForm;
  /** Keeps more of the form, or other than before. */
  keep(part: KeptForm): void;
};

/** Makes a memory that holds the registration that the page was opened with, if any. */
export function createFormState(refused?: RefusedForm): FormState {
  let kept: KeptForm = { refused };
  return {
    read: () => kept,
    keep(part) {
      kept = { ...kept, ...part };
    },
  };
}

/** Gives the form its memory, and reads it; writing to it renders nothing anew. */
export const [FormStateContext, useFormState] = createRequiredContext<FormState>('the memory of the form');
