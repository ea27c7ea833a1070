import type { FormikHelpers } from 'formik';
import { useEffect, useRef } from 'react';
import { isEmpty, readFormData, type RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { readDraft, saveDraft } from './draft.ts';

type DraftedForm = {
  values: RegisterFormValues;
  setValues: FormikHelpers<RegisterFormValues>['setValues'];
  /** Text that was typed before hydration. */
  earlyFields: FormData | undefined;
};

/** Restores the draft, unless the visitor has typed before hydration, and keeps it up to date. */
export function useDraft({ values, setValues, earlyFields }: DraftedForm): void {
  const { categories } = useSiteConfig();

  useEffect(() => {
    const saved = [earlyFields && readFormData(earlyFields), readDraft(categories)].find(
      (found) => found && !isEmpty(found),
    );
    if (saved) void setValues(saved, false);
  }, [earlyFields, setValues, categories]);

  // Not before the draft is restored.
  const isRestored = useRef(false);
  useEffect(() => {
    if (isRestored.current) saveDraft(values);
    isRestored.current = true;
  }, [values]);
}
