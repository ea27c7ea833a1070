import type { RestContext } from '@agent-registry/client';
import { readManagementKey, toAgentPath, toManagePath, VERSION_FIELD, type Agent } from '@agent-registry/contracts';
import { Alert, Button, Group } from '@mantine/core';
import { IconAlertCircle } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useFormik } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { describeNetworkError, readStatus } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { ErrorSummary } from '../../components/agent-form/ErrorSummary.tsx';
import {
  mergeValues,
  toFormValues,
  toPatch,
  validateEdit,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';
import { useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { KeyField } from '../../components/KeyField.tsx';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';
import { useToast } from '../../lib/toast-context.ts';

/** The registration form with the values of an agent. Without scripts it is posted with the owner's key. */
export function EditForm({ agent }: { agent: Agent }) {
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const refusedForm = useRefusedForm();
  const own = useOwnAgent(agent.id);
  const [refused, setRefused] = useState(refusedForm.read);
  const [isHydrated, setIsHydrated] = useState(false);
  const [failure, setFailure] = useState<{ message: string; hasChanged?: boolean }>();
  /** The agent that the values come from, and its ETag. */
  const base = useRef<{ agent: Agent; etag: string | undefined }>({ agent, etag: undefined });
  const summary = useRef<HTMLDivElement>(null);
  const alert = useRef<HTMLDivElement>(null);

  const formik = useFormik<RegisterFormValues & { key?: string }>({
    initialValues: { ...(refused?.values ?? toFormValues(agent)), key: '' },
    initialErrors: refused?.errors ?? {},
    validate: (values) => validateEdit(base.current.agent, values),
    validateOnBlur: false,
    onSubmit: async (values) => {
      const key = own?.key ?? readManagementKey(values.key ?? '');
      if (key === undefined) {
        setFailure({ message: 'Enter the management key or the link that you kept when you registered the agent.' });
        return;
      }
      const patch = toPatch(base.current.agent, values);
      try {
        // Also without a change: a wrong key must not be kept.
        const context: RestContext = { key, ifMatch: base.current.etag };
        const updated = await client.agents.update.mutate({ id: agent.id, ...patch }, { context });
        queryClient.setQueryData(queries.agents.get.queryOptions({ id: agent.id }).queryKey, updated);
        void queries.agents.invalidate();
        keepKey({ id: agent.id, name: values.name.trim(), key });
        showToast({ title: 'Saved', message: 'The entry shows your changes now.', variant: 'default' });
        await navigate(toAgentPath(agent.id));
      } catch (error) {
        const status = readStatus(error);
        if (status === 412) setFailure({ message: 'This entry was changed meanwhile.', hasChanged: true });
        else setFailure({ message: status === undefined ? describeNetworkError() : (error as Error).message });
      }
    },
  });
  const { values, submitCount, isSubmitting, setValues } = formik;
  const errors = submitCount > 0 || refused ? formik.errors : {};
  const hasErrors = Object.keys(errors).length > 0;

  /** Reads the agent again. Fields that were edited here keep their text. */
  const load = async () => {
    let etag: string | undefined;
    const onHeaders = (headers: Headers) => void (etag = headers.get('ETag') ?? undefined);
    const context: RestContext = { onHeaders };
    const current = await client.agents.get.query({ id: agent.id }, { context });
    const earlier = toFormValues(base.current.agent);
    base.current = { agent: current, etag };
    await setValues((typed) => mergeValues(earlier, typed, toFormValues(current)), false);
    setFailure(undefined);
  };

  // The page may be older than the entry.
  useEffect(() => {
    refusedForm.drop();
    setIsHydrated(true);
    load().catch(() => {});
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once
  }, []);

  useEffect(() => {
    if (submitCount > 0 && !isSubmitting) (summary.current ?? alert.current)?.focus();
  }, [submitCount, isSubmitting]);

  return (
    <AgentForm
      action={toManagePath(agent.id, 'edit')}
      aria-labelledby="manage-title"
      {...{ values, refused, errors, isHydrated }}
      onSubmit={(event) => {
        setRefused(undefined);
        setFailure(undefined);
        formik.handleSubmit(event);
      }}
    >
      <input type="hidden" name={VERSION_FIELD} value={agent.updatedAt ?? ''} />
      <AgentFields formik={formik} errors={errors} />
      {!own && <KeyField {...formik.getFieldProps('key')} />}
      {!refused && hasErrors && <ErrorSummary ref={summary} title="Some fields are not right yet:" errors={errors} />}
      {failure && (
        <Alert
          ref={alert}
          tabIndex={-1}
          role="alert"
          className={classes.alert}
          title="Not saved"
          icon={<IconAlertCircle aria-hidden />}
        >
          {failure.message}
          {failure.hasChanged && (
            <>
              {' '}
              What you have typed is kept; the other fields get their new values.
              <Button
                mt="sm"
                display="block"
                variant="default"
                size="md"
                onClick={() => void load().catch(() => setFailure({ message: describeNetworkError() }))}
              >
                Load the new values
              </Button>
            </>
          )}
        </Alert>
      )}
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
