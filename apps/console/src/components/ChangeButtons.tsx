import { needsReason, type ConsoleChange } from '@agent-registry/contracts';
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useChanges, type Target } from '../ChangesProvider.tsx';
import { changeLabels } from '../labels.ts';
import { ChangeDialog } from './ChangeDialog.tsx';

type ChangeButtonsProps = {
  changes: readonly ConsoleChange[];
  targets: readonly Target[];
  names: readonly string[];
};

/** Buttons that change entries; a change that needs a reason asks for it first. */
export function ChangeButtons({ changes, targets, names }: ChangeButtonsProps) {
  const { change: make, isPending } = useChanges();
  const [asked, setAsked] = useState<ConsoleChange>();
  return (
    <Group>
      {changes.map((change, index) => (
        <Button
          key={change}
          variant={index === 0 ? 'filled' : 'default'}
          disabled={isPending || targets.length === 0}
          onClick={() => (needsReason(change) ? setAsked(change) : void make(change, targets))}
        >
          {changeLabels[change]}
          {needsReason(change) && ' …'}
        </Button>
      ))}
      {asked && <ChangeDialog change={asked} targets={targets} names={names} onClose={() => setAsked(undefined)} />}
    </Group>
  );
}
