import { countOf, describeShared, labelOfField } from '@agent-registry/contracts';
import { Group, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { useApi } from '../api.ts';
import { LoadState } from '../components/LoadState.tsx';
import { ReviewPanes } from '../components/ReviewPanes.tsx';
import { formatTime, labelOfReason, toPlainText } from '../labels.ts';

export function QueuePage() {
  const query = useQuery(useApi().queries.queue.list.queryOptions());
  const { items = [], total = 0, verbs = [] } = query.data ?? {};
  return (
    <ReviewPage
      title="Queue"
      query={query}
      count={total === 0 ? 'Nothing waits for review.' : `${countOf(total, 'entry waits', 'entries wait')} for review.`}
      rest={total > items.length && ` These are the ${items.length} that have waited longest.`}
      label="Waiting entries"
      canChoose
      items={items.map(({ kind, since, reports, sharing, ...item }) => {
        const fields = Object.keys(item.patch).map(labelOfField).join(', ');
        const what = { new: 'New', edit: `Edit: ${fields}`, read: 'Texts of its connections' }[kind];
        const reported = reports > 0 ? `, ${countOf(reports, 'report')}` : '';
        const shared = sharing.map((other) => ` ${describeShared(other)} ${toPlainText(other.name)}.`).join('');
        return { ...item, verbs, summary: `${what}, waits since ${formatTime(since)}${reported}.${shared}` };
      })}
    />
  );
}

export function ReportsPage() {
  const query = useQuery(useApi().queries.reports.list.queryOptions());
  const { agents = [], total = 0 } = query.data ?? {};
  return (
    <ReviewPage
      title="Reports"
      query={query}
      count={`${total === 0 ? 'No listed entry has' : countOf(total, 'listed entry has', 'listed entries have')} reports.`}
      rest={total > agents.length && ` These are the ${agents.length} with most.`}
      label="Reported entries"
      items={agents.map((item) => {
        const reasons = [...new Set(item.reports.map(({ reason }) => labelOfReason(reason)))].join(', ');
        return { ...item, summary: `${countOf(item.reports.length, 'report')}: ${reasons}.` };
      })}
    />
  );
}

type ReviewPageProps = ComponentProps<typeof ReviewPanes> & {
  title: string;
  query: ComponentProps<typeof LoadState>['query'] & { data?: unknown };
  count: string;
  /** Said after the count if not all entries are shown. */
  rest: ReactNode;
};

function ReviewPage({ title, query, count, rest, ...panes }: ReviewPageProps) {
  return (
    <>
      <Group align="baseline">
        <Title order={1} size="h3">
          {title}
        </Title>
        {query.data !== undefined && (
          <Text c="dimmed">
            {count}
            {rest}
          </Text>
        )}
      </Group>
      <LoadState query={query} />
      {panes.items.length > 0 && <ReviewPanes {...panes} />}
    </>
  );
}
