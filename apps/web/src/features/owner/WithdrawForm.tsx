import type { RestContext } from '@agent-registry/client';
import { readManagementKey, toAgentPath, toManagePath, type Agent } from '@agent-registry/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FormError } from '../../api/describe-failure.ts';
import { readStatus } from '../../api/request-errors.ts';
import { useApi } from '../../api/trpc.ts';
import { withdrawnKey } from '../../api/withdrawn.ts';
import { useSite } from '../../lib/site.ts';
import { FormFailure, useFormFailure } from '../../components/FormFailure.tsx';
import { KEY_MISSING, KeyField } from '../../components/KeyField.tsx';
import { forgetKey, useOwnAgent } from '../../components/owner-keys.ts';

/** Asks once more, by the agent's name, and withdraws it. Without scripts it is posted with the owner's key. */
export function WithdrawForm({ agent: { id, name } }: { agent: Agent }) {
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const own = useOwnAgent(id);
  const [typed, setTyped] = useState('');
  const { refusal } = useSite();
  const withdrawal = useMutation({
    mutationFn: async () => {
      const key = readManagementKey(typed) ?? own?.key;
      if (key === undefined) throw new FormError(KEY_MISSING);
      const context: RestContext = { key };
      await client.agents.withdraw.mutate({ id }, { context });
    },
    onSuccess: async () => {
      forgetKey(id);
      // The page says so without another request.
      queryClient.setQueryData(withdrawnKey(id), true);
      queryClient.setQueryData([...queries.agents.get.queryOptions({ id }).queryKey], null);
      await navigate(toAgentPath(id), { replace: true });
      await queryClient.invalidateQueries({ refetchType: 'none' });
    },
  });
  const failure = useFormFailure(withdrawal, refusal);
  // A kept key may have been replaced elsewhere.
  const asksForKey = !own || typed !== '' || readStatus(withdrawal.error) === 401;

  return (
    <form
      method="post"
      action={toManagePath(id, 'withdraw')}
      aria-labelledby="manage-title"
      onSubmit={(event) => {
        event.preventDefault();
        withdrawal.mutate();
      }}
    >
      <Stack gap="md" maw="44rem">
        <Text>
          Do you want to withdraw <bdi>{name}</bdi>? It leaves every list and search at once, and its page says that it
          was withdrawn.
        </Text>
        {asksForKey && <KeyField value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />}
        {failure !== undefined && <FormFailure title="Not withdrawn">{failure}</FormFailure>}
        <Group gap="sm">
          <Button type="submit" size="md" disabled={withdrawal.isPending}>
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
