import { describePrice, formatCount, type Agent, describeDay } from '@agent-registry/contracts';
import { IconCalendarPlus, IconEye, IconPlugConnected, IconTag, type Icon } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useApi } from '../../api/trpc.ts';
import classes from './FactStrip.module.css';

/** The facts of an agent at a glance: price, API, age, and the views of a month if there are enough to tell. */
export function FactStrip({ agent: { id, pricingModel, apiAccess, createdAt } }: { agent: Agent }) {
  const { data } = useQuery(useApi().queries.agents.facts.queryOptions({ id }));
  return (
    <dl className={classes.strip}>
      <Fact icon={IconTag} label="Pricing Model">
        {describePrice(pricingModel)}
      </Fact>
      <Fact icon={IconPlugConnected} label="API Access">
        {apiAccess === 'yes' ? 'Available' : 'Not Available'}
      </Fact>
      <Fact icon={IconCalendarPlus} label="Added">
        <time dateTime={createdAt}>{describeDay(createdAt)}</time>
      </Fact>
      {data?.monthlyViews && (
        <Fact icon={IconEye} label="Views this month">
          {formatCount(data.monthlyViews)}
        </Fact>
      )}
    </dl>
  );
}

function Fact({ icon: FactIcon, label, children }: { icon: Icon; label: string; children: ReactNode }) {
  return (
    <div>
      <dt>
        <FactIcon size={18} stroke={1.7} aria-hidden />
        {label}
      </dt>
      <dd>{children}</dd>
    </div>
  );
}
