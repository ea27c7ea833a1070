import {
  describeDay,
  factFields,
  factOf,
  formatCount,
  titleOf,
  type Agent,
  type FactField,
} from '@agent-registry/contracts';
import calendarPlus from '../../icons/calendar-plus.svg?raw';
import eye from '../../icons/eye.svg?raw';
import plugConnected from '../../icons/plug-connected.svg?raw';
import tag from '../../icons/tag.svg?raw';
import { FactText } from '../../components/FactText.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/trpc.ts';
import classes from './FactStrip.module.css';

const icons: Partial<Record<FactField, string>> = { apiAccess: plugConnected };

/** The facts of an agent at a glance: price, API, age, and the views of a month if there are enough to tell. */
export function FactStrip({ agent }: { agent: Agent }) {
  const { id, createdAt } = agent;
  const { data } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
  const given = factFields.filter((name) => factOf(agent, name) !== undefined);
  return (
    <dl className={classes.strip}>
      {given.map((name) => (
        <Fact key={name} icon={icons[name] ?? tag} label={titleOf(name)}>
          <FactText agent={agent} name={name} />
        </Fact>
      ))}
      <Fact icon={calendarPlus} label="Added">
        <time dateTime={createdAt}>{describeDay(createdAt)}</time>
      </Fact>
      {data?.monthlyViews && (
        <Fact icon={eye} label="Views this month">
          {formatCount(data.monthlyViews)}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ icon, label, children }: { icon: string; label: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <Icon svg={icon} size={18} />
        {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
