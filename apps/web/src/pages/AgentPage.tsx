import { BRAND } from '@agent-registry/contracts';
import { Container } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router-dom';
import { AgentDetails } from '../features/agent/AgentDetails.tsx';
import { AgentSkeleton } from '../features/agent/AgentSkeleton.tsx';
import { useListedAgent } from '../features/agent/use-listed-agent.ts';
import { MessageCard } from '../layout/MessageCard.tsx';
import { SectionLink } from '../layout/SectionLink.tsx';
import { agentNotFound, describeAgent, PageHead } from '../page-head.tsx';
import { useApi } from '../trpc.ts';
import classes from './AgentPage.module.css';

/** The page of one agent. */
export function AgentPage() {
  const { id = '' } = useParams();
  const { data: agent, isPending } = useQuery({
    ...useApi().queries.agents.get.queryOptions({ id }),
    enabled: id !== '',
    placeholderData: useListedAgent(id),
  });
  if (isPending) {
    return (
      <Container size="lg" py="xl">
        <title>{BRAND}</title>
        <AgentSkeleton />
      </Container>
    );
  }
  if (!agent) {
    return (
      <>
        <PageHead {...agentNotFound} />
        <MessageCard title="Agent Not Found" text={agentNotFound.description} />
      </>
    );
  }
  return (
    <Container size="lg" py="xl">
      <PageHead {...describeAgent(agent)} />
      <SectionLink section="browse" className={classes.back}>
        <IconArrowLeft size={16} aria-hidden /> All agents
      </SectionLink>
      <AgentDetails agent={agent} />
    </Container>
  );
}
