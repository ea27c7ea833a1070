import { countOf, describeShared, type EntryFacts, describeDay } from '@agent-registry/contracts';
import type { RestContext } from '@agent-registry/client';
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { describeFailure } from '../../components/FormFailure.tsx';
import { useApi } from '../../api/trpc.ts';
import type { OwnAgent } from '../../components/owner-keys.ts';
import classes from './OwnEntry.module.css';

/** The size of the chart in its own units. */
const [WIDTH, HEIGHT] = [290, 60];
/** How thick the line is, so that its highest point is not cut. */
const STROKE = 2;
/** Fewest views with a chart. */
const MIN_CHARTED = 20;

/**
 * The views of an own agent, from some on with a line of each of the last days; why its server has another name than the
 * chosen one; what its connections answered; and the way to have these checked again. Thirty points of one series need no library: the smallest chart library is larger than all
 * scripts of this page's panels together.
 */
export function OwnViews({ own: { id, key } }: { own: OwnAgent }) {
  const { client, queries } = useApi();
  const context = { key } satisfies RestContext;
  const queryClient = useQueryClient();
  const queryKey = ['facts of own agent', id, key];
  const { data } = useQuery({ queryKey, queryFn: () => client.agents.facts.query({ id }, { context }) });
  const check = useMutation({
    mutationFn: () => client.agents.checkConnections.mutate({ id }, { context }),
    onSuccess(facts) {
      queryClient.setQueryData(queryKey, facts);
      queryClient.setQueryData(queries.agents.facts.queryOptions({ id }).queryKey, facts);
    },
  });
  const days = data?.viewsByDay;
  const [first] = days ?? [];
  if (!days || !first) return null;
  const total = days.reduce((sum, { views }) => sum + views, 0);
  return (
    <div>
      {countOf(total, 'view')} since {describeDay(first.day, 'medium')}
      {total >= MIN_CHARTED && (
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes.chart} aria-hidden>
          <polyline points={toPoints(days)} fill="none" stroke="currentColor" strokeWidth={STROKE} />
        </svg>
      )}
      {data.besides?.map((other) => (
        <p key={other.id} className={classes.status} dir="auto">
          {describeShared(other)} {other.name}
        </p>
      ))}
      {data.server?.refusal && <p className={classes.status}>MCP server name: {data.server.refusal}.</p>}
      {data.connections?.map(({ address, reason }) => (
        <p key={address} className={classes.status} dir="auto">
          {address}: {reason || 'it answers.'}
        </p>
      ))}
      {data.connections && (
        <Button variant="default" size="xs" mt="xs" loading={check.isPending} onClick={() => check.mutate()}>
          Check the connections again
        </Button>
      )}
      <p role="status" className={classes.status}>
        {check.isError && describeFailure(check.error)}
        {check.isSuccess && 'The connections were checked now.'}
      </p>
    </div>
  );
}

function toPoints(days: NonNullable<EntryFacts['viewsByDay']>): string {
  const highest = Math.max(1, ...days.map(({ views }) => views));
  return days
    .map(({ views }, index) => {
      const x = (index / (days.length - 1)) * WIDTH;
      const y = HEIGHT - STROKE - (views / highest) * (HEIGHT - 2 * STROKE);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    })
    .join(' ');
}
