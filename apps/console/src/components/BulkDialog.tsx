import { consoleChanges, type ConsoleChange } from '@agent-registry/contracts';
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api.ts';
import type { Filters } from '../filters.ts';
import { changeLabels, countOf } from '../labels.ts';
import { ChangeDialog } from './ChangeDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { LoadState } from './LoadState.tsx';

/** How many entries the preview names. */
const MAX_NAMED = 20;

/** Asks what is to be done with entries, shows which ones it would concern, and only then makes the change. */
export function BulkDialog({
  filters,
  onClose,
  onDone,
}: {
  filters: Filters;
  onClose: () => void;
  onDone: () => void;
}) {
  const { queries } = useApi();
  const [change, setChange] = useState<ConsoleChange>('hide');
  const [isConfirming, setConfirming] = useState(false);
  // Read anew for each dialog: the preview is what is changed.
  const query = useQuery(queries.agents.preview.queryOptions({ ...filters, change }, { gcTime: 0 }));
  const { ids = [], first = [], would = '' } = query.data ?? {};

  if (isConfirming && query.data) {
    return (
      <ChangeDialog
        change={change}
        targets={ids.map((id) => ({ id }))}
        names={first.slice(0, MAX_NAMED).map(({ name }) => name)}
        summary={<Text mb="md">{`${countOf(ids.length, 'entry', 'entries')} would be ${would}:`}</Text>}
        onClose={onClose}
        onDone={onDone}
      />
    );
  }
  return (
    <Dialog onClose={onClose} title="Change entries">
      <NativeSelect
        label="What to do"
        value={change}
        onChange={(event) => setChange(event.currentTarget.value as ConsoleChange)}
        data={consoleChanges.map((value) => ({ value, label: changeLabels[value] }))}
        mb="md"
      />
      <LoadState query={query} />
      {query.data && (
        <Text role="status">
          {ids.length === 0
            ? `None of these entries can be ${would}.`
            : `${countOf(ids.length, 'entry', 'entries')} would be ${would}.`}
        </Text>
      )}
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={ids.length === 0} onClick={() => setConfirming(true)}>
          Show them
        </Button>
      </Group>
    </Dialog>
  );
}
