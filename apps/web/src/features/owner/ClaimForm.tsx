import type { RestContext } from '@agent-registry/client';
import {
  CHALLENGE_META,
  CHALLENGE_PATH,
  createManagementKey,
  findRepository,
  hostOf,
  isManagementKey,
  REPOSITORY_FILE,
  toManagePath,
  type Agent,
} from '@agent-registry/contracts';
import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import circleCheck from '../../icons/circle-check.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { FormFailure, toFormFailure } from '../../components/FormFailure.tsx';
import { KeepLink } from '../../components/KeepLink.tsx';
import { keepKey, useOwnAgent, type OwnAgent } from '../../components/owner-keys.ts';
import { useWebsiteName } from '../../lib/site.ts';
import { removeStored, useStored, writeStored } from '../../lib/storage.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import classes from './ClaimForm.module.css';
import { OwnKeyForm } from './OwnKeyForm.tsx';

export function ClaimChoices({ agent }: { agent: Agent }) {
  const own = useOwnAgent(agent.id);
  const site = useWebsiteName(agent.website);
  return (
    <div className={classes.choices}>
      {!own && (
        <Stack component="section" aria-labelledby="key-title" className="panel" p="md" gap="sm">
          <Title order={2} size="h4" id="key-title">
            I have the key or link
          </Title>
          <OwnKeyForm agent={agent} />
        </Stack>
      )}
      <Stack component="section" aria-labelledby="proof-title" className="panel" p="md" gap="sm">
        <Title order={2} size="h4" id="proof-title">
          Prove that <bdi>{site?.provable ?? 'it'}</bdi> is mine
        </Title>
        <ClaimForm agent={agent} />
      </Stack>
    </div>
  );
}

/** Gives an agent a new key after its owner has proved control of the website. Needs scripts. */
export function ClaimForm({ agent }: { agent: Agent }) {
  const { claim, own, isOwner, begin, check, failure } = useClaim(agent);
  const isHydrated = useHydrated();
  const site = useWebsiteName(agent.website);
  if (own) return <ClaimedAgent own={own} control={site?.provable} />;
  if (agent.website === null || site?.provable === undefined) {
    return (
      <Text maw="44rem">
        {site ? (
          <>
            This entry is listed on <bdi>{site.name}</bdi>, where its owner cannot prove that it is theirs.
          </>
        ) : (
          'This entry names no website, so nobody can prove to be its owner.'
        )}{' '}
        {isOwner ? (
          'Add a website or a repository of your own to the entry.'
        ) : (
          <Anchor component={Link} to={toManagePath(agent.id, 'report')} rel="nofollow">
            Ask the operator of this registry.
          </Anchor>
        )}
      </Text>
    );
  }
  return (
    <Stack gap="md" maw="44rem">
      <Text>
        {isOwner ? (
          <>
            Prove that you control <bdi>{site.provable}</bdi>, and a tick shows on every card. Your key stays valid.
          </>
        ) : (
          <>
            Have you lost the key of this entry, or never had one? Prove that you control <bdi>{site.provable}</bdi>,
            and you get a new key. Earlier keys are void then.
          </>
        )}
      </Text>
      <noscript>This needs scripts.</noscript>
      {claim ? (
        <>
          <Challenge website={agent.website} challenge={claim.challenge} />
          <Group>
            <Button size="md" disabled={check.isPending} onClick={() => check.mutate(claim)}>
              {check.isPending ? 'Checking...' : 'Check now'}
            </Button>
          </Group>
        </>
      ) : (
        <Group className="needs-scripts">
          <Button size="md" disabled={!isHydrated || begin.isPending} onClick={() => begin.mutate()}>
            Prove that you control the {findRepository(agent.website) ? 'repository' : 'website'}
          </Button>
        </Group>
      )}
      <FormFailure title="Not proved">{failure}</FormFailure>
    </Stack>
  );
}

function ClaimedAgent({ own, control }: { own: OwnAgent & { isNewKey: boolean }; control: string | undefined }) {
  return (
    <Stack gap="md" maw="44rem" role="status">
      <Group gap="xs" wrap="nowrap">
        <Icon svg={circleCheck} size={24} />
        <Text fw={650}>
          You control <bdi>{control}</bdi>.{' '}
          {own.isNewKey ? 'The entry has a new key, and earlier keys are void.' : 'Your key stays valid.'}
        </Text>
      </Group>
      {own.isNewKey && <KeepLink own={own} />}
    </Stack>
  );
}

/** The text that the owner puts on the website, in the forms that a check finds. */
function Challenge({ website, challenge }: { website: string; challenge: string }) {
  const repository = findRepository(website);
  if (repository) {
    return (
      <>
        <Text>
          Put this text into a file in the root of the repository, on its default branch, within 24 hours. Leave it
          there: without the file the proof ends. The check reads{' '}
          <Anchor href={repository.file} rel="nofollow ugc noopener" dir="ltr">
            {repository.file}
          </Anchor>
          .
        </Text>
        <CopyField label={`In the file ${REPOSITORY_FILE}`} value={challenge} />
      </>
    );
  }
  return (
    <>
      <Text>Put this text on your website within 24 hours, in one of two ways:</Text>
      <CopyField label={`In the file https://${hostOf(website)}${CHALLENGE_PATH}`} value={challenge} />
      <CopyField
        label="Or in the head of the listed page"
        value={`<meta name="${CHALLENGE_META}" content="${challenge}">`}
      />
    </>
  );
}

type Claim = { key: string; challenge: string; expiresAt: string };

/** A claim begins with a challenge, which this browser keeps, and ends with a check that finds it on the website. */
function useClaim(agent: Agent) {
  const { id, name, category } = agent;
  const { client, queries } = useApi();
  const queryClient = useQueryClient();
  const storageKey = `agent-registry.claim.${id}`;
  const kept = useStored(storageKey, parseClaim);
  const owned = useOwnAgent(id);
  const [begun, setBegun] = useState<Claim>();
  const claim = begun ?? kept;
  const [own, setOwn] = useState<OwnAgent & { isNewKey: boolean }>();

  const begin = useMutation({
    mutationFn: async () => {
      const key = owned?.key ?? createManagementKey();
      const context: RestContext = { newKey: key };
      return { key, ...(await client.agents.challenge.mutate({ id }, { context })) };
    },
    onSuccess: (newClaim) => {
      // Its owner may leave the page to change the website.
      writeStored(storageKey, newClaim);
      setBegun(newClaim);
    },
  });
  const check = useMutation({
    mutationFn: ({ key }: Claim) =>
      client.agents.claim.mutate({ id }, { context: { newKey: key, key: owned?.key } satisfies RestContext }),
    onSuccess: (claimed, { key }) => {
      const claimedOwn = { id, name, category, key };
      removeStored(storageKey);
      keepKey(claimedOwn);
      setOwn({ ...claimedOwn, isNewKey: key !== owned?.key });
      queryClient.setQueryData(queries.agents.get.queryOptions({ id }).queryKey, claimed);
    },
  });

  return { claim, own, isOwner: owned !== undefined, begin, check, failure: toFormFailure(claim ? check : begin) };
}

/** Undefined if it has expired. */
function parseClaim(json: unknown): Claim | undefined {
  const { key, challenge, expiresAt } = json as Partial<Record<keyof Claim, unknown>>;
  if (typeof key !== 'string' || typeof challenge !== 'string' || typeof expiresAt !== 'string') return undefined;
  return isManagementKey(key) && Date.parse(expiresAt) > Date.now() ? { key, challenge, expiresAt } : undefined;
}
