import {
  endpoints,
  pricingModels,
  toAgentPath,
  toBrowsePath,
  type Agent,
  isCapabilityFilter,
} from '@agent-registry/contracts';
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { describeAge, describeDay } from '../../components/age.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryLine.tsx';
import { CopyLink } from '../../components/CopyLink.tsx';
import { CurlCommand } from '../../components/CurlCommand.tsx';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import { Rating } from '../../components/Rating.tsx';
import { useToday } from '../../components/use-today.ts';
import { AgentActions, type AgentActionsProps } from './AgentActions.tsx';
import classes from './AgentDetails.module.css';
import { lazyKnownFacts } from './lazy-known-facts.ts';
import { LinkedText } from './LinkedText.tsx';

/** All data of an agent. */
export function AgentDetails({ agent, ownerAction }: AgentActionsProps) {
  const today = useToday();
  const day = describeDay(agent.createdAt);
  return (
    <article className={classes.layout}>
      {/* The direction of the name is that of the whole head. */}
      <header dir="auto" className={classes.head}>
        <AgentMark agent={agent} size={64} />
        <div className={classes.heading}>
          <h1 className={classes.name}>{agent.name}</h1>
          <div className={classes.line}>
            <CategoryLine category={agent.category} />
            <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
            <span>
              Added{' '}
              <time dateTime={agent.createdAt} title={day}>
                {describeAge(agent.createdAt, today)}
              </time>
            </span>
          </div>
        </div>
      </header>
      <div className={classes.content}>
        <Section title="Description">
          <p dir="auto" className={classes.description}>
            <LinkedText>{agent.description}</LinkedText>
          </p>
        </Section>
        {agent.exampleTasks && (
          <Section title="What it can do for you">
            <ul className={classes.tasks}>
              {agent.exampleTasks.map((task, index) => (
                <li key={index} dir="auto">
                  {task}
                </li>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Capabilities">
          {agent.capabilities.length > 0 ? (
            <ul className={classes.capabilities}>
              {agent.capabilities.map((capability, index) => (
                <li key={index}>
                  <Link
                    to={toBrowsePath(isCapabilityFilter(capability) ? { capability } : { text: capability })}
                    dir="auto"
                    className={classes.capability}
                  >
                    {capability}
                  </Link>
                </li>
              ))}
            </ul>
          ) : (
            <p className={classes.none}>None listed.</p>
          )}
        </Section>
        <Section title="Read this entry from a program">
          <CurlCommand path={endpoints['agents.get'].path.replace('{id}', agent.id)} />
        </Section>
      </div>
      <div className={classes.rail}>
        <AgentActions agent={agent} ownerAction={ownerAction} />
        <p className={classes.addresses}>
          {agent.contactEmail}
          <br />
          {agent.website}
        </p>
        <dl className={classes.facts}>
          <Fact label="Pricing Model">{pricingModels.find(({ value }) => value === agent.pricingModel)?.label}</Fact>
          <Fact label="API Access">{agent.apiAccess === 'yes' ? 'Available' : 'Not Available'}</Fact>
          <Fact label="Added">
            <time dateTime={agent.createdAt}>{day}</time>
          </Fact>
        </dl>
        <LazyBoundary load={lazyKnownFacts.load} fallback={null} failure="What is known could not be loaded.">
          <lazyKnownFacts.Component agent={agent} />
        </LazyBoundary>
        <CopyLink path={toAgentPath(agent.id)} />
      </div>
    </article>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section}>
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
