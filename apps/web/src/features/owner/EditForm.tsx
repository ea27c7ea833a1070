import { toAgentPath, toManagePath, VERSION_FIELD, type Agent } from '@agent-registry/contracts';
import { Button, Group } from '@mantine/core';
import { useFormik, type FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { readStatus } from '../../api/request-errors.ts';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { ErrorSummary } from '../../components/agent-form/ErrorSummary.tsx';
import { mergeValues, readFormData, toFormValues, validateEdit } from '../../components/agent-form/form-values.ts';
import { useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { useEarlyFields } from '../../components/agent-form/use-early-fields.ts';
import { FormFailure, useFormFailure } from '../../components/FormFailure.tsx';
import { KeyField } from '../../components/KeyField.tsx';
import { useOwnAgent } from '../../components/owner-keys.ts';
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

  useEarlyValues(earlyFields, initialValues, setValues);
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
      <AgentFields {...{ values, errors, getFieldProps, setFieldValue }} />
      {asksForKey && <KeyField {...getFieldProps('key')} />}
      {!refused && hasErrors && <ErrorSummary ref={summary} title="Some fields are not right yet:" errors={errors} />}
      <FormFailure ref={alert} className={classes.alert} title="Not saved">
        {failure}
      </FormFailure>
      <Group gap="sm">
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

/** Takes over text that was typed before hydration. */
function useEarlyValues(
  earlyFields: FormData | undefined,
  initialValues: EditFormValues,
  setValues: FormikHelpers<EditFormValues>['setValues'],
): void {
  useEffect(() => {
    if (earlyFields) void setValues(readFormData(earlyFields, initialValues), false);
  }, [earlyFields, initialValues, setValues]);
}
