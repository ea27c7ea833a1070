import { countOf } from '@agent-registry/contracts';
import { Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../api.ts';
import { LoadState } from '../components/LoadState.tsx';
import { ReviewPanes } from '../components/ReviewPanes.tsx';
import { labelOfReason } from '../labels.ts';

/** The listed entries that visitors have reported. */
export function ReportsPage() {
  const { queries } = useApi();
  const query = useQuery(queries.reports.list.queryOptions());
  const { agents = [], total = 0 } = query.data ?? {};
  return (
    <>
      <Title order={1} mb="md">
        Reports
      </Title>
      <LoadState query={query} />
      {query.data && (
        <Text mb="md">
          {total === 0
            ? 'No listed entry has reports.'
            : `${countOf(total, 'listed entry has', 'listed entries have')} reports.`}
          {total > agents.length && ` These are the ${agents.length} with most.`}
        </Text>
      )}
      {agents.length > 0 && (
        <ReviewPanes
          label="Reported entries"
          items={agents.map((item) => {
            const reasons = [...new Set(item.reports.map(({ reason }) => labelOfReason(reason)))].join(', ');
            return { ...item, summary: `${countOf(item.reports.length, 'report')}: ${reasons}.` };
          })}
        />
      )}
    </>
  );
}
