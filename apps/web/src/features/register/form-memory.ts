import { createContext, use } from 'react';
import type { RegisterFormErrors, RegisterFormValues } from './form-values.ts';

/** A registration that was sent without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  /** What is wrong besides the fields. */
  message?: string | undefined;
};

/** What is kept of the registration form while the visitor is on another page. */
export type FormMemory = {
  /** What stands in the form and is not registered yet, if anything. */
  readValues(): RegisterFormValues | undefined;
  keepValues(values: RegisterFormValues): void;
  /** The registration that the page was opened with, if it is the answer to one that was refused. */
  readRefused(): RefusedForm | undefined;
  /** Keeps nothing of the form any more. */
  forget(): void;
};

/** Makes a memory that holds the registration that the page was opened with, if any. */
export function createFormMemory(refusedAtFirst?: RefusedForm): FormMemory {
  let refused = refusedAtFirst;
  let values: RegisterFormValues | undefined;
  return {
    readValues: () => values,
    keepValues(given) {
      values = given;
    },
    readRefused: () => refused,
    forget() {
      values = undefined;
      refused = undefined;
    },
  };
}

/** Gives the form its memory. */
export const FormMemoryContext = createContext<FormMemory | null>(null);

/** The memory of the registration form; writing to it renders nothing anew. */
export function useFormMemory(): FormMemory {
  const memory = use(FormMemoryContext);
  if (!memory) throw new Error('useFormMemory needs a FormMemoryContext above it.');
  return memory;
}
