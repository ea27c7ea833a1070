import { countOf } from '@agent-registry/contracts';
import { Anchor, Paper, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { useApi } from '../api.ts';
import { LoadState } from '../components/LoadState.tsx';
import { ReportList } from '../components/ReportList.tsx';
import { StrangersText } from '../components/StrangersText.tsx';
import { VerbButtons } from '../components/VerbButtons.tsx';

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
      {agents.map(({ agent, reports, verbs }) => (
        <Paper key={agent.id} component="article" withBorder p="md" mb="md">
          <Title order={2} size="h3">
            <Anchor component={Link} to={`/agents/${agent.id}`} inherit>
              <StrangersText text={agent.name} />
            </Anchor>
          </Title>
          <ReportList reports={reports} />
          <VerbButtons verbs={verbs} targets={[{ id: agent.id }]} names={[agent.name]} mt="md" />
        </Paper>
      ))}
    </>
  );
}
