import {
  describeDay,
  describeProof,
  describeShared,
  describeSource,
  factFields,
  factOf,
  formatCount,
  titleOf,
  toAgentPath,
  toManagePath,
  type Agent,
  type EntryFacts,
} from '@agent-registry/contracts';
import circleCheck from '../../icons/circle-check.svg?raw';
import download from '../../icons/download.svg?raw';
import flag from '../../icons/flag.svg?raw';
import userQuestion from '../../icons/user-question.svg?raw';
import worldCheck from '../../icons/world-check.svg?raw';
import { Icon } from '../../components/Icon.tsx';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useApi } from '../../api/trpc.ts';
import { FactText } from '../../components/FactText.tsx';
import { useOwnAgent } from '../../components/owner-keys.ts';
import { useWebsiteName } from '../../lib/site.ts';
import classes from './KnownFacts.module.css';

export function KnownFacts({ agent, isHeld = false }: { agent: Agent; isHeld?: boolean }) {
  const titleId = useId();
  const { id } = agent;
  const { data: facts } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
  const isOwn = useOwnAgent(id) !== undefined;
  return (
    <>
      <FactList agent={agent} facts={facts} />
      <section aria-labelledby={titleId} className={classes.root}>
        <h2 id={titleId} className={classes.title}>
          What is known about this entry
        </h2>
        <ul className={classes.facts}>
          {facts?.sources?.map((source, index) => (
            <Known key={source.attribution + source.licence} icon={download}>
              {describeSource(source, index === 0)} ({source.licence},{' '}
              <time dateTime={source.day}>{describeDay(source.day)}</time>)
            </Known>
          ))}
          <ProofFact agent={agent} isOwn={isOwn} isImported={facts?.sources !== undefined} />
          {facts?.besides?.map((other) => (
            <Known key={other.id} icon={worldCheck}>
              {describeShared(other)} <Link to={toAgentPath(other.id)}>{other.name}</Link>
            </Known>
          ))}
          {!isHeld && !isOwn && (
            <Known icon={flag}>
              <Link to={toManagePath(id, 'report')} rel="nofollow">
                Report a problem
              </Link>
            </Known>
          )}
        </ul>
      </section>
    </>
  );
}

function Known({ icon, isProof, children }: { icon: string; isProof?: boolean; children: ReactNode }) {
  return (
    <li data-proof={isProof}>
      <Icon svg={icon} size={17} />
      <span>{children}</span>
    </li>
  );
}

/** Whether the owner proved to control the website, and the way for the owner to do so or to get a new key. */
function ProofFact({ agent, isOwn, isImported }: { agent: Agent; isOwn: boolean; isImported: boolean }) {
  const { id, website, websiteCheckedAt } = agent;
  const site = useWebsiteName(website);
  const proof = describeProof(agent);
  const claim = !isOwn && (
    <Link to={toManagePath(id, 'key')} rel="nofollow">
      Is this your agent?
    </Link>
  );
  if (proof !== undefined && websiteCheckedAt !== undefined) {
    return (
      <Known icon={circleCheck} isProof>
        Owner proved {proof} on <time dateTime={websiteCheckedAt}>{describeDay(websiteCheckedAt)}</time>. {claim}
      </Known>
    );
  }
  if (isOwn) return null;
  return (
    <Known icon={userQuestion}>
      {site && site.provable === undefined && `Listed on ${site.name}. `}
      {site?.provable !== undefined &&
        `${isImported ? 'Nobody' : 'Not claimed: nobody'} has proved to own ${site.provable} yet. `}
      {claim}
    </Known>
  );
}

function FactList({ agent, facts }: { agent: Agent; facts: EntryFacts | undefined }) {
  const { createdAt, updatedAt } = agent;
  return (
    <dl className={classes.list}>
      {factFields
        .filter((name) => factOf(agent, name) !== undefined)
        .map((name) => (
          <Fact key={name} label={titleOf(name)}>
            <FactText agent={agent} name={name} />
          </Fact>
        ))}
      <Fact label="Added">
        <time dateTime={createdAt}>{describeDay(createdAt)}</time>
      </Fact>
      <Fact label="Updated">
        {updatedAt === undefined ? 'Unchanged since' : <time dateTime={updatedAt}>{describeDay(updatedAt)}</time>}
      </Fact>
      {facts?.monthlyViews && <Fact label="Views this month">{formatCount(facts.monthlyViews)}</Fact>}
      {facts?.server && (
        <Fact label="In MCP registries">
          <code dir="ltr">{facts.server.name}</code>
        </Fact>
      )}
    </dl>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
