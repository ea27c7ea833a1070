import { describeDay, factFields, factOf, formatCount, titleOf, type Agent } from '@agent-registry/contracts';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/trpc.ts';
import { FactText } from '../../components/FactText.tsx';
import classes from './KnownFacts.module.css';

/** The facts of an agent at a glance; the views of a month if there are enough to tell. */
export function FactList({ agent }: { agent: Agent }) {
  const { id, createdAt, updatedAt } = agent;
  const { data } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
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
      {data?.monthlyViews && <Fact label="Views this month">{formatCount(data.monthlyViews)}</Fact>}
      {data?.server && (
        <Fact label="In MCP registries">
          <code dir="ltr">{data.server.name}</code>
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
