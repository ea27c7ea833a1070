import type { Category } from '@agent-registry/contracts';
import type { FormikHelpers } from 'formik';
import { useDidUpdate } from '@mantine/hooks';
import { useEffect } from 'react';
import { useSiteConfig } from '../../lib/site.ts';
import { readStored, removeStored, writeStored } from '../../lib/storage.ts';
import {
  initialValues,
  isEmpty,
  parseFormValues,
  readFormData,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';

const STORAGE_KEY = 'agent-registry.registration-draft';

/** Saves the draft in the tab and for the next visit, or removes it if nothing was entered. @returns whether the browser allowed it */
export function saveDraft(values: RegisterFormValues): boolean {
  if (isEmpty(values)) return removeDraft();
  writeStored(STORAGE_KEY, values, 'sessionStorage');
  return writeStored(STORAGE_KEY, values);
}

/** Reads the draft of the tab, else the one saved last; undefined if there is none. Invalid fields have their initial values. */
export function readDraft(categories: readonly Category[]): RegisterFormValues | undefined {
  const parse = (json: unknown) => {
    const fields = parseFormValues(json, categories);
    return fields && { ...initialValues, ...fields };
  };
  return readStored(STORAGE_KEY, parse, 'sessionStorage') ?? readStored(STORAGE_KEY, parse);
}

/** Removes the draft, except for one that another tab has saved since. @returns whether the browser allowed it */
export function removeDraft(): boolean {
  const [own, last] = (['sessionStorage', 'localStorage'] as const).map((kind) =>
    readStored(STORAGE_KEY, (json) => JSON.stringify(json), kind),
  );
  removeStored(STORAGE_KEY, 'sessionStorage');
  return last === undefined || own !== last || removeStored(STORAGE_KEY);
}

type DraftedForm = {
  values: RegisterFormValues;
  setValues: FormikHelpers<RegisterFormValues>['setValues'];
  earlyFields: FormData | undefined;
};

export function useDraft({ values, setValues, earlyFields }: DraftedForm): void {
  const { categories } = useSiteConfig();

  useEffect(() => {
    const saved = [earlyFields && readFormData(earlyFields), readDraft(categories)].find(
      (found) => found && !isEmpty(found),
    );
    if (saved) void setValues(saved, false);
  }, [earlyFields, setValues, categories]);

  useDidUpdate(() => void saveDraft(values), [values]);
}
