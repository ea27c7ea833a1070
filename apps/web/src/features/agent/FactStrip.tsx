import { describeDay, formatCount, labelOfValue, titleOf, type Agent } from '@agent-registry/contracts';
import calendarPlus from '../../icons/calendar-plus.svg?raw';
import eye from '../../icons/eye.svg?raw';
import plugConnected from '../../icons/plug-connected.svg?raw';
import tag from '../../icons/tag.svg?raw';
import { ApiAccess } from '../../components/ApiAccess.tsx';
import { Icon } from '../../components/Icon.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/trpc.ts';
import classes from './FactStrip.module.css';

/** The facts of an agent at a glance: price, API, age, and the views of a month if there are enough to tell. */
export function FactStrip({ agent: { id, pricingModel, apiAccess, createdAt } }: { agent: Agent }) {
  const { data } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
  return (
    <dl className={classes.strip}>
      <Fact icon={tag} label={titleOf('pricingModel')}>
        {labelOfValue('pricingModel', pricingModel)}
      </Fact>
      <Fact icon={plugConnected} label={titleOf('apiAccess')}>
        <ApiAccess value={apiAccess} />
      </Fact>
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
