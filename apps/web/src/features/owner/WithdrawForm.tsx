import type { RestContext } from '@agent-registry/client';
import { KEY_FIELD, readManagementKey, toAgentPath, toManagePath, type Agent } from '@agent-registry/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { readStatus, toAgentQuery, useApi } from '../../api/trpc.ts';
import { toHeading } from '../../navigation/location-state.ts';
import { FormError, FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { KEY_MISSING, KeyField } from '../../components/KeyField.tsx';
import { keepLastValues, toFormValues } from '../../components/agent-form/form-values.ts';
import { useEarlyText, useRefusedForm } from '../../components/agent-form/refused-form.ts';
import { keepKey, useOwnAgent } from '../../components/owner-keys.ts';

type WithdrawFormProps = { agent: Pick<Agent, 'id' | 'name'>; titleId?: string };

export function WithdrawForm({ agent: { id, name }, titleId = 'manage-title' }: WithdrawFormProps) {
  const api = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const own = useOwnAgent(id);
  const action = toManagePath(id, 'withdraw');
  const [typed, setTyped] = useState(useEarlyText(action, KEY_FIELD));
  const withdrawal = useMutation({
    mutationFn: async () => {
      const key = readManagementKey(typed) ?? own?.key;
      if (key === undefined) throw new FormError(KEY_MISSING);
      const context: RestContext = { key };
      return { key, withdrawn: await api.client.agents.withdraw.mutate({ id }, { context }) };
    },
    onSuccess: async ({ key, withdrawn }) => {
      const { name: lastName, category } = withdrawn;
      // The page says so without another request.
      queryClient.setQueryData(toAgentQuery(api, id).queryKey, 'withdrawn');
      // Its owner can register it again.
      keepLastValues(id, toFormValues(withdrawn));
      keepKey({ id, name: lastName, category, key, isWithdrawn: true });
      await navigate(toAgentPath(id), { replace: true, ...toHeading });
      await queryClient.invalidateQueries({ refetchType: 'none' });
    },
  });
  const failure = toFormFailure(withdrawal, useRefusedForm()?.message);
  // A kept key may have been replaced elsewhere.
  const asksForKey = !own || typed !== '' || readStatus(withdrawal.error) === 401;

  return (
    <form
      method="post"
      action={action}
      aria-labelledby={titleId}
      onSubmit={(event) => {
        event.preventDefault();
        withdrawal.mutate();
      }}
    >
      <Stack gap="md" maw="44rem">
        <Text>
          Do you want to withdraw <bdi>{name}</bdi>? It leaves every list and search at once.
        </Text>
        <Text c="var(--muted-text)">
          What stays: the address of its page, which says that it was withdrawn. The operator can list it again within
          30 days; after that, its texts are deleted.
        </Text>
        {asksForKey && <KeyField value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />}
        <FormFailure title="Not withdrawn">{failure}</FormFailure>
        <Group gap="sm">
          <Button
            type="submit"
            size="md"
            variant="default"
            c="var(--error-text)"
            bg="transparent"
            bd="1px solid var(--error-text)"
            disabled={withdrawal.isPending}
          >
            <span>
              Withdraw <bdi>{name}</bdi>
            </span>
          </Button>
          <Button component={Link} to={toAgentPath(id)} size="md" variant="default">
            Keep it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
