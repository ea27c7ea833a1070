import {
  describeProof,
  describeSource,
  formatCount,
  type Agent,
  type EntrySource,
  type WebsiteFacts,
} from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useApi } from '../../api/trpc.ts';
import { describeDay } from '../../components/age.ts';
import { LazyBoundary } from '../../components/LazyBoundary.tsx';
import { useOwnAgent } from '../../components/owner-keys.ts';
import { RelativeDay } from '../../components/RelativeDay.tsx';
import { lazyViewsChart } from './lazy-views-chart.ts';
import classes from './KnownFacts.module.css';

/** What the registry itself knows of an entry: no text of its owner, and never a score. */
export function KnownFacts({ agent }: { agent: Agent }) {
  const titleId = useId();
  const { id, updatedAt } = agent;
  const { data: facts } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
  const own = useOwnAgent(id);
  return (
    <section aria-labelledby={titleId} className={classes.root}>
      <h2 id={titleId} className={classes.title}>
        What is known about this entry
      </h2>
      <ul className={classes.facts}>
        {facts?.sources ? <SourceFact sources={facts.sources} /> : <ProofFact agent={agent} />}
        {updatedAt === undefined ? (
          <li>Unchanged since it was added</li>
        ) : (
          <li>
            Updated <RelativeDay instant={updatedAt} />
          </li>
        )}
        {facts?.website && <WebsiteFact website={facts.website} />}
        {facts?.monthlyViews && <li>Views this month: {formatCount(facts.monthlyViews)}</li>}
      </ul>
      {own && (
        <LazyBoundary load={lazyViewsChart.load} fallback={null} failure="The views could not be loaded.">
          <lazyViewsChart.Component own={own} />
        </LazyBoundary>
      )}
    </section>
  );
}

/** From where an entry that nobody has claimed was imported. */
function SourceFact({ sources }: { sources: EntrySource[] }) {
  return sources.map((source, index) => {
    const { attribution, licence, day } = source;
    return (
      <li key={attribution + licence}>
        {describeSource(source, index === 0)} ({licence}, <time dateTime={day}>{describeDay(day)}</time>)
      </li>
    );
  });
}

/** Whether the host of the website answers; nothing before that is known. */
function WebsiteFact({ website: { host, answeredAt, silentSince } }: { website: WebsiteFacts }) {
  if (silentSince !== null) {
    return (
      <li data-silent>
        {host} has not answered since <time dateTime={silentSince}>{describeDay(silentSince)}</time>, seen from here
      </li>
    );
  }
  if (answeredAt === null) return null;
  return (
    <li>
      {host} answered <RelativeDay instant={answeredAt} prefix="on " />
    </li>
  );
}

/** Whether the owner proved to control the website; nothing without a website. */
function ProofFact({ agent }: { agent: Agent }) {
  const { website, websiteCheckedAt } = agent;
  const proof = describeProof(agent);
  if (website === null) return null;
  if (proof === undefined || websiteCheckedAt === undefined) {
    return <li>Not claimed: nobody has proved to own {new URL(website).hostname} yet</li>;
  }
  return (
    <li data-proved>
      Owner proved {proof} on <time dateTime={websiteCheckedAt}>{describeDay(websiteCheckedAt)}</time>
    </li>
  );
}
