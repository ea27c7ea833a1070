import type { ApiAccess as Value } from '@agent-registry/contracts';
import { Text } from '@mantine/core';

export function ApiAccess({ value }: { value: Value }) {
  if (value === 'yes') return 'Available';
  return (
    <>
      Not Available
      {value === 'planned' && (
        <Text span inherit c="dimmed" fw={400}>
          {' '}
          planned
        </Text>
      )}
    </>
  );
}
