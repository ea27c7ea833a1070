import {
  API_REFERENCE_PATH,
  endpoints,
  fields,
  isCapabilityFilter,
  sentenceFields,
  toAgentPath,
  toBrowsePath,
  type Agent,
} from '@agent-registry/contracts';
import { Skeleton, Title } from '@mantine/core';
import { Suspense, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryIcon.tsx';
import { CopyLink } from '../../components/CopyLink.tsx';
import { CurlCommand } from '../../components/CopyCode.tsx';
import { KeepToggle } from '../../components/KeepToggle.tsx';
import { Rating } from '../../components/Rating.tsx';
import { Sentences } from '../../components/Sentences.tsx';
import { AgentActions, BadgeButton, type AgentActionsProps } from './AgentActions.tsx';
import classes from './AgentDetails.module.css';
import { lazyConnect, lazyFactStrip, lazyKnownFacts } from './lazy-components.ts';
import { LinkedText } from './LinkedText.tsx';

type AgentDetailsProps = AgentActionsProps & {
  /** Whether only its owner sees it: others can show no badge of it, keep and report nothing. */
  isHeld?: boolean;
  /** What its owner can do for it, first in the rail. */
  ownPanel?: ReactNode;
};

export function AgentDetails({ agent, ownerAction, ownPanel, isHeld = false }: AgentDetailsProps) {
  return (
    <article className={classes.layout}>
      {/* The direction of the name is that of the whole head. */}
      <header dir="auto" className={classes.head}>
        <AgentMark agent={agent} size="lg" className={classes.mark} />
        <div className={classes.heading}>
          <h1 className={classes.name}>{agent.name}</h1>
          <div className={classes.line}>
            <CategoryLine category={agent.category} />
            <Rating rating={agent.rating} reviewCount={agent.reviewCount} />
          </div>
        </div>
      </header>
      <div className={classes.content}>
        <lazyFactStrip.Component
          agent={agent}
          fallback={<Skeleton height={64} radius="lg" />}
          failure="The facts could not be loaded."
        />
        <Section title="Description">
          {/* Boundaries: where a proxy has changed a text of the owner, React renders it anew and nothing else. */}
          <Suspense>
            <p dir="auto" className={classes.description}>
              <LinkedText>{agent.description}</LinkedText>
            </p>
          </Suspense>
        </Section>
        {agent.connections && (
          <Section title="Connect">
            <lazyConnect.Component agent={agent} failure="How to connect could not be loaded." />
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
        <Section title="Capabilities">
          <Capabilities capabilities={agent.capabilities} />
        </Section>
      </div>
      <div className={classes.rail}>
        {ownPanel}
        <div className={classes.panel}>
          <AgentActions agent={agent} ownerAction={ownerAction} />
          <Suspense>
            <p className={classes.addresses}>
              {agent.contactEmail}
              <br />
              {agent.website}
            </p>
          </Suspense>
          <div className={classes.share}>
            <CopyLink path={toAgentPath(agent.id)} />
            {!isHeld && <BadgeButton id={agent.id} />}
            {!isHeld && <KeepToggle agent={agent} isWide />}
          </div>
        </div>
        <lazyKnownFacts.Component agent={agent} isHeld={isHeld} failure="What is known could not be loaded." />
      </div>
      {!isHeld && (
        <div className={classes.code}>
          <Section title="Read this entry from a program">
            <CurlCommand path={endpoints['agents.get'].path.replace('{id}', agent.id)} />
            <a href={API_REFERENCE_PATH} className={classes.reference}>
              API reference
            </a>
          </Section>
        </div>
      )}
    </article>
  );
}

/** The capabilities of an agent, each with a link to its list. */
function Capabilities({ capabilities }: Pick<Agent, 'capabilities'>) {
  if (capabilities.length === 0) return <p className={classes.none}>None listed.</p>;
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
