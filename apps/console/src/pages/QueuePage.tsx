import { countOf, labelOfField } from '@agent-registry/contracts';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api.ts';
import { LoadState } from '../components/LoadState.tsx';
import { ReviewPanes } from '../components/ReviewPanes.tsx';
import { formatTime } from '../labels.ts';

/** The new entries and the edits that wait for review. */
export function QueuePage() {
  const { queries } = useApi();
  const query = useQuery(queries.queue.list.queryOptions());
  const { items = [], total = 0, verbs = [] } = query.data ?? {};
  return (
    <>
      <Title order={1} mb="md">
        Queue
      </Title>
      <LoadState query={query} />
      {query.data && items.length === 0 && <Text>Nothing waits for review.</Text>}
      {items.length > 0 && (
        <>
          <Text mb="md">
            {countOf(total, 'entry waits', 'entries wait')} for review.
            {total > items.length && ` These are the ${items.length} that have waited longest.`}
          </Text>
          <ReviewPanes
            label="Waiting entries"
            canChoose
            items={items.map(({ kind, since, reports, ...item }) => {
              const what = kind === 'new' ? 'New' : `Edit: ${Object.keys(item.patch).map(labelOfField).join(', ')}`;
              const reported = reports > 0 ? `, ${countOf(reports, 'report')}` : '';
              return { ...item, verbs, summary: `${what}, waits since ${formatTime(since)}${reported}.` };
            })}
          />
        </>
      )}
    </>
  );
}
