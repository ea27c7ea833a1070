import {
  endpoints,
  fields,
  isCapabilityFilter,
  sentenceFields,
  toAgentPath,
  toBrowsePath,
  toManagePath,
  type Agent,
  describeDay,
} from '@agent-registry/contracts';
import { Skeleton, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { describeAge } from '../../components/age.ts';
import { AgentMark } from '../../components/AgentMark.tsx';
import { CategoryLine } from '../../components/CategoryLine.tsx';
import { CopyLink } from '../../components/CopyLink.tsx';
import { CurlCommand } from '../../components/CurlCommand.tsx';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import { useOwnAgent } from '../../components/owner-keys.ts';
import { Rating } from '../../components/Rating.tsx';
import { Sentences } from '../../components/Sentences.tsx';
import { useToday } from '../../components/use-today.ts';
import { AgentActions, type AgentActionsProps } from './AgentActions.tsx';
import classes from './AgentDetails.module.css';
import { BadgeButton } from './BadgeButton.tsx';
import { lazyCodeExamples } from './lazy-code-examples.ts';
import { lazyFactStrip } from './lazy-fact-strip.ts';
import { lazyKnownFacts } from './lazy-known-facts.ts';
import { LinkedText } from './LinkedText.tsx';

type AgentDetailsProps = AgentActionsProps & {
  /** Whether only its owner sees it: others can show no badge of it, and report nothing. */
  isHeld?: boolean;
};

/** All data of an agent. */
export function AgentDetails({ agent, ownerAction, isHeld = false }: AgentDetailsProps) {
  const today = useToday();
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
              <time dateTime={agent.createdAt} title={describeDay(agent.createdAt)}>
                {describeAge(agent.createdAt, today)}
              </time>
            </span>
          </div>
        </div>
      </header>
      <div className={classes.content}>
        <LazyBoundary
          load={lazyFactStrip.load}
          fallback={<Skeleton height={64} radius="lg" />}
          failure="The facts could not be loaded."
        >
          <lazyFactStrip.Component agent={agent} />
        </LazyBoundary>
        <Section title="Description">
          <p dir="auto" className={classes.description}>
            <LinkedText>{agent.description}</LinkedText>
          </p>
        </Section>
        {sentenceFields.map(
          (name) =>
            agent[name] && (
              <Section key={name} title={fields[name].title}>
                <Sentences texts={agent[name]} className={classes.tasks} />
              </Section>
            ),
        )}
        <Section title="Capabilities">
          <Capabilities agent={agent} />
        </Section>
      </div>
      <div className={classes.rail}>
        <div className={classes.panel}>
          <AgentActions agent={agent} ownerAction={ownerAction} />
          <p className={classes.addresses}>
            {agent.contactEmail}
            <br />
            {agent.website}
          </p>
          <div className={classes.share}>
            <CopyLink path={toAgentPath(agent.id)} />
            {!isHeld && <BadgeButton id={agent.id} />}
          </div>
        </div>
        <LazyBoundary load={lazyKnownFacts.load} fallback={null} failure="What is known could not be loaded.">
          <lazyKnownFacts.Component agent={agent} isHeld={isHeld} />
        </LazyBoundary>
      </div>
      <div className={classes.code}>
        <Section title="Read this entry from a program">
          <LazyBoundary
            load={lazyCodeExamples.load}
            fallback={<CurlCommand path={endpoints['agents.get'].path.replace('{id}', agent.id)} />}
            failure="The code could not be loaded."
          >
            <lazyCodeExamples.Component agent={agent} />
          </LazyBoundary>
        </Section>
      </div>
    </article>
  );
}

/** The capabilities of an agent, each with a link to its list; without any, the way for its owner to add them. */
function Capabilities({ agent: { id, capabilities } }: { agent: Agent }) {
  const isOwn = useOwnAgent(id) !== undefined;
  if (capabilities.length === 0) {
    return (
      <p className={classes.none}>
        None listed.{' '}
        <Link to={toManagePath(id, isOwn ? 'edit' : 'key')} rel="nofollow">
          Add three
        </Link>{' '}
        if this is your agent: it is then found by what it does.
      </p>
    );
  }
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
