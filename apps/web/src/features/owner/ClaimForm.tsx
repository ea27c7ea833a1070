import { CHALLENGE_META, CHALLENGE_PATH, hostOf, nameWebsite, type Agent } from '@agent-registry/contracts';
import { Button, Group, Stack, Text } from '@mantine/core';
import circleCheck from '../../icons/circle-check.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { CopyField } from '../../components/CopyField.tsx';
import { FormFailure } from '../../components/FormFailure.tsx';
import { KeepLink } from '../../components/KeepLink.tsx';
import type { OwnAgent } from '../../components/owner-keys.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useClaim } from './use-claim.ts';

/** Gives an agent a new key after its owner has proved control of the website. Needs scripts. */
export function ClaimForm({ agent }: { agent: Agent }) {
  const { claim, own, isOwner, begin, check, failure } = useClaim(agent);
  const isHydrated = useHydrated();

  if (own) return <ClaimedAgent own={own} />;
  const site = agent.website === null ? undefined : nameWebsite(agent.website);
  const host = agent.website === null ? undefined : hostOf(agent.website);
  if (!site || !host) {
    return (
      <Text maw="44rem">
        This entry names no website, so nobody can prove to be its owner.{' '}
        {isOwner ? 'Add one to the entry.' : 'Ask the registry for help.'}
      </Text>
    );
  }
  if (site.isGallery) {
    return (
      <Text maw="44rem">
        This entry is listed on <bdi>{site.name}</bdi>, whose pages do not tell to whom they belong.{' '}
        {isOwner ? 'List a website of your own to prove that it is yours.' : 'Ask the registry for help.'}
      </Text>
    );
  }
  return (
    <Stack gap="md" maw="44rem">
      <Text>
        {isOwner ? (
          <>
            Prove that you control <bdi>{site.name}</bdi>, and a tick shows on every card. Your key stays valid.
          </>
        ) : (
          <>
            Have you lost the key of this entry, or never had one? Prove that you control <bdi>{site.name}</bdi>, and
            you get a new key. Earlier keys are void then.
          </>
        )}
      </Text>
      <noscript>This needs scripts.</noscript>
      {claim ? (
        <>
          <Challenge host={host} challenge={claim.challenge} />
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

/** Says that the claim succeeded, and offers the link with the new key. */
function ClaimedAgent({ own }: { own: OwnAgent & { isNewKey: boolean } }) {
  return (
    <Stack gap="md" maw="44rem" role="status">
      <Group gap="xs" wrap="nowrap">
        <Icon svg={circleCheck} size={24} strokeWidth={1.7} aria-hidden />
        <Text fw={600}>
          You control the website.{' '}
          {own.isNewKey ? 'The entry has a new key, and earlier keys are void.' : 'Your key stays valid.'}
        </Text>
      </Group>
      {own.isNewKey && <KeepLink own={own} />}
    </Stack>
  );
}

/** The text that the owner puts on the website, in the forms that a check finds. */
function Challenge({ host, challenge }: { host: string; challenge: string }) {
  return (
    <>
      <Text>Put this text on your website within 24 hours, in one of two ways:</Text>
      <CopyField label={`In the file https://${host}${CHALLENGE_PATH}`} value={challenge} />
      <CopyField
        label="Or in the head of the listed page"
        value={`<meta name="${CHALLENGE_META}" content="${challenge}">`}
      />
    </>
  );
}
