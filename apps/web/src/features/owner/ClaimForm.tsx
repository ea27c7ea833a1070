import type { RestContext } from '@agent-registry/client';
import { CHALLENGE_META, CHALLENGE_PATH, createManagementKey, type Agent } from '@agent-registry/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconCircleCheck } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/trpc.ts';
import { CopyField } from '../../components/CopyField.tsx';
import { FormFailure, useFormFailure } from '../../components/FormFailure.tsx';
import { KeepLink } from '../../components/KeepLink.tsx';
import { keepKey, useOwnAgent, type OwnAgent } from '../../components/owner-keys.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { keepClaim, removeClaim, useKeptClaim, type Claim } from './pending-claim.ts';

/** Gives an agent a new key after its owner has proved control of the website. Needs scripts. */
export function ClaimForm({ agent }: { agent: Agent }) {
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const kept = useKeptClaim(agent.id);
  const owned = useOwnAgent(agent.id);
  const [begun, setBegun] = useState<Claim>();
  const claim = begun ?? kept;
  const [own, setOwn] = useState<OwnAgent>();
  const isHydrated = useHydrated();

  const begin = useMutation({
    mutationFn: async () => {
      const key = createManagementKey();
      const context: RestContext = { newKey: key };
      return { key, ...(await client.agents.challenge.mutate({ id: agent.id }, { context })) };
    },
    onSuccess: (newClaim) => {
      keepClaim(agent.id, newClaim);
      setBegun(newClaim);
    },
  });
  const check = useMutation({
    mutationFn: async ({ key }: Claim) => {
      const context: RestContext = { newKey: key, key: owned?.key };
      return client.agents.claim.mutate({ id: agent.id }, { context });
    },
    onSuccess: (claimed, { key }) => {
      const claimedOwn = { id: agent.id, name: agent.name, category: agent.category, key };
      removeClaim(agent.id);
      keepKey(claimedOwn);
      setOwn(claimedOwn);
      queryClient.setQueryData(queries.agents.get.queryOptions({ id: agent.id }).queryKey, claimed);
    },
  });
  const failure = useFormFailure(claim ? check : begin);

  if (own) {
    return (
      <Stack gap="md" maw="44rem" role="status">
        <Group gap="xs" wrap="nowrap">
          <IconCircleCheck size={24} stroke={1.7} aria-hidden />
          <Text fw={600}>You control the website. The entry has a new key, and earlier keys are void.</Text>
        </Group>
        <KeepLink own={own} />
      </Stack>
    );
  }
  if (agent.website === null) {
    return (
      <Text maw="44rem">
        This entry names no website, so nobody can prove to be its owner. Ask the registry for help.
      </Text>
    );
  }
  const { hostname } = new URL(agent.website);
  return (
    <Stack gap="md" maw="44rem">
      <Text>
        Have you lost the key of this entry, or never had one? Prove that you control <bdi>{hostname}</bdi>, and you get
        a new key. Earlier keys are void then.
      </Text>
      <noscript>This needs scripts.</noscript>
      {claim ? (
        <>
          <Text>Put this text on your website within 24 hours, in one of two ways:</Text>
          <CopyField label={`In the file https://${hostname}${CHALLENGE_PATH}`} value={claim.challenge} />
          <CopyField
            label="Or in the head of the listed page"
            value={`<meta name="${CHALLENGE_META}" content="${claim.challenge}">`}
          />
          <Group>
            <Button size="md" disabled={check.isPending} onClick={() => check.mutate(claim)}>
              {check.isPending ? 'Checking...' : 'Check now'}
            </Button>
          </Group>
        </>
      ) : (
        <Group className="needs-scripts">
          <Button size="md" disabled={!isHydrated || begin.isPending} onClick={() => begin.mutate()}>
            Prove that you control the website
          </Button>
        </Group>
      )}
      {failure !== undefined && <FormFailure title="Not proved">{failure}</FormFailure>}
    </Stack>
  );
}
