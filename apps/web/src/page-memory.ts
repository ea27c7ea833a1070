import { createContext, use } from 'react';
import type { RegisterFormErrors, RegisterFormValues } from './features/register/form-values.ts';

/** A registration that was sent without scripts and refused. */
export type RefusedForm = {
  values: RegisterFormValues;
  errors: RegisterFormErrors;
  /** What is wrong besides the fields. */
  message?: string | undefined;
};

/** How far down a page was scrolled, and how tall it was then, in CSS pixels. */
export type View = { top: number; height: number };

/** What is kept of a place in the tab's history. */
export type Place = {
  view?: View;
  /** How many cards were shown. */
  cardsShown?: number;
};

/** What pages keep while the visitor is on another. */
export type PageMemory = {
  /** What stands in the registration form and is not registered yet, if anything. */
  readFormValues(): RegisterFormValues | undefined;
  keepFormValues(values: RegisterFormValues): void;
  /** The registration that the page was opened with, if it is the answer to one that was refused. */
  readRefusedForm(): RefusedForm | undefined;
  /** Keeps nothing of the form any more. */
  forgetForm(): void;
  /** What is kept of a place, by its key in the history. */
  readPlace(key: string): Place;
  /** Keeps more of a place. */
  keepPlace(key: string, part: Place): void;
  /** Writes all places down for the time after a reload, as far as the browser allows it. */
  savePlaces(): void;
};

const PLACES_KEY = 'agent-registry.places';

/** Makes a memory that holds the places of earlier in the tab and the registration that the page was opened with, if any. */
export function createPageMemory(refused?: RefusedForm): PageMemory {
  const places = readPlaces();
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
    readPlace: (key) => places[key] ?? {},
    keepPlace(key, part) {
      places[key] = { ...places[key], ...part };
    },
    savePlaces() {
      try {
        sessionStorage.setItem(PLACES_KEY, JSON.stringify(places));
      } catch {
        // Then a reload begins at the top.
      }
    },
  };
}

function readPlaces(): Record<string, Place> {
  try {
    return JSON.parse(sessionStorage.getItem(PLACES_KEY) ?? '{}') as Record<string, Place>;
  } catch {
    // Nothing that can be read, or no browser.
    return {};
  }
}

/** Gives the pages the memory they share. */
export const PageMemoryContext = createContext<PageMemory | null>(null);

/** The memory of the pages; writing to it renders nothing anew. */
export function usePageMemory(): PageMemory {
  const memory = use(PageMemoryContext);
  if (!memory) throw new Error('usePageMemory needs a PageMemoryContext above it.');
  return memory;
}
