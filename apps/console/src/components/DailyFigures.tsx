import { formatCount } from '@agent-registry/contracts';
import { Paper, SimpleGrid, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi, type Outputs } from '../api.ts';
import { LoadState } from './LoadState.tsx';

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
      <SimpleGrid cols={{ base: 1, sm: 2 }} mb="sm">
        {figures.map(([figure, label]) => (
          <Chart key={figure} label={label} days={names} counts={days.map((day) => day[figure])} />
        ))}
      </SimpleGrid>
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

/** The size of the drawing: pixels upwards, hundredths of the width sidewards. */
const [HEIGHT, BOTTOM, LEFT] = [140, 120, 12];
const AXIS = new Intl.NumberFormat('en-US', { notation: 'compact' });

type ChartProps = { label: string; days: readonly string[]; counts: readonly number[] };

/** The numbers of days as bars. The drawing is for those who see it; its numbers are also in the table. */
function Chart({ label, days, counts }: ChartProps) {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const step = toStep(Math.max(...counts));
  const top = Math.max(1, Math.ceil(Math.max(...counts) / step)) * step;
  const toX = (index: number) => LEFT + (index * (100 - LEFT)) / days.length;
  const toY = (count: number) => BOTTOM - (count * (BOTTOM - 10)) / top;
  const last = days.length - 1;
  return (
    <figure className="chart">
      <Text component="figcaption">
        {label}: {formatCount(total)}
      </Text>
      <svg width="100%" height={HEIGHT} aria-hidden>
        {Array.from({ length: top / step + 1 }, (_, index) => index * step).map((count) => (
          <g key={count}>
            <line x1={`${LEFT}%`} x2="100%" y1={toY(count)} y2={toY(count)} />
            <text x={`${LEFT - 1}%`} y={toY(count) + 4} textAnchor="end">
              {AXIS.format(count)}
            </text>
          </g>
        ))}
        {counts.map((count, index) => (
          <rect
            key={days[index]}
            x={`${toX(index)}%`}
            y={toY(count)}
            width={`${(0.8 * (100 - LEFT)) / days.length}%`}
            height={BOTTOM - toY(count)}
          />
        ))}
        <text x={`${LEFT}%`} y={HEIGHT - 4}>
          {days[0]}
        </text>
        <text x={`${toX(last / 2)}%`} y={HEIGHT - 4} textAnchor="middle">
          {days[Math.round(last / 2)]}
        </text>
        <text x="100%" y={HEIGHT - 4} textAnchor="end">
          {days[last]}
        </text>
      </svg>
    </figure>
  );
}

/** The distance of the lines: 1, 2 or 5 times a power of ten, for at most five lines above zero. */
function toStep(max: number): number {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(max / 5 || 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => max / step <= 5) ?? max;
}
