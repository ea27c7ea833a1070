import type { Agent } from '@agent-registry/contracts';
import type { FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { keepEntryDraft, readEntryDraft, removeEntryDraft } from '../../components/agent-form/entry-draft.ts';
import { readFormData, toFormValues, type RegisterFormValues } from '../../components/agent-form/form-values.ts';
import { useSiteConfig } from '../../lib/site-config.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
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
  const isHydrated = useHydrated();
  const [draft] = useState(() => (isRefused ? undefined : readEntryDraft(id, categories)));
  const [early] = useState(() => earlyFields && readFormData(earlyFields, initialValues));
  const [isDiscarded, setIsDiscarded] = useState(false);
  const isEdited = early !== undefined && JSON.stringify(early) !== JSON.stringify(initialValues);
  const restored = isEdited ? undefined : draft;

  useEffect(() => {
    if (early || restored) void setValues({ ...initialValues, ...early, ...restored }, false);
  }, [initialValues, setValues, early, restored]);

  // Not before the draft is restored.
  const isReady = useRef(false);
  useEffect(() => {
    if (isReady.current) keepEntryDraft(id, pickEdits(toFormValues(base), values));
    isReady.current = true;
  }, [id, base, values]);

  const discard = () => {
    setIsDiscarded(true);
    removeEntryDraft(id);
    void setValues({ ...initialValues, ...toFormValues(base) }, false);
  };
  return { isRestored: restored !== undefined && isHydrated && !isDiscarded, discard };
}

/** The fields that differ from those of the entry; the management key is none of them. */
function pickEdits(before: RegisterFormValues, values: EditFormValues): Partial<RegisterFormValues> {
  const edits = Object.entries(before).flatMap(([field, value]) => {
    const typed = values[field as keyof RegisterFormValues];
    return typed === value ? [] : [[field, typed]];
  });
  return Object.fromEntries(edits) as Partial<RegisterFormValues>;
}
