import type { ConsoleChange } from '@agent-registry/contracts';
import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import { Link } from 'react-router-dom';
import type { Outputs } from '../api.ts';
import { useChanges } from '../ChangesProvider.tsx';
import { changeLabels, countOf, formatTime } from '../labels.ts';
import { AgentFields } from './AgentFields.tsx';
import { RelatedPanel } from './RelatedPanel.tsx';
import { StrangersText } from './StrangersText.tsx';

type QueueItemDetailsProps = {
  item: Outputs['queue']['list']['items'][number];
  /** How many entries are chosen; the decision is about these, if there are any. */
  chosenCount: number;
  onChange: (change: ConsoleChange) => void;
};

const decisions = ['release', 'refuse', 'hide'] as const;

/** The entry of the queue that the operator reads, and the decisions on it or on the chosen ones. */
export function QueueItemDetails({ item, chosenCount, onChange }: QueueItemDetailsProps) {
  const { isPending } = useChanges();
  const { agent, kind, patch, since, reports } = item;
  const subject = chosenCount > 0 ? ` ${chosenCount} chosen` : '';
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="current">
      <Title order={2} id="current">
        <StrangersText text={agent.name} />
      </Title>
      <Text c="dimmed" mb="md">
        {kind === 'new' ? 'New entry' : 'Edit of a listed entry'}, waits since {formatTime(since)}.{' '}
        {countOf(reports, 'report')}.{' '}
        <Anchor component={Link} to={`/agents/${agent.id}`} underline="always">
          All about this entry
        </Anchor>
      </Text>
      <Group mb="md">
        {decisions.map((change) => (
          <Button
            key={change}
            variant={change === 'release' ? 'filled' : 'default'}
            disabled={isPending}
            onClick={() => onChange(change)}
          >
            {changeLabels[change] + subject}
          </Button>
        ))}
      </Group>
      <AgentFields agent={agent} patch={patch} />
      <RelatedPanel id={agent.id} order={3} />
    </Paper>
  );
}
