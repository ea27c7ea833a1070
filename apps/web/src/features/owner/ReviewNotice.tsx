import type { RestContext } from '@agent-registry/client';
import { describeFieldChange, toManagePath, type Agent } from '@agent-registry/contracts';
import { Box, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { toFormValues } from '../../components/agent-form/form-values.ts';
import { FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import type { OwnAgent } from '../../components/owner-keys.ts';
import { useSiteConfig } from '../../lib/site.ts';
import { ownVersionKey, type OwnVersion } from './use-own-version.ts';

/** Longest value of a field that is shown, in UTF-16 code units. */
const MAX_SHOWN = 120;

type ReviewNoticeProps = { own: OwnAgent; version: OwnVersion; listed?: Agent };

export function ReviewNotice({ own, version: { agent, refusal }, listed }: ReviewNoticeProps) {
  const isRefused = refusal !== undefined;
  return (
    <Stack component="section" aria-labelledby="review-title" className="panel" gap="sm" p="md" mb="lg">
      <Title order={2} size="h4" id="review-title">
        {describe(listed !== undefined, isRefused)}
      </Title>
      {isRefused && (
        <Text dir="auto">
          <span className="visually-hidden">The reason: </span>
          {refusal}
        </Text>
      )}
      <Text c="var(--muted-text)">
        {listed
          ? 'Visitors see the entry as it is below.'
          : 'Only you see this page, in browsers that keep the key of the entry.'}
        {isRefused && ' Change it, and it waits for review again.'}
      </Text>
      {listed && <Changes from={listed} to={agent} />}
      <Group gap="sm">
        <Button component={Link} to={toManagePath(own.id, 'edit')} rel="nofollow" size="md">
          {listed ? 'Change it' : 'Edit'}
        </Button>
        {listed ? (
          <TakeBack own={own} />
        ) : (
          <Button component={Link} to={toManagePath(own.id, 'withdraw')} rel="nofollow" variant="default" size="md">
            Withdraw
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function describe(isListed: boolean, isRefused: boolean): string {
  if (isListed) return isRefused ? 'Your change was refused' : 'Your change waits for review';
  return isRefused ? 'This entry was refused' : 'This entry waits for review';
}

/** The fields that the change sets; long values are in the form only. */
function Changes({ from, to }: { from: Agent; to: Agent }) {
  const { categories } = useSiteConfig();
  const former = toFormValues(from);
  const changed = Object.entries(toFormValues(to)).flatMap(([field, value]) => {
    const before = former[field as keyof typeof former];
    if (before === value) return [];
    const isShort = Math.max(before.length, value.length) <= MAX_SHOWN;
    return [isShort ? { field, from: before || null, to: value || null } : { field }];
  });
  return (
    <Box component="ul" my={0}>
      {changed.map((change) => (
        <li key={change.field} dir="auto">
          {describeFieldChange(change, categories)}
        </li>
      ))}
    </Box>
  );
}

function TakeBack({ own: { id, key } }: { own: OwnAgent }) {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const alert = useRef<HTMLDivElement>(null);
  const takeBack = useMutation({
    mutationFn: () => client.agents.takeBack.mutate({ id }, { context: { key } satisfies RestContext }),
    onSuccess: (agent) => {
      // The notice goes, and with it the button that has the focus.
      document.querySelector<HTMLElement>('main')?.focus();
      queryClient.setQueryData<OwnVersion>(ownVersionKey(id), { agent, isHeld: false, refusal: undefined });
    },
  });
  const failure = toFormFailure(takeBack);
  useEffect(() => {
    if (failure !== undefined) alert.current?.focus();
  }, [failure]);
  return (
    <>
      <Button variant="default" size="md" disabled={takeBack.isPending} onClick={() => takeBack.mutate()}>
        Take it back
      </Button>
      <FormFailure ref={alert} title="Not taken back">
        {failure}
      </FormFailure>
    </>
  );
}
