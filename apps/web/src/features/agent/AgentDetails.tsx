import {
  API_REFERENCE_PATH,
  endpoints,
  fields,
  isCapabilityFilter,
  isCategoryId,
  sentenceFields,
  toBrowsePath,
  type Agent,
} from '@agent-registry/contracts';
import { Container, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { CurlCommand } from '../../components/CopyCode.tsx';
import { Sentences } from '../../components/FactText.tsx';
import { useSiteConfig } from '../../lib/site.ts';
import type { AgentActionsProps } from './AgentActions.tsx';
import { AgentBand, Description } from './AgentBand.tsx';
import classes from './AgentDetails.module.css';
import { lazyConnect, lazyHistory, lazyKnownFacts, lazyMoreAgents } from './lazy-components.ts';

/** Longest description that stands below the name. */
const MAX_LEAD_LENGTH = 480;

type AgentDetailsProps = AgentActionsProps & { crumb?: ReactNode; ownPanel?: ReactNode; children?: ReactNode };

export function AgentDetails({ crumb, ownPanel, children, ...actions }: AgentDetailsProps) {
  const { agent, isHeld = false } = actions;
  const { categories } = useSiteConfig();
  const hasLead = agent.description.length <= MAX_LEAD_LENGTH;
  const more = !isHeld && isCategoryId(categories, agent.category) && (
    <lazyMoreAgents.Component agent={agent} failure="More agents could not be loaded." />
  );
  return (
    <>
      <article>
        <AgentBand crumb={crumb} hasLead={hasLead} {...actions} />
        <Container size="lg" className={classes.page}>
          <div className={classes.content}>
            {children}
            {agent.connections && (
              <Section id="connect" title="Connect">
                <lazyConnect.Component agent={agent} failure="How to connect could not be loaded." />
              </Section>
            )}
            {!hasLead && (
              <Section title="Description">
                <Description>{agent.description}</Description>
              </Section>
            )}
            {sentenceFields.map(
              (name) =>
                agent[name] && (
                  <Section key={name} title={fields[name].title}>
                    <Sentences texts={agent[name]} className={classes.tasks} />
                  </Section>
                ),
            )}
            {agent.capabilities.length > 0 && (
              <Section title="Capabilities">
                <Capabilities capabilities={agent.capabilities} />
              </Section>
            )}
          </div>
          <div className={classes.rail}>
            {ownPanel}
            <lazyKnownFacts.Component
              agent={agent}
              isHeld={isHeld}
              fallback={<Skeleton height={200} />}
              failure="What is known could not be loaded."
            />
          </div>
          {!isHeld && (
            <div className={classes.content}>
              <lazyHistory.Component agent={agent} failure="The history could not be loaded." />
              {!agent.connections && more}
              <Section title="Read this entry from a program">
                <CurlCommand path={endpoints['agents.get'].path.replace('{id}', agent.id)} />
                <a href={API_REFERENCE_PATH}>API reference</a>
              </Section>
            </div>
          )}
        </Container>
      </article>
      {agent.connections && more && <Container size="lg">{more}</Container>}
    </>
  );
}

function Capabilities({ capabilities }: Pick<Agent, 'capabilities'>) {
  return (
    <ul className={classes.capabilities}>
      {capabilities.map((capability, index) => (
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
  );
}

function Section({ id, title, children }: { id?: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={classes.section}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
