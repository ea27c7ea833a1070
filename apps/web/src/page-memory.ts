import { createContext, use } from 'react';
import type { RegisterFormValues } from './features/register/form-values.ts';

/** What the home page keeps while the visitor is on another page. */
export type PageMemory = {
  /** What stands in the registration form and is not registered yet, if anything. */
  readFormValues(): RegisterFormValues | undefined;
  keepFormValues(values: RegisterFormValues | undefined): void;
  /** How many cards were shown, by the key of the place in the history. */
  cardsShown: Map<string, number>;
};

/** Makes an empty memory. */
export function createPageMemory(): PageMemory {
  let formValues: RegisterFormValues | undefined;
  return {
    readFormValues: () => formValues,
    keepFormValues(values) {
      formValues = values;
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
