import { createContext, use } from 'react';
import type { RegisterFormErrors, RegisterFormValues } from './features/register/form-values.ts';

/** A registration that was sent without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  /** What is wrong besides the fields. */
  message?: string | undefined;
};

/** What the home page keeps while the visitor is on another page. */
export type PageMemory = {
  /** What stands in the registration form and is not registered yet, if anything. */
  readFormValues(): RegisterFormValues | undefined;
  keepFormValues(values: RegisterFormValues): void;
  /** The registration that the page was opened with, if it is the answer to one that was refused. */
  readRefusedForm(): RefusedForm | undefined;
  /** Keeps nothing of the form any more. */
  forgetForm(): void;
  /** How many cards were shown, by the key of the place in the history. */
  cardsShown: Map<string, number>;
};

/** Makes a memory that holds no more than the registration that the page was opened with, if there was one. */
export function createPageMemory(refused?: RefusedForm): PageMemory {
  let refusedForm = refused;
  let formValues: RegisterFormValues | undefined;
  return {
    readFormValues: () => formValues,
    keepFormValues(values) {
      formValues = values;
    },
    readRefusedForm: () => refusedForm,
    forgetForm() {
      formValues = undefined;
      refusedForm = undefined;
    },
    cardsShown: new Map(),
  };
}

/** Gives the pages the memory they share. */
export const PageMemoryContext = createContext<PageMemory | null>(null);

/** The memory of the pages; writing to it renders nothing anew. */
export function usePageMemory(): PageMemory {
  const memory = use(PageMemoryContext);
  if (!memory) throw new Error('usePageMemory needs a PageMemoryContext above it.');
  return memory;
}
