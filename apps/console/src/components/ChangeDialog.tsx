import { MAX_REASON_LENGTH, needsReason, type ConsoleChange } from '@agent-registry/contracts';
import { Button, Group, List, Text, TextInput } from '@mantine/core';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { useChanges, type Target } from '../ChangesProvider.tsx';
import { changeLabels, countOf } from '../labels.ts';
import { Dialog } from './Dialog.tsx';
import { StrangersText } from './StrangersText.tsx';

type ChangeDialogProps = {
  change: ConsoleChange;
  targets: readonly Target[];
  /** The names of the entries, or of the first ones. */
  names: readonly string[];
  /** What would be done, such as `12 entries would be hidden.`; by default the number is in the heading only. */
  summary?: ReactNode;
  onClose: () => void;
  /** Called after the change was made. */
  onDone?: () => void;
};

/** Who reads the reason of a change. */
const readers: Partial<Record<ConsoleChange, string>> = {
  refuse: 'The owner reads it on the page of the entry.',
  hide: 'Only operators read it.',
};

/** Names the entries of a change, asks for the reason, and makes it. */
export function ChangeDialog({ change, targets, names, summary, onClose, onDone }: ChangeDialogProps) {
  const { change: make, isPending, status } = useChanges();
  const [reason, setReason] = useState('');
  const [hasFailed, setHasFailed] = useState(false);
  const isNeeded = needsReason(change);
  const rest = targets.length - names.length;

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    const isDone = await make(change, targets, reason.trim() === '' ? undefined : reason);
    setHasFailed(!isDone);
    if (!isDone) return;
    onClose();
    onDone?.();
  }

  return (
    <Dialog onClose={onClose} title={`${changeLabels[change]} ${countOf(targets.length, 'entry', 'entries')}`}>
      <form onSubmit={(event) => void submit(event)}>
        {summary}
        <List mb="md">
          {names.map((name, index) => (
            <List.Item key={index}>
              <StrangersText text={name} />
            </List.Item>
          ))}
          {rest > 0 && <List.Item>and {countOf(rest, 'other')}</List.Item>}
        </List>
        <TextInput
          label="Reason"
          description={readers[change] ?? 'For the record of actions; it can be left out.'}
          required={isNeeded}
          maxLength={MAX_REASON_LENGTH}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        {hasFailed && (
          <Text role="alert" c="var(--mantine-color-error)" mt="sm">
            {status?.text}
          </Text>
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {changeLabels[change]}
          </Button>
        </Group>
      </form>
    </Dialog>
  );
}
