import type { Agent } from '@agent-registry/contracts';
import type { FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { keepEntryDraft, readEntryDraft, removeEntryDraft } from '../../components/agent-form/entry-draft.ts';
import { readFormData, toFormValues, type RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import type { EditFormValues } from './use-edit.ts';

type EditedForm = {
  /** The agent that the form edits. */
  base: Agent;
  values: EditFormValues;
  initialValues: EditFormValues;
  setValues: FormikHelpers<EditFormValues>['setValues'];
  /** Text that was typed before hydration. */
  earlyFields: FormData | undefined;
  /** Whether the form shows what the server refused. */
  isRefused: boolean;
};

/** Restores unsaved edits of an entry, unless the visitor has typed others before hydration, and keeps them up to date. */
export function useEditDraft({ base, values, initialValues, setValues, earlyFields, isRefused }: EditedForm) {
  const { categories } = useSiteConfig();
  const { id } = base;
  const [isRestored, setIsRestored] = useState(false);
  const [wasRefused] = useState(isRefused);

  useEffect(() => {
    const early = earlyFields && readFormData(earlyFields, initialValues);
    const isEdited = early && JSON.stringify(early) !== JSON.stringify(initialValues);
    const draft = isEdited || wasRefused ? undefined : readEntryDraft(id, categories);
    if (draft) setIsRestored(true);
    if (early || draft) void setValues({ ...initialValues, ...early, ...draft }, false);
  }, [id, categories, initialValues, setValues, earlyFields, wasRefused]);

  // Not before the draft is restored.
  const isReady = useRef(false);
  useEffect(() => {
    if (isReady.current) keepEntryDraft(id, pickEdits(toFormValues(base), values));
    isReady.current = true;
  }, [id, base, values]);

  const discard = () => {
    setIsRestored(false);
    removeEntryDraft(id);
    void setValues({ ...initialValues, ...toFormValues(base) }, false);
  };
  return { isRestored, discard };
}

/** The fields that differ from those of the entry; the management key is none of them. */
function pickEdits(before: RegisterFormValues, values: EditFormValues): Partial<RegisterFormValues> {
  const edits = Object.entries(before).flatMap(([field, value]) => {
    const typed = values[field as keyof RegisterFormValues];
    return typed === value ? [] : [[field, typed]];
  });
  return Object.fromEntries(edits) as Partial<RegisterFormValues>;
}
