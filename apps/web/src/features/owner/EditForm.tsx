import type { RestContext } from '@agent-registry/client';
import {
  HELD_STATUS,
  readManagementKey,
  toAgentPath,
  toManagePath,
  VERSION_FIELD,
  type Agent,
} from '@agent-registry/contracts';
import { Button, Group } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useFormik } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { readStatus, useApi } from '../../api/trpc.ts';
import classes from '../../components/agent-form/AgentForm.module.css';
import { AgentFields } from '../../components/agent-form/AgentFields.tsx';
import { AgentForm } from '../../components/agent-form/AgentForm.tsx';
import { ErrorSummary } from '../../components/agent-form/ErrorSummary.tsx';
import {
  mergeValues,
  readFormData,
  toFormValues,
  toPatch,
  validateEdit,
  type RegisterFormValues,
} from '../../components/agent-form/form-values.ts';
import { useEarlyFields, useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { FormError, FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { KEY_MISSING, KeyField } from '../../components/KeyField.tsx';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';
import { useToast } from '../../lib/toast-context.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { toHeading } from '../../navigation/location-state.ts';
import { ownVersionKey } from './use-own-version.ts';

const CHANGED_MEANWHILE =
  'This entry was changed meanwhile. What you have typed is kept; the other fields have their new values. Save again to keep your changes.';

type EditFormValues = RegisterFormValues & { key?: string };

const noErrors = {};

export function EditForm({ agent }: { agent: Agent }) {
  const posted = useRefusedForm();
  const own = useOwnAgent(agent.id);
  const { base, save } = useEdit(agent);
  const action = toManagePath(agent.id, 'edit');
  const earlyFields = useEarlyFields(action);
  const failure = toFormFailure(save);
  const [refused, setRefused] = useState(posted);
  const isHydrated = useHydrated();
  const summary = useRef<HTMLDivElement>(null);
  const alert = useRef<HTMLDivElement>(null);
  const shown = useRef(base);

  const formik = useFormik<EditFormValues>({
    initialValues: { ...(refused?.values ?? toFormValues(agent)), key: '' },
    initialErrors: refused?.errors ?? {},
    validate: (values) => validateEdit(base, values),
    validateOnBlur: false,
    onSubmit: (values) => save.mutateAsync(values).catch(() => {}),
  });
  const { values, initialValues, submitCount, isSubmitting, getFieldProps, setValues, setFieldValue } = formik;
  const errors = submitCount > 0 || refused ? formik.errors : noErrors;
  const hasErrors = Object.keys(errors).length > 0;
  // A kept key may have been replaced elsewhere.
  const asksForKey = !own || values.key !== '' || readStatus(save.error) === 401;

  useEffect(() => {
    if (earlyFields) void setValues(readFormData(earlyFields, initialValues), false);
  }, [earlyFields, initialValues, setValues]);
  // Fields that were edited here keep their text when the agent has changed meanwhile.
  useEffect(() => {
    if (shown.current === base) return;
    const [earlier, latest] = [toFormValues(shown.current), toFormValues(base)];
    shown.current = base;
    void setValues((edited) => ({ ...edited, ...mergeValues(earlier, edited, latest) }), false);
  }, [base, setValues]);

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

/**
 * Reads the agent that a form edits, which the page may show as it was, and saves the edits. Its owner reads the version
 * that waits for review, if there is one. An edit of a later version is refused, and the agent is read again.
 */
function useEdit(agent: Agent) {
  const { id } = agent;
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const showToast = useToast();
  const own = useOwnAgent(id);
  const typedKey = useRef<string>(undefined);

  const { data: base, refetch } = useQuery({
    queryKey: ['edit', id],
    queryFn: async () => {
      let etag: string | undefined;
      const context: RestContext = {
        key: typedKey.current ?? own?.key,
        onHeaders: (headers) => void (etag = headers.get('ETag') ?? undefined),
      };
      return { agent: await client.agents.get.query({ id }, { context }), etag };
    },
    initialData: { agent, etag: undefined as string | undefined },
    staleTime: 0,
    gcTime: 0,
  });

  const save = useMutation({
    mutationFn: async (values: EditFormValues) => {
      const key = readManagementKey(values.key ?? '') ?? own?.key;
      if (key === undefined) throw new FormError(KEY_MISSING);
      let isHeld = false;
      const onStatus = (status: number) => void (isHeld = status === HELD_STATUS);
      const context: RestContext = { key, ifMatch: base.etag, onStatus };
      try {
        // Also without a change: a wrong key must not be kept.
        const updated = await client.agents.update.mutate({ id, ...toPatch(base.agent, values) }, { context });
        return { updated, key, isHeld };
      } catch (error) {
        if (readStatus(error) !== 412) throw error;
        typedKey.current = key;
        await refetch();
        throw new FormError(CHANGED_MEANWHILE);
      }
    },
    onSuccess: async ({ updated, key, isHeld }) => {
      void queryClient.invalidateQueries({ queryKey: ownVersionKey(id) });
      if (!isHeld) {
        queryClient.setQueryData(queries.agents.get.queryOptions({ id }).queryKey, updated);
        void queries.agents.invalidate();
      }
      keepKey({ id, name: updated.name, category: updated.category, key, ...(isHeld && own?.isHeld && { isHeld }) });
      const message = isHeld ? 'Your change waits for review.' : 'The entry shows your changes now.';
      showToast({ title: 'Saved', message });
      await navigate(toAgentPath(id), toHeading);
    },
  });
  return { base: base.agent, save };
}
