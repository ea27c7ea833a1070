import { formatCount } from '@agent-registry/contracts';
import { Loader, Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useApi, type Outputs } from '../api.ts';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { LoadState } from './LoadState.tsx';

// A library of its own, which fails where the browser has a language that is none, such as that of POSIX.
const DailyChart = lazy(async () => ({ default: (await import('./DailyChart.tsx')).DailyChart }));

type Day = Outputs['figures']['daily'][number];

const figures = [
  ['registrations', 'Registrations'],
  ['edits', 'Edits'],
  ['reports', 'Reports'],
  ['views', 'Views'],
  ['searchesWithoutResult', 'Searches without a result'],
  ['rateLimitedCalls', 'Rate-limited calls'],
] as const satisfies readonly [keyof Day, string][];

/** The figures of each day as charts, and as a table. */
export function DailyFigures() {
  const { queries } = useApi();
  const query = useQuery(queries.figures.daily.queryOptions());
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-labelledby="daily">
      <Title order={2} size="h3" id="daily" mb="sm">
        The last 90 days
      </Title>
      <LoadState query={query} />
      {query.data && <Charts days={query.data} />}
    </Paper>
  );
}

function Charts({ days }: { days: readonly Day[] }) {
  const names = days.map(({ day }) => day);
  return (
    <>
      <ErrorBoundary fallback={<Text>The charts cannot be drawn in this browser. The table has their numbers.</Text>}>
        <Suspense fallback={<Loader role="status" aria-label="Loading" />}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            {figures.map(([figure, label]) => (
              <DailyChart key={figure} label={label} days={names} counts={days.map((day) => day[figure])} />
            ))}
          </SimpleGrid>
        </Suspense>
      </ErrorBoundary>
      <details>
        <summary>The numbers of each day</summary>
        <Table.ScrollContainer minWidth="50rem" scrollAreaProps={{ viewportProps: { 'aria-label': 'Numbers' } }}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Day</Table.Th>
                {figures.map(([figure, label]) => (
                  <Table.Th key={figure}>{label}</Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.toReversed().map((day) => (
                <Table.Tr key={day.day}>
                  <Table.Th scope="row">{day.day}</Table.Th>
                  {figures.map(([figure]) => (
                    <Table.Td key={figure}>{formatCount(day[figure])}</Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </details>
    </>
  );
}
