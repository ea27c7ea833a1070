import { factOf, type Agent, type FactField } from '@agent-registry/contracts';
import { Text } from '@mantine/core';

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

export function Sentences({ texts, className }: { texts: readonly string[]; className: string | undefined }) {
  return (
    <ul className={className}>
      {texts.map((text, index) => (
        <li key={index} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  );
}
