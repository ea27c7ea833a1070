import type { Agent, ManageAction } from '@agent-registry/contracts';
import { Box, Container, Title } from '@mantine/core';
import type { ComponentType, ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { readStatus } from '../api/trpc.ts';
import { AsyncState } from '../components/AsyncState.tsx';
import type { OwnAgent } from '../components/owner-keys.ts';
import { AgentSkeleton } from '../features/agent/AgentSkeleton.tsx';
import { OwnKeyForm } from '../features/owner/OwnKeyForm.tsx';
import { ReviewNotice } from '../features/owner/ReviewNotice.tsx';
import { useOwnVersion } from '../features/owner/use-own-version.ts';
import { WithdrawForm } from '../features/owner/WithdrawForm.tsx';
import { useSiteConfig } from '../lib/site.ts';
import { ManageAgent } from './ManageAgent.tsx';
import { MessageCard } from './MessageCard.tsx';
import { describeAgent, describeAgentNotFound, PageHead } from './page-head.tsx';

type OwnAgentPageProps = {
  own: OwnAgent | undefined;
  listed: Agent | undefined;
  action?: ManageAction | undefined;
  /** Shows the data of an agent: in the chunk of the page, which shows it, too. */
  Details: ComponentType<{ agent: Agent; isHeld: true; children: ReactNode }>;
};

/** The page of an unlisted agent, or a notice about a change that waits. Without the key, the forms ask for it. */
export function OwnAgentPage({ own, ...props }: OwnAgentPageProps) {
  return own ? <KeptAgentPage own={own} {...props} /> : <UnknownAgentPage action={props.action} />;
}

/** The same for every agent that is not listed and for every unknown id. */
function UnknownAgentPage({ action }: Pick<OwnAgentPageProps, 'action'>) {
  const { id = '' } = useParams();
  const head = describeAgentNotFound(useSiteConfig());
  return (
    <MessageCard head={head} title="Agent Not Found">
      {(action === 'edit' || action === 'withdraw') && (
        <Box component="section" aria-labelledby="key-title" mb="lg">
          <Title order={2} size="h4" id="key-title" mb="sm">
            Does it wait for review, and is it yours?
          </Title>
          {action === 'edit' ? (
            <OwnKeyForm agent={{ id }} isUnlisted />
          ) : (
            <WithdrawForm agent={{ id, name: 'this entry' }} titleId="key-title" />
          )}
        </Box>
      )}
    </MessageCard>
  );
}

function KeptAgentPage({ own, listed, action, Details }: OwnAgentPageProps & { own: OwnAgent }) {
  const siteConfig = useSiteConfig();
  const { data: version, error, isFetching, refetch } = useOwnVersion(own);
  if (listed) {
    return version?.isHeld ? <ReviewNotice own={own} version={version} listed={listed} /> : null;
  }
  const { path: _, ...head } = version ? describeAgent(version.agent, siteConfig) : describeAgentNotFound(siteConfig);
  if (!version && error && readStatus(error) !== undefined) {
    return <MessageCard head={head} title="Agent Not Found" />;
  }
  const pageHead = <PageHead {...head} title={version ? head.title : own.name} />;
  if (version && (action === 'edit' || action === 'withdraw')) {
    return (
      <Container size="lg" pt="sm" pb="xl">
        {pageHead}
        <ManageAgent key={action} agent={version.agent} action={action} />
      </Container>
    );
  }
  return (
    <>
      {pageHead}
      {version ? (
        <Details agent={version.agent} isHeld>
          <ReviewNotice own={own} version={version} />
        </Details>
      ) : (
        <AsyncState error={isFetching ? null : error} retry={refetch}>
          <AgentSkeleton />
        </AsyncState>
      )}
    </>
  );
}
