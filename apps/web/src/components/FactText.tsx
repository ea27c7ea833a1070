import { factOf, type Agent, type FactField } from '@agent-registry/contracts';
import { Text } from '@mantine/core';

/** A fact of an agent. */
export function FactText({ agent, name }: { agent: Pick<Agent, FactField>; name: FactField }) {
  if (name !== 'apiAccess') return <bdi>{factOf(agent, name)}</bdi>;
  if (agent.apiAccess === 'yes') return 'Available';
  return (
    <>
      Not Available
      {agent.apiAccess === 'planned' && (
        <Text span inherit c="dimmed" fw={400}>
          {' '}
          planned
        </Text>
      )}
    </>
  );
}
