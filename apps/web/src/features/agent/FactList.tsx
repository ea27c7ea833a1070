import {
  describeDay,
  factFields,
  factOf,
  formatCount,
  titleOf,
  type Agent,
  type EntryFacts,
} from '@agent-registry/contracts';
import type { ReactNode } from 'react';
import { FactText } from '../../components/FactText.tsx';
import classes from './KnownFacts.module.css';

/** The facts of an agent at a glance; the views of a month if there are enough to tell. */
export function FactList({ agent, facts }: { agent: Agent; facts: EntryFacts | undefined }) {
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
