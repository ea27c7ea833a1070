import { createRequiredContext } from '../../components/required-context.ts';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was posted without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  message: string;
};

/** The state of the form that outlives it while the visitor is on another page. */
type SavedForm = {
  /** Values that are not registered yet. */
  values?: RegisterFormValues | undefined;
  /** The refused registration that this page responds to. */
  refused?: RefusedForm | undefined;
};

/** Holds the saved form; writing to it renders nothing. */
export type FormState = {
  read: () => SavedForm;
  write: (changes: SavedForm) => void;
};

/** Creates the form state of a page. */
export function createFormState(refused: RefusedForm | undefined): FormState {
  let saved: SavedForm = { refused };
  return {
    read: () => saved,
    write: (changes) => {
      saved = { ...saved, ...changes };
    },
  };
}

/** Provides the form state to the form. */
export const [FormStateContext, useFormState] = createRequiredContext<FormState>('FormStateContext');
