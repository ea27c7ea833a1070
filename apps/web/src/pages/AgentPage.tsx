import {
  getCategory,
  isAgentId,
  isCategoryId,
  readManageAction,
  toManagePath,
  toViewPath,
  type ManageAction,
  toBrowsePath,
  type Agent,
} from '@agent-registry/contracts';
import { Button, Container, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { AgentDetails } from '../features/agent/AgentDetails.tsx';
import { AgentSkeleton } from '../features/agent/AgentSkeleton.tsx';
import { keepKey, useOwnAgent } from '../components/owner-keys.ts';
import { AsyncState } from '../components/AsyncState.tsx';
import { Notice, REPORTED_HASH, WAITING_HASH } from '../components/Notice.tsx';
import { createLazyComponent } from '../components/lazy-component.tsx';
import { useSiteConfig } from '../lib/site.ts';
import { InvalidPage, MessageCard } from './MessageCard.tsx';
import { BackToList } from '../navigation/BackToList.tsx';
import { lazyOwnEntry } from '../features/owner/lazy-components.ts';
import { lazyManageAgent, lazyOwnAgentPage } from './lazy-parts.ts';
import { describeAgent, describeAgentNotFound, describeAgentWithdrawn, PageHead } from './page-head.tsx';
import { describeNetworkError, readCachedAgents, readStatus, toAgentQuery, useApi } from '../api/trpc.ts';
import classes from './AgentPage.module.css';

export const lazyRegisterAgain = createLazyComponent(
  async () => (await import('../features/register/RegisterAgain.tsx')).RegisterAgain,
);

export function AgentPage() {
  const action = readManageAction(useSearchParams()[0]);
  const { id = '' } = useParams();
  if (action === null) return <InvalidPage part="Form" />;
  return isAgentId(id) ? <KnownAgentPage id={id} action={action} /> : <AgentNotFound />;
}

function AgentNotFound({ children }: { children?: ReactNode }) {
  return (
    <MessageCard head={describeAgentNotFound(useSiteConfig())} title="Agent Not Found">
      {children}
    </MessageCard>
  );
}

function KnownAgentPage({ id, action }: { id: string; action: ManageAction | undefined }) {
  const siteConfig = useSiteConfig();
  const query = toAgentQuery(useApi(), id);
  const queryClient = useQueryClient();
  // Without its contact address it is none.
  const cached = readCachedAgents(queryClient).find(
    (other): other is Agent => other.id === id && other.contactEmail !== null,
  );
  const { data: version, error, isPending, refetch } = useQuery({ ...query, placeholderData: cached });
  const isUnreachable = error !== null && readStatus(error) === undefined;
  const loaded = version ?? (isUnreachable ? cached : undefined);
  const agent = typeof loaded === 'object' ? loaded : undefined;
  useOwnName(id, agent);
  const own = useOwnAgent(id);
  const retry = async () => {
    await queryClient.cancelQueries({ queryKey: query.queryKey });
    await refetch();
  };
  if (isPending || (isUnreachable && !loaded)) {
    return (
      <>
        <title>{siteConfig.name}</title>
        <AsyncState key={id} error={error} retry={retry}>
          <AgentSkeleton crumb={<Breadcrumb />} />
        </AsyncState>
      </>
    );
  }
  const ownPage = (own || action) && (
    <lazyOwnAgentPage.Component
      own={own}
      listed={agent}
      action={action}
      Details={AgentDetails}
      failure="The entry could not be loaded."
    />
  );
  if (agent) return <ListedAgentPage agent={agent} action={action} ownPage={ownPage} isOld={isUnreachable} />;
  if (version === 'withdrawn') {
    return (
      <MessageCard
        head={describeAgentWithdrawn(siteConfig)}
        title={own ? `${own.name} is withdrawn` : 'Agent Withdrawn'}
      >
        {own && <lazyRegisterAgain.Component id={id} failure="The form could not be loaded." />}
      </MessageCard>
    );
  }
  if (version === 'unknown' && ownPage) return ownPage;
  return (
    <AgentNotFound>
      {version === undefined && (
        <AsyncState
          error={error}
          errorMessage="The registry could not answer. The agent may be there all the same."
          retry={retry}
        />
      )}
    </AgentNotFound>
  );
}

type ListedAgentPageProps = { agent: Agent; action: ManageAction | undefined; ownPage: ReactNode; isOld: boolean };

function ListedAgentPage({ agent, action, ownPage, isOld }: ListedAgentPageProps) {
  const siteConfig = useSiteConfig();
  useEffect(() => {
    // A page from a cache is a view, too. A form is none.
    if (!action && !isOld) void fetch(toViewPath(agent.id), { method: 'POST', keepalive: true }).catch(() => {});
  }, [agent.id, action, isOld]);
  const own = useOwnAgent(agent.id);
  const crumb = <Breadcrumb agent={agent} />;
  const head = <PageHead {...describeAgent(agent, siteConfig, action)} />;
  if (action) {
    return (
      <Container size="lg" pt="sm" pb="xl">
        {head}
        {crumb}
        <lazyManageAgent.Component
          key={action}
          agent={agent}
          action={action}
          fallback={<Loader />}
          failure="The form could not be loaded."
        />
      </Container>
    );
  }
  return (
    <>
      {head}
      <AgentDetails
        agent={agent}
        crumb={crumb}
        ownerAction={
          own && (
            <Button component={Link} to={toManagePath(agent.id, 'edit')} rel="nofollow" size="md">
              Edit
            </Button>
          )
        }
        ownPanel={own && <lazyOwnEntry.Component agent={agent} own={own} failure="Your entry could not be loaded." />}
      >
        {ownPage}
        <Notice hash={REPORTED_HASH}>Your report has been sent to the operator.</Notice>
        <Notice hash={WAITING_HASH}>Your change waits for review.</Notice>
        {isOld && <Text mb="md">{describeNetworkError()} This entry was loaded before and may have changed.</Text>}
      </AgentDetails>
    </>
  );
}

function Breadcrumb({ agent }: { agent?: Agent }) {
  const { categories } = useSiteConfig();
  const category = agent && isCategoryId(categories, agent.category) && getCategory(categories, agent.category);
  return (
    <nav aria-label="Breadcrumb" className={classes.breadcrumb}>
      <BackToList className={classes.step} />
      {agent && <span aria-hidden>/</span>}
      {category ? (
        <Link to={toBrowsePath({ category: category.id })} className={classes.step}>
          {category.name}
        </Link>
      ) : (
        agent?.category
      )}
    </nav>
  );
}

/** Keeps name and category of an own agent as the page has them, and that the agent is listed. */
export function useOwnName(id: string, agent: Agent | undefined): void {
  const own = useOwnAgent(id);
  const { name, category } = agent ?? {};
  useEffect(() => {
    const isStale = own && (own.name !== name || own.category !== category || own.isHeld || own.isWithdrawn);
    if (isStale && name !== undefined) keepKey({ id, name, category, key: own.key });
  }, [id, own, name, category]);
}
