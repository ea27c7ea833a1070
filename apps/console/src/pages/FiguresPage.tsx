import { formatCount } from '@agent-registry/contracts';
import { Paper, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi, type Outputs } from '../api.ts';
import { DailyFigures } from '../components/DailyFigures.tsx';
import { FieldRow } from '../components/FieldRow.tsx';
import { LoadState } from '../components/LoadState.tsx';
import { StrangersText } from '../components/StrangersText.tsx';
import { formatTime } from '../labels.ts';

type System = Outputs['system'];

export function FiguresPage() {
  const { queries } = useApi();
  const query = useQuery(queries.system.queryOptions());
  return (
    <>
      <Title order={1} mb="md">
        Figures
      </Title>
      <DailyFigures />
      <LoadState query={query} />
      {query.data && (
        <>
          <Health checks={query.data.checks} />
          <Sizes system={query.data} />
        </>
      )}
    </>
  );
}

function Health({ checks }: Pick<System, 'checks'>) {
  return (
    <Paper component="section" withBorder p="md" mb="md" aria-labelledby="health">
      <Title order={2} size="h3" id="health" mb="sm">
        Health
      </Title>
      <dl className="fields">
        {checks.map(({ name, isRight, detail, at }) => (
          <FieldRow key={name} label={name}>
            {!isRight && (
              <Text span c="var(--mantine-color-error)" fw={650} mr="xs">
                Look at this:
              </Text>
            )}
            <StrangersText text={at === undefined ? detail : `${detail} ${formatTime(at)}`} />
          </FieldRow>
        ))}
      </dl>
    </Paper>
  );
}

function Sizes({ system }: { system: System }) {
  const { agents, held, proposed, hidden, byCategory, monthlyViews, allViews } = system;
  const counts: [label: string, count: number][] = [
    ['Listed entries', agents],
    ...Object.entries(byCategory).map(([id, count]): [string, number] => [`of ${id}`, count]),
    ['New entries that wait', held],
    ['Edits that wait', proposed],
    ['Hidden entries', hidden],
    ['Views in 30 days', monthlyViews],
    ['All views', allViews],
  ];
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="sizes">
      <Title order={2} size="h3" id="sizes" mb="sm">
        Sizes
      </Title>
      <dl className="fields">
        <FieldRow label="Version">{system.version}</FieldRow>
        <FieldRow label="Database">
          {system.engine}, {(system.databaseBytes / 1e6).toFixed(1)} MB
        </FieldRow>
        <FieldRow label="Migrations">{system.migrations.join(', ')}</FieldRow>
      </dl>
      <Table mt="md" aria-labelledby="sizes">
        <Table.Tbody>
          {counts.map(([label, count]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                <StrangersText text={label} />
              </Table.Th>
              <Table.Td ta="end">{formatCount(count)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
