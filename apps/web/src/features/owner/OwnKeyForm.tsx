import { KEY_FIELD, readManagementKey, toManagePath, type Agent } from '@agent-registry/contracts';
import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { useEarlyText, useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { FormError, FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { KEY_MISSING, KeyField } from '../../components/KeyField.tsx';
import { keepKey } from '../../components/owner-keys.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { toHeading } from '../../navigation/location-state.ts';
import { readOwnVersion } from './use-own-version.ts';

type OwnKeyFormProps = {
  agent: Pick<Agent, 'id'>;
  /** Whether the entry is not listed: without scripts, the key is posted for the form that edits it. */
  isUnlisted?: boolean;
};

export function OwnKeyForm({ agent: { id }, isUnlisted = false }: OwnKeyFormProps) {
  const api = useApi();
  const navigate = useNavigate();
  const isHydrated = useHydrated();
  const action = toManagePath(id, 'edit');
  const [typed, setTyped] = useState(useEarlyText(action, KEY_FIELD));
  const check = useMutation({
    mutationFn: async () => {
      const key = readManagementKey(typed);
      if (key === undefined) throw new FormError(KEY_MISSING);
      const { agent, isHeld } = await readOwnVersion(api, { id, key });
      return { id, name: agent.name, category: agent.category, key, isHeld };
    },
    onSuccess: async (own) => {
      keepKey(own);
      await navigate(action, toHeading);
    },
  });
  const failure = toFormFailure(check, useRefusedForm()?.message);
  return (
    <>
      {!isUnlisted && (
        <noscript>
          <Link to={action}>Enter the key below the fields of the entry</Link>
        </noscript>
      )}
      <form
        className={isUnlisted ? undefined : 'needs-scripts'}
        method="post"
        action={action}
        aria-labelledby="key-title"
        onSubmit={(event) => {
          event.preventDefault();
          check.mutate();
        }}
      >
        <Stack gap="md" align="flex-start">
          <KeyField w="100%" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
          <FormFailure title="Not accepted">{failure}</FormFailure>
          <Button type="submit" size="md" disabled={check.isPending || (!isUnlisted && !isHydrated)}>
            {check.isPending ? 'Checking...' : 'Use this key'}
          </Button>
        </Stack>
      </form>
    </>
  );
}
