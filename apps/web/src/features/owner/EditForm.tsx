import { toAgentPath, toManagePath, VERSION_FIELD, type Agent } from '@agent-registry/contracts';
import { Button, Group, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useFormik, type FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { readStatus } from '../../api/request-errors.ts';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { keepEntryDraft, readEntryDraft, removeEntryDraft } from '../../components/agent-form/entry-draft.ts';
import { ErrorSummary } from '../../components/agent-form/ErrorSummary.tsx';
import {
  mergeValues,
  readFormData,
  toFormValues,
  validateEdit,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';
import { useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { useEarlyFields } from '../../components/agent-form/use-early-fields.ts';
import { FormFailure, useFormFailure } from '../../components/FormFailure.tsx';
import { KeyField } from '../../components/KeyField.tsx';
import { useOwnAgent } from '../../components/owner-keys.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useEdit, type EditFormValues } from './use-edit.ts';

const noErrors = {};

/** The registration form with the values of an agent. Without scripts it is posted with the owner's key. */
export function EditForm({ agent }: { agent: Agent }) {
  const posted = useRefusedForm();
  const own = useOwnAgent(agent.id);
  const { base, save } = useEdit(agent);
  const action = toManagePath(agent.id, 'edit');
  const earlyFields = useEarlyFields(action);
  const failure = useFormFailure(save);
  const [refused, setRefused] = useState(posted);
  const isHydrated = useHydrated();
  const summary = useRef<HTMLDivElement>(null);
  const alert = useRef<HTMLDivElement>(null);

  const formik = useFormik<EditFormValues>({
    initialValues: { ...(refused?.values ?? toFormValues(agent)), key: '' },
    initialErrors: refused?.errors ?? {},
    validate: (values) => validateEdit(base, values),
    validateOnBlur: false,
    // useFormFailure says why it failed.
    onSubmit: (values) => save.mutateAsync(values).catch(() => {}),
  });
  const { values, initialValues, submitCount, isSubmitting, getFieldProps, setValues, setFieldValue } = formik;
  const errors = submitCount > 0 || refused ? formik.errors : noErrors;
  const hasErrors = Object.keys(errors).length > 0;
  // A kept key may have been replaced elsewhere.
  const asksForKey = !own || values.key !== '' || readStatus(save.error) === 401;

  const isRefused = refused !== undefined;
  const { isRestored, discard } = useEditDraft({ base, values, initialValues, setValues, earlyFields, isRefused });

  useLatestValues(base, setValues);

  useEffect(() => {
    if (submitCount > 0 && !isSubmitting) (summary.current ?? alert.current)?.focus();
  }, [submitCount, isSubmitting]);

  return (
    <AgentForm
      action={action}
      aria-labelledby="manage-title"
      {...{ values, refused, errors, isHydrated }}
      onSubmit={(event) => {
        setRefused(undefined);
        save.reset();
        formik.handleSubmit(event);
      }}
    >
      <input type="hidden" name={VERSION_FIELD} value={agent.updatedAt ?? ''} />
      {isRestored && <RestoredDraft onDiscard={discard} />}
      <AgentFields {...{ values, errors, getFieldProps, setFieldValue }} />
      {asksForKey && <KeyField {...getFieldProps('key')} />}
      {!refused && hasErrors && <ErrorSummary ref={summary} title="Some fields are not right yet:" errors={errors} />}
      <FormFailure ref={alert} className={classes.alert} title="Not saved">
        {failure}
      </FormFailure>
      <Group gap="sm" className={classes.buttons}>
        <Button type="submit" size="md" disabled={isSubmitting} className={classes.submit}>
          {isSubmitting ? 'Saving...' : 'Save Changes'}
        </Button>
        <Button component={Link} to={toAgentPath(agent.id)} size="md" variant="default">
          Cancel
        </Button>
      </Group>
    </AgentForm>
  );
}

/** Shows the values of an agent that has changed meanwhile; fields that were edited here keep their text. */
function useLatestValues(base: Agent, setValues: FormikHelpers<EditFormValues>['setValues']): void {
  const shown = useRef(base);
  useEffect(() => {
    if (shown.current === base) return;
    const [earlier, latest] = [toFormValues(shown.current), toFormValues(base)];
    shown.current = base;
    void setValues((typed) => ({ ...typed, ...mergeValues(earlier, typed, latest) }), false);
  }, [base, setValues]);
}

/** Says that unsaved edits are back; the focus stays in the form when they are discarded. */
function RestoredDraft({ onDiscard }: { onDiscard: () => void }) {
  const discard = () => {
    document.getElementById('manage-title')?.focus();
    onDiscard();
  };
  return (
    <Group gap="sm" role="status">
      <Text>Your unsaved changes are back.</Text>
      <Button variant="default" size="sm" onClick={discard}>
        Discard
      </Button>
    </Group>
  );
}

type EditedForm = {
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
function useEditDraft({ base, values, initialValues, setValues, earlyFields, isRefused }: EditedForm) {
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

  useDidUpdate(() => keepEntryDraft(id, pickEdits(toFormValues(base), values)), [id, base, values]);

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
