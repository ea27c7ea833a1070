import { Group, Kbd, Switch, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';

const keys = [
  ['j', 'next'],
  ['k', 'previous'],
  ['x', 'choose'],
  ['r', 'release'],
  ['f', 'refuse'],
  ['h', 'hide'],
  ['u', 'undo'],
  ['o', 'open'],
] as const;

/** Whether keys act: who dictates may turn them off. */
export function useKeySwitch() {
  return useLocalStorage({ key: 'console-keys', defaultValue: true });
}

/** The keys of the queue, and the switch that turns them off. */
export function KeyList({ isOn, onSwitch }: { isOn: boolean; onSwitch: (isOn: boolean) => void }) {
  return (
    <Group mb="md" gap="md">
      <Switch label="Keys" checked={isOn} onChange={(event) => onSwitch(event.currentTarget.checked)} py={10} />
      {isOn &&
        keys.map(([key, meaning]) => (
          <Text key={key} size="sm">
            <Kbd>{key}</Kbd> {meaning}
          </Text>
        ))}
    </Group>
  );
}
